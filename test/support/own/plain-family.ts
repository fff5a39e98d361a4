// What a record of a declared document is, as a plain object: with its lines, what is computed of them, and the states
// that it may take.
import { parseExact } from '../../../src/base/long-number.ts'
import { decimalOf, textOf } from '../exact-arithmetic.ts'
import { isEmpty, type PlainRecord, plainRecord } from './plain-record.ts'
import { type Body, keyOf } from './random-bodies.ts'
import type { Computed, Expressions, Values } from './random-expressions.ts'
import { type Family, LINE, LINES, NOBODY, namesIn } from './random-families.ts'

/** The record that a body stands for, with its lines by their numbers, each without the key of the record. */
export function plainWhole({ document, lines }: Family, company: string, body: Body): PlainRecord {
  const own = plainRecord(document, company, body)
  if (!lines) return own
  const ofRecord = ['companyId', ...keyOf(document)]
  const items = ((body[LINES] ?? []) as Body[]).map((item) =>
    Object.fromEntries(Object.entries(plainRecord(lines, company, item)).filter(([name]) => !ofRecord.includes(name))),
  )
  return { ...own, [LINES]: items.sort((one, other) => Number(one[LINE]) - Number(other[LINE])) }
}

/** The lines of a record, or of a body. */
export const linesIn = (record: Body | PlainRecord): readonly PlainRecord[] =>
  Array.isArray(record[LINES]) ? (record[LINES] as PlainRecord[]) : []

/** The record as it is answered: with what is computed of it and of its lines. */
export function answeredAs(family: Family, record: PlainRecord): PlainRecord {
  const { document, lines, computed, ofLines } = family
  const items = lines ? linesIn(record).map((line) => ({ line, values: valuesOf(lines, line, []) })) : []
  const own = valuesOf(
    document,
    record,
    items.map(({ values }) => values),
  )
  return {
    ...record,
    ...computedOf(computed, own),
    ...(lines ? { [LINES]: items.map(({ line, values }) => ({ ...line, ...computedOf(ofLines, values) })) } : {}),
  }
}

function computedOf(expressions: Expressions, values: Values): PlainRecord {
  const shown = (value: Computed) => (typeof value === 'string' ? value : parseExact(textOf(value)))
  return Object.fromEntries(Object.entries(expressions).map(([name, one]) => [name, shown(one.of(values))]))
}

function valuesOf(document: Family['document'], record: PlainRecord, lines: readonly Values[]): Values {
  const names = namesIn(document)
  const at = (path: string) => path.split('/').reduce<unknown>((part, name) => (part as PlainRecord)[name], record)
  const of = <Value>(paths: readonly string[], read: (value: unknown) => Value) =>
    Object.fromEntries(paths.map((path) => [path, read(at(path))]))
  return {
    numbers: of(Object.keys(names.numbers), (value) => decimalOf(value as number)),
    texts: of(names.texts, String),
    dates: of(names.dates, (value) => `${value}Z`),
    lines,
  }
}

/** What a change of a record is refused with for its state; undefined where its state allows it. */
export function refusalByState({ document }: Family, before: PlainRecord, after: PlainRecord): number | undefined {
  const { state } = document
  if (!state) return undefined
  const [from, to] = [before, after].map((record) => String(record[state.property])) as [string, string]
  const isNewState = from !== to
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  if (state.transitions) {
    const known = [...state.transitions.flatMap((one) => [one.from, one.to]), 'A', state.closed]
    const transition = state.transitions.find((one) => one.from === from && one.to === to)
    if (isNewState && !known.includes(to)) return 422
    if (isNewState && !transition) return 409
    if (isNewState && transition?.roles?.every((role) => role === NOBODY)) return 403
    const rulesOf = (name: string) => state.states?.[name] ?? {}
    if (rulesOf(to).requires?.some((name) => (isNewState || isChanged(name)) && !isFilled(document, name, after)))
      return 422
    if (rulesOf(from).locks?.some(isChanged)) return 409
  }
  // Nothing newly refers to a closed record.
  const known = new Set(linesIn(before).map((line) => line[LINE]))
  return to === state.closed && linesIn(after).some((line) => !known.has(line[LINE])) ? 422 : undefined
}

function isFilled({ properties }: Family['document'], name: string, record: PlainRecord): boolean {
  const [property, value] = [properties[name], record[name]]
  if (Array.isArray(value)) return value.length > 0
  return !!property && 'type' in property && !isEmpty(property, value)
}
