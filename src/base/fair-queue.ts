// A bounded queue that is shared out by nested round robin: the groups take turns, and in a turn of a group its members do.
// Whoever has much waiting waits for it himself. No package does this: those that are well kept know priorities (p-queue)
// or limits by key (bottleneck), and serve first come, first served.

/** Who waits: a member of a group, such as a client of a company. */
export interface Flow {
  readonly group: string
  readonly member: string
}

/** One text for each flow: no group's name has a line break in it. */
export function flowKey({ group, member }: Flow): string {
  return `${group}\n${member}`
}

interface Line<T> {
  readonly flow: Flow
  readonly items: T[]
}

interface Group<T> {
  length: number
  /** In the order of their turns. */
  readonly lines: Map<string, Line<T>>
}

export class FairQueue<T> {
  readonly #most: number
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group<T>>()
  #length = 0

  /** `most`: items that may wait. */
  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#length
  }

  /**
   * Adds an item; gives the one that must leave for it when the queue is full: the last of the longest line of the longest
   * group, which is the item itself when nobody has more than its own flow.
   */
  push(flow: Flow, item: T): T | undefined {
    const group = this.#groupOf(flow)
    const line = lineOf(group, flow)
    line.items.push(item)
    group.length += 1
    this.#length += 1
    if (this.#length <= this.#most) return undefined
    const longest = longestOf(this.#groups.values(), group, ({ length }) => length)
    const last = longestOf(longest.lines.values(), longest === group ? line : undefined, ({ items }) => items.length)
    const dropped = last.items.pop() as T
    this.#forgetOne(last)
    return dropped
  }

  /** Takes the item whose turn it is, of those at the head of a line that may be taken now. */
  shift(mayBeTaken: (head: T) => boolean = () => true): T | undefined {
    for (const [name, group] of this.#groups) {
      for (const [member, line] of group.lines) {
        const item = line.items[0] as T
        if (!mayBeTaken(item)) continue
        line.items.shift()
        // Whoever had a turn is behind the others.
        group.lines.delete(member)
        if (line.items.length > 0) group.lines.set(member, line)
        this.#groups.delete(name)
        group.length -= 1
        if (group.length > 0) this.#groups.set(name, group)
        this.#length -= 1
        return item
      }
    }
    return undefined
  }

  /** Takes so many items, each in its turn, or all that there are. */
  take(most: number): T[] {
    const taken: T[] = []
    while (taken.length < most && this.#length > 0) taken.push(this.shift() as T)
    return taken
  }

  /** Takes away an item that waits no longer. Tells whether it was there. */
  remove({ group: name, member }: Flow, item: T): boolean {
    const line = this.#groups.get(name)?.lines.get(member)
    const at = line ? line.items.indexOf(item) : -1
    if (!line || at < 0) return false
    line.items.splice(at, 1)
    this.#forgetOne(line)
    return true
  }

  /** The first of each line. */
  *heads(): Generator<T, void, void> {
    for (const { lines } of this.#groups.values()) for (const { items } of lines.values()) yield items[0] as T
  }

  /** How many items would be taken before a further one of the flow, as far as can be seen. */
  ahead({ group: name, member }: Flow): number {
    const group = this.#groups.get(name)
    const own = group?.lines.get(member)?.items.length ?? 0
    const ofGroup = Math.min(group?.length ?? 0, (own + 1) * (group?.lines.size ?? 0))
    return Math.min(this.#length, (ofGroup + 1) * this.#groups.size)
  }

  #groupOf({ group: name }: Flow): Group<T> {
    let group = this.#groups.get(name)
    if (!group) {
      group = { length: 0, lines: new Map() }
      this.#groups.set(name, group)
    }
    return group
  }

  /** An item of the line is gone without a turn. */
  #forgetOne({ flow, items }: Line<T>): void {
    const group = this.#groupOf(flow)
    if (items.length === 0) group.lines.delete(flow.member)
    group.length -= 1
    if (group.length === 0) this.#groups.delete(flow.group)
    this.#length -= 1
  }
}

function lineOf<T>({ lines }: Group<T>, flow: Flow): Line<T> {
  let line = lines.get(flow.member)
  if (!line) {
    line = { flow, items: [] }
    lines.set(flow.member, line)
  }
  return line
}

/** Of several that are as long, the first one of its own. */
function longestOf<T>(all: Iterable<T>, own: T | undefined, lengthOf: (one: T) => number): T {
  let longest = own
  for (const one of all) if (!longest || lengthOf(one) > lengthOf(longest)) longest = one
  return longest as T
}
