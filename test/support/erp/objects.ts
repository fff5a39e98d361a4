// The object endpoints: collections with their options, their schemas, their counts.
import type { ErpClient } from './authentication.ts'
import type { Company } from './company.ts'
import type { Kind, Row } from './kind.ts'
import { type ErpAnswer, type ErpRequest, emptyAnswer, jsonAnswer, rowsText } from './message.ts'
import { count, EVERY, type Options, page, type Question, questionOf } from './query.ts'
import { coded, invalidQuery } from './refusal.ts'
import { type SchemaForm, schemaOf } from './schema.ts'

export interface ObjectHabits {
  readonly schema: SchemaForm
  /** Whether lists of rows are answered without a select too. */
  readonly hasLists: boolean
  /** Whether lines of JSON are understood. */
  readonly hasLines: boolean
  /** Whether ledger lines tell their state. */
  readonly tellsState: boolean
  /** The most rows; more are refused by faults. */
  readonly mostRows: number
}

export interface Asked {
  readonly kind: Kind
  readonly version: number
  readonly company: Company
  readonly client: ErpClient
  readonly options: Options
  readonly habits: ObjectHabits
}

const STATES = ['historical', 'posted', 'registered'] as const

export function answerObjects(request: ErpRequest, asked: Asked): ErpAnswer {
  const { kind, client, habits, company, options } = asked
  const accept = request.headers.accept ?? ''
  if (request.method === 'HEAD') return counted(asked)
  if (request.method !== 'GET') throw notAllowed(kind)
  if (kind.hasSchema && accept.includes('application/schema+json')) {
    const body = schemaOf(described(kind, habits), asked.version, habits.schema)
    return jsonAnswer(200, body, { 'Content-Type': 'application/schema+json' })
  }
  const isShown = shownBy(kind, options)
  const table = company.table(kind.name)
  const question = questionOf(table, options)
  const refs = client.hidden.has(kind.name) ? [] : page(table, question, isShown)
  if (refs.length > habits.mostRows) throw coded(500, 1000, 'Internal server error')
  const isLines = habits.hasLines && accept.includes('application/x-ndjson')
  const view = viewOf(asked, question)
  const rows = refs.values().map((ref) => view(table.rowOf(ref)))
  const type = isLines ? 'application/x-ndjson' : 'application/json; charset=utf-8'
  return { status: 200, headers: { 'Content-Type': type }, body: rowsText(rows, isLines), rows: refs.length }
}

function counted({ kind, company, client, options }: Asked): ErpAnswer {
  if (kind.countHeader === undefined) throw notAllowed(kind)
  const table = company.table(kind.name)
  const total = client.hidden.has(kind.name) ? 0 : count(table, questionOf(table, options), shownBy(kind, options))
  return emptyAnswer(200, { [kind.countHeader]: String(total) })
}

function notAllowed({ name, countHeader }: Kind) {
  const Allow = countHeader === undefined ? 'GET' : 'GET, HEAD'
  return coded(405, 1030, `The method is not allowed for ${name}.`, { Allow })
}

/** Which rows the options of the kind itself ask for. */
function shownBy(kind: Kind, options: Options): (row: Row) => boolean {
  if (kind.hasStates) {
    const asked = STATES.filter((state) => options.get(state)?.toLowerCase() === 'true')
    if (asked.length === 0) {
      throw invalidQuery('At least one of registered, posted, historical should be set to true.')
    }
    return asked.length === STATES.length ? EVERY : (row) => asked.some((state) => state === row.state)
  }
  const { isListed } = kind
  return isListed && !/\bstatus\b/i.test(options.get('filter') ?? '') ? isListed : EVERY
}

/** The kind as this ERP tells of it. */
export function described(kind: Kind, { tellsState }: ObjectHabits): Kind {
  if (!kind.hasStates || tellsState) return kind
  const { state: _, ...shape } = kind.shape
  return { ...kind, shape }
}

function viewOf({ kind, version, company, habits }: Asked, { project }: Question): (row: Row) => Row {
  if (project) return (row) => project(inVersion(company.withRelations(kind.name, row), kind, version))
  const drops = Object.entries(kind.shape)
    .filter(([name, member]) => ('list' in member ? !habits.hasLists : name === 'state' && !habits.tellsState))
    .map(([name]) => name)
  return (row) => {
    const whole = inVersion(habits.hasLists ? company.withRelations(kind.name, row) : row, kind, version)
    if (drops.length === 0) return whole
    return Object.fromEntries(Object.entries(whole).filter(([name]) => !drops.includes(name)))
  }
}

/** Purchase orders have their currency from version 2 on. */
function inVersion(row: Row, { name }: Kind, version: number): Row {
  if (name !== 'purchase-orders' || version > 1) return row
  return { ...row, amounts: { amount: (row.amounts as Row).amount! } }
}
