// A question of a collection: its options, and the rows that answer it.
import { boundsOf, changedSince } from './bounds.ts'
import { compareKeys, compareValues } from './cut.ts'
import { comparable, type Node, parseFilter, predicateOf } from './filter.ts'
import { type Property, propertyAt, type Row } from './kind.ts'
import { coded, invalidQuery } from './refusal.ts'
import { type Projection, projectionOf } from './select.ts'
import type { Ref, Table } from './table.ts'

export const MOST_ROWS = 50_000

/** The options of a request, their names in small letters and without `$`. */
export type Options = ReadonlyMap<string, string>

export interface Question {
  readonly filter?: Node
  readonly order: readonly Term[]
  readonly offset: number
  readonly limit: number
  readonly project?: Projection
}

interface Term {
  readonly path: readonly string[]
  readonly property: Property
  readonly isDescending: boolean
}

const ALIASES: Readonly<Record<string, string>> = { skip: 'offset', top: 'limit' }

export function optionsOf(search: URLSearchParams): Options {
  const pairs = [...search].map(([name, value]) => {
    const plain = name.replace(/^\$/, '').toLowerCase()
    return [ALIASES[plain] ?? plain, value.trim()] as const
  })
  return new Map(pairs.filter(([name]) => name !== ''))
}

export function questionOf(table: Table, options: Options): Question {
  const filter = supported(table, options.get('filter'), 'filtering', 'filter')
  const order = supported(table, options.get('orderby'), 'ordering', 'orderBy')
  const select = options.get('select')
  const { shape, localMs } = table.kind
  return {
    ...(filter && { filter: parseFilter(filter, shape, (value) => table.collated(value), localMs) }),
    order: order ? termsOf(order, table) : [],
    offset: bounded(options.get('offset') ?? '0', 'Offset', 0),
    limit: Math.min(bounded(options.get('limit') ?? String(MOST_ROWS), 'Limit', 1), MOST_ROWS),
    ...(select && { project: projectionOf(select, shape) }),
  }
}

function supported(table: Table, text: string | undefined, habit: 'filtering' | 'ordering', option: string) {
  if (!text || table.kind[habit] === 'ignored') return undefined
  if (table.kind[habit] === 'yes') return text
  const status = table.kind[habit] === 'refused' ? 400 : 422
  throw coded(status, 1020, `The option '${option}' is not supported by ${table.kind.name}.`)
}

function bounded(text: string, name: string, least: number): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number > 2 ** 31 - 1) throw coded(400, 1010, `The value '${text}' is not valid.`)
  if (number >= least) return number
  const words = least === 0 ? 'greater than or equal to 0' : 'greater than 0'
  throw invalidQuery(`${name} is invalid. Value should be ${words}.`)
}

function termsOf(text: string, { kind }: Table): Term[] {
  return text.split(',').map((term) => {
    const [name = '', direction = 'asc', ...more] = term.trim().split(/\s+/)
    const found = propertyAt(kind.shape, name.split('/'))
    const isKnown = ['asc', 'desc'].includes(direction.toLowerCase()) && more.length === 0
    if (!found || !isKnown) throw invalidQuery(`The order '${term.trim()}' is not understood.`)
    return { ...found, isDescending: direction.toLowerCase() === 'desc' }
  })
}

/** The rows of a page, and of which there are more. */
export function page(table: Table, question: Question, isShown: (row: Row) => boolean): Ref[] {
  const { offset, limit } = question
  const found = inOrder(table, question, isShown)
  const refs: Ref[] = []
  let skipped = 0
  for (const ref of found) {
    if (skipped++ < offset) continue
    refs.push(ref)
    if (refs.length === limit) break
  }
  return refs
}

export function count(table: Table, question: Question, isShown: (row: Row) => boolean): number {
  if (!question.filter && isShown === EVERY) return table.size
  let found = 0
  for (const _ of matching(table, question, isShown)) found += 1
  return found
}

/** Shows all rows; known by name, so that rows need not be made to be skipped. */
export const EVERY = (_: Row): boolean => true

function inOrder(table: Table, question: Question, isShown: (row: Row) => boolean): Iterable<Ref> {
  const { order } = question
  const found = matching(table, question, isShown)
  const { key } = table.kind
  // A document that does not order has its newest rows first, so that pages shift at once.
  if (table.kind.ordering !== 'yes') return [...found].reverse()
  const byKey = order.filter(({ path }) => path.join('/') !== 'companyId')
  const isPrefix = byKey.every(({ path }, at) => path.join('/') === key[at])
  if (isPrefix && byKey.every(({ isDescending }) => !isDescending)) return found
  if (isPrefix && byKey.length === key.length && byKey.every((term) => term.isDescending)) return [...found].reverse()
  return sorted(table, [...found], order)
}

function sorted(table: Table, refs: readonly Ref[], order: readonly Term[]): Ref[] {
  const sortValue = (ref: Ref, term: Term) =>
    term.path.join('/') === 'lastUpdated/updatedAt'
      ? table.updatedAt(ref)
      : comparable(table.rowOf(ref), term.path, term.property, (value) => table.collated(value))
  const withValues = refs.map((ref, at) => ({ ref, at, values: order.map((term) => sortValue(ref, term)) }))
  withValues.sort((a, b) => {
    for (const [at, { isDescending }] of order.entries()) {
      const compared = compareValues(a.values[at]!, b.values[at]!)
      if (compared !== 0) return isDescending ? -compared : compared
    }
    return a.at - b.at
  })
  return withValues.map(({ ref }) => ref)
}

/** The rows of a filter in the order of their keys. */
function* matching(table: Table, { filter }: Question, isShown: (row: Row) => boolean): Generator<Ref> {
  const isAsked = filter && predicateOf(filter, (value) => table.collated(value))
  for (const ref of candidates(table, filter)) {
    if (!isAsked && isShown === EVERY) {
      yield ref
      continue
    }
    const row = table.rowOf(ref)
    if (isShown(row) && (!isAsked || isAsked(row))) yield row
  }
}

/** Where changes are asked for and these are few, they alone are looked at. */
const FEW = 20_000

function candidates(table: Table, filter: Node | undefined): Iterable<Ref> {
  if (!filter) return table.between()
  const since = table.tellsTime ? changedSince(filter) : undefined
  if (since !== undefined) {
    const few = firstOf(table.changedSince(since), FEW)
    if (few) {
      const withKeys = few.map((ref) => ({ ref, key: table.keyOf(ref) }))
      return withKeys.sort((a, b) => compareKeys(a.key, b.key)).map(({ ref }) => ref)
    }
  }
  const { low, high } = boundsOf(filter, table.kind.key)
  return table.between(low, high)
}

/** All of them, when these are not more than so many. */
function firstOf<T>(things: Iterable<T>, most: number): T[] | undefined {
  const taken: T[] = []
  for (const thing of things) {
    if (taken.length === most) return undefined
    taken.push(thing)
  }
  return taken
}
