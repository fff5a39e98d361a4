// Which members of a record differ between two of its states: JSON pointers, found in the texts without parsing them,
// because most of a record stays the same. Groups are descended; a list differs as a whole.

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The pointers of the members that differ; both texts are JSON objects without blanks between their parts. */
export function changedPaths(before: string, after: string): string[] {
  if (before === after) return []
  const paths: string[] = []
  compareObjects({ text: before, at: 0 }, { text: after, at: 0 }, commonTail(before, after), '', paths)
  return paths
}

/** A place in a text. */
interface Place {
  readonly text: string
  at: number
}

/** The number of characters that both texts have in common at their ends. */
function commonTail(before: string, after: string): number {
  let [one, other] = [before.length, after.length]
  while (one > 0 && other > 0 && before.charCodeAt(one - 1) === after.charCodeAt(other - 1)) {
    one -= 1
    other -= 1
  }
  return before.length - one
}

/** Compares two objects that start at the places, and moves these behind what was compared. */
function compareObjects(before: Place, after: Place, tail: number, above: string, paths: string[]): void {
  before.at += 1
  after.at += 1
  while (before.text.charCodeAt(before.at) === QUOTE && after.text.charCodeAt(after.at) === QUOTE) {
    if (hasSameRest(before, after, tail)) return
    const nameEnd = endOfText(before.text, before.at)
    const name = before.text.slice(before.at, nameEnd + 1)
    if (!after.text.startsWith(name, after.at)) break
    before.at = nameEnd + 1
    after.at += name.length
    compareValues(before, after, tail, () => `${above}/${pointerPart(name.slice(0, -1))}`, paths)
    for (const place of [before, after]) if (place.text.charCodeAt(place.at) === COMMA) place.at += 1
  }
  compareOtherMembers(before, after, above, paths)
}

/** Whether the texts are the same from here on. */
function hasSameRest(before: Place, after: Place, tail: number): boolean {
  const rest = before.text.length - before.at
  return rest <= tail && rest === after.text.length - after.at
}

/** Compares two values of the same member, and moves the places behind them. */
function compareValues(before: Place, after: Place, tail: number, pathOf: () => string, paths: string[]): void {
  const isGroup = before.text.charCodeAt(before.at) === OPEN_OBJECT && after.text.charCodeAt(after.at) === OPEN_OBJECT
  const end = endOfValue(before.text, before.at)
  const value = before.text.slice(before.at, end)
  const other = after.text.charCodeAt(after.at + value.length)
  if (after.text.startsWith(value, after.at) && (other === COMMA || other === CLOSE_OBJECT)) {
    before.at = end
    after.at += value.length
  } else if (isGroup) {
    compareObjects(before, after, tail, pathOf(), paths)
    before.at = end
    after.at = endOfGroup(after)
  } else {
    paths.push(pathOf())
    before.at = end
    after.at = endOfValue(after.text, after.at)
  }
}

/** Compares the remaining members of two objects that do not have the same ones. */
function compareOtherMembers(before: Place, after: Place, above: string, paths: string[]): void {
  const [old, now] = [membersFrom(before), membersFrom(after)]
  for (const name of new Set([...now.keys(), ...old.keys()])) {
    const [one, other] = [old.get(name), now.get(name)]
    const path = `${above}/${pointerPart(name)}`
    if (one === other) continue
    if (one?.startsWith('{') && other?.startsWith('{')) {
      const groups = [
        { text: one, at: 0 },
        { text: other, at: 0 },
      ] as const
      compareObjects(...groups, 0, path, paths)
    } else paths.push(path)
  }
}

/** The members from a place to the end of its object, as texts by the texts of their names. */
function membersFrom(place: Place): Map<string, string> {
  const { text } = place
  const members = new Map<string, string>()
  while (text.charCodeAt(place.at) === QUOTE) {
    const nameEnd = endOfText(text, place.at)
    const end = endOfValue(text, nameEnd + 1)
    members.set(text.slice(place.at, nameEnd), text.slice(nameEnd + 1, end))
    place.at = text.charCodeAt(end) === COMMA ? end + 1 : end
  }
  return members
}

/** The end of the value at a place, which comparing a group has left somewhere inside it. */
function endOfGroup({ text, at }: Place): number {
  return endOfContainer(text, at)
}

function endOfValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === QUOTE) return endOfText(text, at)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return endOfContainer(text, at + 1)
  let end = at
  for (; end < text.length; end++) {
    const character = text.charCodeAt(end)
    if (character === COMMA || character === CLOSE_OBJECT || character === CLOSE_LIST) break
  }
  return end
}

/** The end of the container in which a place outside of texts is. */
function endOfContainer(text: string, at: number): number {
  let [end, open] = [at, 1]
  while (open > 0) {
    const character = text.charCodeAt(end)
    if (Number.isNaN(character)) throw new Error('the text of a record is not complete')
    if (character === QUOTE) {
      end = endOfText(text, end)
      continue
    }
    if (character === OPEN_OBJECT || character === OPEN_LIST) open += 1
    else if (character === CLOSE_OBJECT || character === CLOSE_LIST) open -= 1
    end += 1
  }
  return end
}

/** The place behind the text that starts here. */
function endOfText(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end < 0) throw new Error('the text of a record is not complete')
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1
  return slashes % 2 === 1
}

/** A name, as JSON writes it, as a part of a pointer. */
function pointerPart(name: string): string {
  return String(JSON.parse(name)).replaceAll('~', '~0').replaceAll('/', '~1')
}
