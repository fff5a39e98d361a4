// The same edge-case records in each store, all documents that serve them, and answers in a form that can be compared.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { LongNumber, roundTrips } from '../../src/base/long-number.ts'
import type { DocumentDefinition } from '../../src/model/document.ts'
import { AttributeRelation } from '../../src/model/records/attribute-relation.ts'
import { AttributeValue } from '../../src/model/records/attribute-value.ts'
import { ledgerDocument } from '../../src/objects/general-ledger-transactions.ts'
import { attributeDocument, companyDocument, valueListDocument } from '../../src/objects/setup-documents.ts'
import { customerDocument } from '../../src/records/kinds/customer-document.ts'
import { declaredDefinition, externalTableDefinition } from '../../src/setup/rules/external-document.ts'
import type { KeyFilter } from '../../src/sql/rows/compiled-query.ts'
import type { AnswerFormat } from '../../src/store/answer-bytes.ts'
import type { Store } from '../../src/store/store.ts'
import { edgeCaseRows } from './edge-case-rows.ts'
import { JOBS, jobRows, jobStatements } from './external-jobs.ts'
import { insertRows } from './object-records.ts'
import { plainRecords } from './plain-records.ts'
import type { Row } from './query-evaluator.ts'
import { SEED } from './reliability-test.ts'
import { STORE_KINDS, startWorld, type World } from './world.ts'

const SETUP = 'test/fixtures/objects.yaml'
export const COMPANY = 'EN'
/** The last one has no descriptions. */
export const LANGUAGES = ['EN', 'NO', 'SV'] as const

/** The same for every test of a run. */

const rows = { ...edgeCaseRows(SEED), foreign_job: jobRows(SEED) }
const records = Object.fromEntries(LANGUAGES.map((one) => [one, plainRecords(rows, COMPANY, one)]))
export const recordsOf = (name: string, language: string) => records[language]?.[name] ?? []

type Started = Awaited<ReturnType<typeof startWorld>>

/** One of each store, from `startWorlds` on. */
export const worlds: Started[] = []
const jobs = new Map<World, DocumentDefinition>()

export async function startWorlds(): Promise<void> {
  for (const kind of STORE_KINDS) {
    const world = await startWorld(kind, SETUP)
    worlds.push(world)
    const { foreign_job, ...own } = rows
    for (const [table, lines] of Object.entries(own)) {
      await world.query(`delete from ${table}`)
      await insertRows(world, table, lines as never)
    }
    for (const statement of jobStatements(kind, foreign_job)) await world.query(statement)
    jobs.set(world, externalTableDefinition(JOBS, await world.application.service.store.columnsOf('foreign_job')))
  }
}

/** The next file of the same process starts its own. */
export async function stopWorlds(): Promise<void> {
  for (const world of worlds.splice(0)) await world.stop()
}

export interface ServedDocument {
  readonly name: string
  readonly of: (world: World) => DocumentDefinition
  readonly scope?: KeyFilter
  /** Whether a record is in the document's scope. */
  readonly isInScope?: (record: Row) => boolean
  /** Members with the same value in every record. */
  readonly fixed?: Row
}

const rulesOf = (world: World) => world.application.service.companies.require(COMPANY)
const STATES = ['posted', 'historical']
const today = companyDocument({ constant: 202_611 })
const workOrders = declaredDefinition(parse(readFileSync(SETUP, 'utf8')).documents[0])

export const DOCUMENTS: readonly ServedDocument[] = [
  { name: 'attribute-values', of: () => AttributeValue.document },
  { name: 'attribute-relations', of: () => AttributeRelation.document },
  { name: 'attributes', of: () => attributeDocument },
  { name: 'companies', of: () => companyDocument({ column: 'current_period' }) },
  { name: 'companies', of: () => today, fixed: { currentAccountingPeriod: 202_611 } },
  { name: 'value-list', of: () => valueListDocument, scope: [['is_fallback', 0]] },
  { name: 'customers', of: (world) => customerDocument(rulesOf(world)) },
  { name: 'general-ledger-transactions', of: (world) => ledgerDocument(customerDocument(rulesOf(world))) },
  {
    name: 'general-ledger-transactions',
    of: (world) => ledgerDocument(customerDocument(rulesOf(world))),
    scope: [['state', STATES]],
    isInScope: ({ state }) => STATES.includes(String(state)),
  },
  { name: 'work-orders', of: () => workOrders },
  { name: 'jobs', of: (world) => jobs.get(world) ?? workOrders },
]

export async function textOf(answer: Awaited<ReturnType<Store['collect']>>['content']): Promise<string> {
  if (typeof answer === 'string') return answer
  return Buffer.concat(answer instanceof Uint8Array ? [answer] : await Array.fromAsync(answer)).toString()
}

/** An integer that no number holds is a bigint. */
export function numberIn(text: string): number | bigint | LongNumber {
  const isLarge = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))
  if (isLarge) return BigInt(text)
  return roundTrips(text, Number(text)) ? Number(text) : new LongNumber(text)
}

export function parsed(body: string): unknown {
  const reviver = (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? numberIn(context?.source ?? '') : value
  return JSON.parse(body, reviver as (name: string, value: unknown) => unknown)
}

export const written = (value: unknown) =>
  JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `${one}n` : one))

/** A number of a list, whose quotes are doubled in a cell. */
const NUMBER_IN_CELL = /(?<="":)-?\d[\d.eE+-]*/g
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** The body as each store has it, byte for byte, apart from the notation of numbers (1e+15 or 1000000000000000). */
export function alikeEverywhere(body: string, format: AnswerFormat): string {
  const numbers = format === 'csv' ? NUMBER_IN_CELL : STRING_OR_NUMBER
  return body.replaceAll(numbers, (text) => (text.startsWith('"') ? text : written(numberIn(text))))
}
