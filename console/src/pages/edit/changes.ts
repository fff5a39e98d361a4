// What somebody has changed in a form, as a JSON Patch, and against what others have changed meanwhile.
import type { FieldInfo, RelationInfo } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { literalOf } from './typed-value.ts'

/** The texts of the form by the paths of its fields; a list is the text of its items. */
export type Draft = Readonly<Record<string, string>>

export interface FormShape {
  readonly fields: readonly FieldInfo[]
  /** What the service computes: shown, and never sent. */
  readonly computed: readonly FieldInfo[]
  readonly lists: readonly ListShape[]
}

/** A list of groups, such as contact points, or the lines of a record. */
export interface ListShape extends FormShape {
  readonly path: string
  readonly titles: readonly string[]
  /** The items that a new record begins with. */
  readonly firstItems: readonly Draft[]
  /** The relations that the items may be of; empty where they are none. */
  readonly relations: readonly RelationInfo[]
  /** Undefined where the items are a part of the record. */
  readonly lines: LinesShape | undefined
}

/** What is known of lines, which are records of a document of their own. */
export interface LinesShape {
  readonly document: string
  /** So many may be written with their record. */
  readonly most: number
  /** What is given and what is computed, in the order of the document. */
  readonly columns: readonly FieldInfo[]
  /** Paths of the columns whose amounts are summed. */
  readonly sums: readonly string[]
}

/** An item of a list: its place before it was changed, none for a new one, and the texts of its fields. */
export interface ListItem {
  readonly place?: number
  readonly texts: Draft
}

export function draftOf(record: unknown, { fields, computed, lists }: FormShape): Draft {
  const texts = [...fields, ...computed].map((field): [string, string] => [
    field.path,
    textOf(valueIn(record, field).value),
  ])
  return Object.fromEntries([
    ...texts,
    ...lists.map((list): [string, string] => [list.path, listDraftOf(record, list)]),
  ])
}

function listDraftOf(record: unknown, list: ListShape): string {
  const items = list.path
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], record)
  if (!Array.isArray(items)) return textOfItems([])
  return textOfItems(items.map((item, place) => ({ place, texts: draftOf(item, list) })))
}

export const itemsOf = (text: string | undefined): readonly ListItem[] =>
  text === undefined || text === '' ? [] : (JSON.parse(text) as ListItem[])

export const textOfItems = (items: readonly ListItem[]): string => (items.length === 0 ? '' : JSON.stringify(items))

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The paths whose texts differ. */
export function changedPaths(base: Draft, mine: Draft): string[] {
  return Object.keys(mine).filter((path) => mine[path] !== (base[path] ?? ''))
}

/** A JSON Patch of what was changed. A number is sent with the digits that were typed. */
export function patchOf(base: Draft, mine: Draft, { fields, lists }: FormShape): string {
  const operations = changedPaths(base, mine).flatMap((path) => {
    const list = lists.find((one) => one.path === path)
    if (list?.lines)
      return [`{"op":"replace","path":${JSON.stringify(`/${path}`)},"value":${linesOf(list, mine[path])}}`]
    if (list) return listOperations(list, itemsOf(base[path]), itemsOf(mine[path]))
    return [
      replacing(
        `/${path}`,
        mine[path] ?? '',
        fields.find((one) => one.path === path),
      ),
    ]
  })
  return `[${operations.join(',')}]`
}

const replacing = (pointer: string, text: string, field: FieldInfo | undefined): string =>
  `{"op":"replace","path":${JSON.stringify(pointer)},"value":${literalOf(text, field)}}`

/**
 * All lines, in one operation whatever is changed: the service knows them by their keys. Those that were there have all
 * of their members, so that what was emptied stays empty.
 */
function linesOf(list: ListShape, text: string | undefined): string {
  return `[${itemsOf(text).map(({ place, texts }) => recordOf(texts, list, place !== undefined))}]`
}

/** First changes at the places that are known, then removals from the end, then what is new. */
function listOperations(list: ListShape, base: readonly ListItem[], mine: readonly ListItem[]): string[] {
  const { path, fields } = list
  const kept = mine.filter(({ place }) => place !== undefined)
  const changes = kept.flatMap(({ place = 0, texts }) =>
    changedPaths(base[place]?.texts ?? {}, texts).map((name) =>
      replacing(
        `/${path}/${place}/${name}`,
        texts[name] ?? '',
        fields.find((one) => one.path === name),
      ),
    ),
  )
  const removed = base.map((_item, place) => place).filter((place) => !kept.some((item) => item.place === place))
  const removals = removed.toReversed().map((place) => `{"op":"remove","path":${JSON.stringify(`/${path}/${place}`)}}`)
  const added = mine.filter(({ place }) => place === undefined)
  const additions = added.map(
    ({ texts }) => `{"op":"add","path":${JSON.stringify(`/${path}/-`)},"value":${recordOf(texts, list)}}`,
  )
  return [...changes, ...removals, ...additions]
}

type Tree = Map<string, string | Tree>

/** The record of a form as JSON; what is empty is left out, unless it `isWhole`. */
export function recordOf(draft: Draft, { fields, lists }: FormShape, isWhole = false): string {
  const tree: Tree = new Map()
  for (const field of fields) {
    const text = draft[field.path] ?? ''
    if (text !== '' || isWhole) put(tree, field.names, literalOf(text, field))
  }
  for (const list of lists) {
    const items = itemsOf(draft[list.path]).map(({ texts }) => recordOf(texts, list))
    if (items.length > 0) put(tree, list.path.split('/'), `[${items.join(',')}]`)
  }
  return jsonOf(tree)
}

function put(tree: Tree, [name = '', ...below]: readonly string[], json: string): void {
  if (below.length === 0) {
    tree.set(name, json)
    return
  }
  const inner = tree.get(name)
  const group: Tree = inner instanceof Map ? inner : new Map()
  tree.set(name, group)
  put(group, below, json)
}

const jsonOf = (tree: Tree): string =>
  `{${[...tree].map(([name, inner]) => `${JSON.stringify(name)}:${inner instanceof Map ? jsonOf(inner) : inner}`).join(',')}}`

export interface Conflict {
  readonly path: string
  readonly base: string
  readonly mine: string
  readonly theirs: string
  /** Whether they are the texts of all items of a list. */
  readonly isList: boolean
}

/** The fields that both have changed, to different texts. */
export function conflictsOf(base: Draft, mine: Draft, theirs: Draft, lists: readonly ListShape[] = []): Conflict[] {
  return changedPaths(base, mine).flatMap((path) => {
    const [was = '', own = '', other = ''] = [base[path], mine[path], theirs[path]]
    if (other === was || other === own) return []
    const list = lists.find((one) => one.path === path)
    if (list?.lines) return lineConflicts(list, itemsOf(was), itemsOf(own), itemsOf(other))
    const isList = list !== undefined
    const items = isList ? itemByItem(was, own, other) : undefined
    if (!items) return [{ path, base: was, mine: own, theirs: other, isList }]
    return items.flatMap((states, place) =>
      conflictsOf(...states).map((conflict) => ({ ...conflict, path: `${path}/${place}/${conflict.path}` })),
    )
  })
}

/** The three states of each item, if nobody has added or removed one: then the same place is the same item. */
function itemByItem(was = '', own = '', other = ''): readonly (readonly [Draft, Draft, Draft])[] | undefined {
  const [base, mine, theirs] = [itemsOf(was), itemsOf(own), itemsOf(other)]
  const isSame = mine.length === base.length && theirs.length === base.length
  if (!isSame || mine.some(({ place }, at) => place !== at)) return undefined
  return base.map(({ texts }, place) => [texts, mine[place]?.texts ?? {}, theirs[place]?.texts ?? {}])
}

/** By the path of each conflict. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>

const choicesIn = (choices: Choices, within: string): Choices =>
  Object.fromEntries(Object.entries(choices).map(([path, choice]) => [path.replace(within, ''), choice]))

/** What they have, with what I have changed; of conflicts what was chosen. */
export function merged(
  base: Draft,
  mine: Draft,
  theirs: Draft,
  choices: Choices,
  lists: readonly ListShape[] = [],
): Draft {
  const own = changedPaths(base, mine).filter((path) => choices[path] !== 'theirs')
  const isMoved = (path: string) => lists.some((list) => list.path === path) && theirs[path] !== base[path]
  const textIn = (path: string) => {
    if (!isMoved(path)) return mine[path] ?? ''
    const list = lists.find((one) => one.path === path)
    if (list?.lines) {
      const [was, now, other] = [base, mine, theirs].map((draft) => itemsOf(draft[path])) as Three
      return textOfItems(mergedLines(list, was, now, other, choices))
    }
    const items = itemByItem(base[path], mine[path], theirs[path])
    // The places of my items are those of a list that is no more: mine takes the place of the whole one.
    if (!items) return textOfItems(itemsOf(mine[path]).map(({ texts }) => ({ texts })))
    return textOfItems(
      items.map((states, place) => ({ place, texts: merged(...states, choicesIn(choices, `${path}/${place}/`)) })),
    )
  }
  return { ...theirs, ...Object.fromEntries(own.map((path) => [path, textIn(path)])) }
}

type Three = [readonly ListItem[], readonly ListItem[], readonly ListItem[]]

/** Lines are known by their keys, wherever they stand. */
function byKey({ fields }: ListShape, items: readonly ListItem[]): ReadonlyMap<string, ListItem> {
  return new Map(items.map((item) => [lineKey(fields, item), item]))
}

function lineKey(fields: readonly FieldInfo[], { texts }: ListItem): string {
  return JSON.stringify(fields.filter(({ isKey }) => isKey).map(({ path }) => texts[path] ?? ''))
}

function lineConflicts(list: ListShape, ...[base, mine, theirs]: Three): Conflict[] {
  const [before, now] = [byKey(list, base), byKey(list, mine)]
  return theirs.flatMap((other, place) => {
    const key = lineKey(list.fields, other)
    const own = now.get(key)
    if (!own) return []
    return conflictsOf(before.get(key)?.texts ?? {}, own.texts, other.texts).map((conflict) => ({
      ...conflict,
      path: `${list.path}/${place}/${conflict.path}`,
    }))
  })
}

/** A line that one has removed and the other has changed stays. */
function mergedLines(
  list: ListShape,
  base: readonly ListItem[],
  mine: readonly ListItem[],
  theirs: readonly ListItem[],
  choices: Choices,
): readonly ListItem[] {
  const [before, now, others] = [base, mine, theirs].map((items) => byKey(list, items)) as [
    ReadonlyMap<string, ListItem>,
    ReadonlyMap<string, ListItem>,
    ReadonlyMap<string, ListItem>,
  ]
  const isAsBefore = (item: ListItem) => {
    const was = before.get(lineKey(list.fields, item))
    return was !== undefined && list.fields.every(({ path }) => was.texts[path] === item.texts[path])
  }
  const kept = theirs.flatMap((other, place): ListItem[] => {
    const key = lineKey(list.fields, other)
    const own = now.get(key)
    if (!own) return isAsBefore(other) ? [] : [other]
    const chosen = choicesIn(choices, `${list.path}/${place}/`)
    return [{ place, texts: merged(before.get(key)?.texts ?? {}, own.texts, other.texts, chosen) }]
  })
  const added = mine.filter((item) => !others.has(lineKey(list.fields, item)) && !isAsBefore(item))
  return [...kept, ...added.map(({ texts }) => ({ texts }))]
}
