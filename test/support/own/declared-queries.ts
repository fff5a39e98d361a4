// Random queries of the records of a declared document, answered by the service and by plain objects.
import fc from 'fast-check'
import { expect } from 'vitest'
import { parseExact } from '../../../src/base/long-number.ts'
import type { DocumentDefinition, Properties } from '../../../src/model/document.ts'
import { parseFilter } from '../../../src/query/parse/filter.ts'
import { parseOrderBy } from '../../../src/query/parse/order-by.ts'
import { parseSelect } from '../../../src/query/parse/select.ts'
import type { DocumentSetup, ListSetup, PropertySetup } from '../../../src/setup/file/document-schema.ts'
import { declaredRecordsOf } from '../../../src/setup/rules/declared-record.ts'
import { choose, evaluate, inOrder, type Row } from '../query-evaluator.ts'
import { queriesOf, type RandomQuery, typesOf } from '../random-query.ts'
import type { DeclaredDocument } from './declared-document.ts'
import { answeredAs } from './plain-family.ts'
import { keyOf } from './random-bodies.ts'
import { type Family, LINES } from './random-families.ts'
import { CODES } from './random-values.ts'

/** Compares answers to random queries, after the whole collection. */
export async function expectAnsweredAlike(
  tested: DeclaredDocument,
  documents: readonly DocumentSetup[],
  { numRuns, seed }: { readonly numRuns: number; readonly seed: number },
): Promise<void> {
  const { document } = tested
  const definition = declaredRecordsOf(documents).get(document.name)?.record.document
  if (!definition) throw new Error(`${document.name} is no record`)
  const properties = withinRecord(definition)
  const records = await readAll(tested, properties)
  await fc.assert(
    fc.asyncProperty(queriesOf(properties, records), async (asked) => {
      const address = `/v1/objects/${document.name}?${textOf(asked)}`
      const answer = await tested.send('GET', address)
      expect([answer.status, answer.status === 200 ? '' : `${address} ${answer.text}`]).toEqual([200, ''])
      expect({ ...asked, page: parseExact(answer.text) }).toEqual({
        ...asked,
        page: meantBy(asked, records, properties, definition.key),
      })
    }),
    { numRuns, seed },
  )
}

/** Without other records, and without lists that the plain objects do not have. */
function withinRecord({ properties }: DocumentDefinition): Properties {
  const isInside = ([name, { kind }]: [string, { kind: string }]) =>
    kind !== 'association' && name !== 'contactPoints' && name !== 'relatedValues'
  return Object.fromEntries(Object.entries(properties).filter(isInside))
}

/** The collection, which must be the records that are known, with the descriptions of their codes. */
async function readAll(tested: DeclaredDocument, properties: Properties): Promise<Row[]> {
  const lists = Object.keys(properties).filter((name) => properties[name]?.kind === 'list')
  const answer = await tested.send('GET', `/v1/objects/${tested.document.name}?select=${['*', ...lists].join(',')}`)
  const found = parseExact(answer.text) as Row[]
  const { family } = tested
  const ofRecord = ['companyId', 'lastUpdated', ...keyOf(family.document)]
  const ownLine = (line: Row) => Object.fromEntries(Object.entries(line).filter(([name]) => !ofRecord.includes(name)))
  const known = ({ lastUpdated: _, ...record }: Row) =>
    withoutZones(family.lines ? { ...record, [LINES]: (record[LINES] as Row[]).map(ownLine) } : record)
  const expected = tested.records.map((record) => withoutZones(answeredAs(family, record)))
  const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  expect(found.map(known).sort(byText)).toEqual(expected.sort(byText))
  return found.map((record) => ({
    ...record,
    ...described(tested.document, record),
    ...describedLines(family, record),
  }))
}

function describedLines({ lines }: Family, record: Row): Row {
  if (!lines) return {}
  return { [LINES]: (record[LINES] as Row[]).map((line) => ({ ...line, ...described(lines, line) })) }
}

/** Instants of collections have a zone, those of records have none. */
function withoutZones(record: object): object {
  return parseExact(JSON.stringify(record).replaceAll(/(\d{4}-\d\d-\d\dT[\d:.]{12})Z/g, '$1')) as object
}

type Members = ListSetup['list']

function described({ properties }: DocumentSetup, record: Row): Row {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
      if ('group' in property) return [[name, withTitles(property.group, record[name] as Row)]]
      if ('list' in property) return [[name, (record[name] as Row[]).map((item) => withTitles(property.list, item))]]
      return 'type' in property ? titleOf(name, property, record) : []
    }),
  )
}

const withTitles = (members: Members, row: Row): Row => ({
  ...row,
  ...Object.fromEntries(
    Object.entries(members).flatMap(([name, one]) =>
      'group' in one ? [[name, withTitles(one.group, row[name] as Row)]] : titleOf(name, one, row),
    ),
  ),
})

function titleOf(name: string, { legalValues }: PropertySetup, row: Row): [string, unknown][] {
  if (!legalValues) return []
  const codes = CODES[(legalValues.valueList ?? legalValues.attributeId) as keyof typeof CODES] as readonly string[]
  const code = String(row[name])
  return [[`${name}(description)`, codes.includes(code) ? `Title of ${code}` : '']]
}

function textOf({ select, filter, orderBy, offset, limit }: RandomQuery): string {
  const options = {
    select,
    filter,
    orderby: orderBy,
    offset: String(offset),
    limit: limit === undefined ? '' : String(limit),
  }
  return Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

function meantBy(asked: RandomQuery, records: readonly Row[], properties: Properties, key: readonly string[]): Row[] {
  const types = typesOf(properties)
  const tree = asked.filter === '' ? undefined : parseFilter(asked.filter)
  const met = records.filter((row) => !tree || evaluate(tree, row, types))
  const sorted = inOrder(met, asked.orderBy === '' ? [] : parseOrderBy(asked.orderBy), key)
  const page = sorted.slice(asked.offset, asked.limit === undefined ? undefined : asked.offset + asked.limit)
  const select = asked.select === '' ? undefined : parseSelect(asked.select)
  return page.map((row) => choose(row, properties, select))
}
