// Pages on PostgreSQL: the selection is computed for the rows of the page only, however many are skipped or sorted.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { ledgerDocument } from '../../src/objects/general-ledger-transactions.ts'
import { readOptions } from '../../src/query/options.ts'
import { planCollection } from '../../src/query/plan.ts'
import { customerDocument } from '../../src/records/kinds/customer-document.ts'
import { compileCollection } from '../../src/sql/compile/compile-query.ts'
import type { AnswerForm } from '../../src/sql/rows/compiled-query.ts'
import { insertManyLines, startObjects } from '../support/object-records.ts'
import { STORE_KINDS, type World } from '../support/world.ts'

const LINES = 20_000
const LIMIT = 10
const LEDGER = ledgerDocument(customerDocument(undefined))

/** A node of a plan as `explain (format json)` reports it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Subplan Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  /** The columns and expressions that the node hands on. */
  readonly Output?: readonly string[]
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describe.runIf(STORE_KINDS.includes('postgres'))('A page on PostgreSQL', () => {
  let world: World & { stop(): Promise<void> }
  let session: pg.Client
  beforeAll(async () => {
    world = await startObjects('postgres')
    await insertManyLines(world, LINES)
    await world.query(
      `update ledger_transaction set amount = (transaction_number * 7919) % ${LINES},
        customer_id = case transaction_number % 2 when 0 then '' else 'X' || (transaction_number % 5000) end`,
    )
    await world.query(`insert into customer (company_id, customer_id, customer_name)
      select 'EN', 'X' || n, 'Customer ' || n from generate_series(1, 5000) n`)
    await world.query('analyze')
    session = new pg.Client({ connectionString: world.databaseUrl() })
    await session.connect()
    await session.query("select set_config('tabularium.company', 'EN', false)")
  })
  afterAll(async () => {
    await session.end()
    await world.stop()
  })

  const compiled = (options: Record<string, string>, form: AnswerForm) => {
    const plan = planCollection(LEDGER, readOptions(Object.entries({ ...options, limit: String(LIMIT) })))
    return compileCollection(plan, [['company_id', 'EN']], postgresDialect, { form })
  }

  /** `before`: the start of the statement, such as the declaration of a cursor. */
  const planOf = async (options: Record<string, string>, form: AnswerForm, before = ''): Promise<PlanNode[]> => {
    const { text, parameters } = compiled(options, form)
    const { rows } = await session.query(`explain (analyze, verbose, format json) ${before}${text}`, [...parameters])
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  }

  const QUESTIONS = {
    'far behind': { offset: '15000' },
    'in an order that no index gives': { orderby: 'amounts/amount desc' },
    'in such an order, far behind': { orderby: 'amounts/amount desc', offset: '15000' },
  }
  const questions = Object.entries(QUESTIONS)

  for (const form of ['array', 'rows'] as const) {
    it.each(questions)(`makes the JSON of its rows alone: ${form}, %s`, async (_name, options) => {
      const nodes = await planOf(options, form)
      const made = nodes.filter((node) => node['Subplan Name']?.startsWith('SubPlan'))
      // accountingInformation, amounts and lastUpdated are JSON of their own.
      expect(made.map((node) => node['Actual Loops'])).toEqual([LIMIT, LIMIT, LIMIT])
    })
  }

  /** Answers of more than some thousand rows are read by a cursor. */
  const CURSOR = 'declare answer no scroll cursor for '
  /** How an amount is made a member or a cell. */
  const MADE = 'trim_scale('

  for (const form of ['array', 'start', 'rows', 'cells', 'tuples'] as const) {
    for (const before of ['', CURSOR]) {
      it.each(questions)(`makes the values of its rows alone: ${before}${form}, %s`, async (_name, options) => {
        const nodes = await planOf(options, form, before)
        const making = nodes.filter(({ Output = [] }) => Output.some((one) => one.includes(MADE)))
        expect(making).not.toEqual([])
        for (const one of making) expect(one['Actual Rows'] * one['Actual Loops']).toBeLessThanOrEqual(LIMIT)
      })
    }
  }

  it.each(['array', 'rows', 'cells', 'tuples'] as const)(
    'sorts keys alone where many are skipped: %s',
    async (form) => {
      const nodes = await planOf(QUESTIONS['in such an order, far behind'], form)
      const sorted = nodes.filter((node) => node['Node Type'] === 'Sort' && node['Actual Rows'] > LIMIT)
      expect(sorted).toHaveLength(1)
      const columns = sorted[0]?.Output?.map((one) => one.replace(/^.*\.|\)$/g, ''))
      expect(new Set(columns)).toEqual(new Set(['transaction_number', 'sequence_number', 'amount']))
    },
  )

  it('finds the lines of a customer in the partial index, however often the statement was executed', async () => {
    const { text, parameters } = compiled({ filter: "customerId eq 'X7'" }, 'array')
    const values = parameters.map((one) => `'${one}'`).join(', ')
    await session.query(`prepare lines as ${text}`)
    // After five executions PostgreSQL would choose a plan for any value, if that was as cheap.
    for (let time = 0; time < 7; time++) await session.query(`execute lines (${values})`)
    const { rows } = await session.query(`explain (format json) execute lines (${values})`)
    await session.query('deallocate lines')
    const names = nodesOf(rows[0]['QUERY PLAN'][0].Plan).flatMap((node) => node['Index Name'] ?? [])
    expect(names).toEqual(['ledger_customer'])
  })

  const linesOf = async (filter: string, select = 'transactionNumber') => {
    const query = new URLSearchParams({ posted: 'true', filter, select, orderBy: 'transactionNumber desc', limit: '5' })
    const url = `/v1/objects/general-ledger-transactions?${query}`
    const { status, json } = await world.send({ as: 'integration', method: 'GET', url })
    expect(status).toBe(200)
    return (json as { transactionNumber: number }[]).map((line) => line.transactionNumber)
  }

  it('answers each value rightly by one plan for all, also the one that its index leaves out', async () => {
    // From the second on, a session has the plan for all values.
    for (const no of [7, 9, 11, 13, 4_999, 7]) {
      const numbers = [20, 15, 10, 5, 0].map((thousands) => 100_000 + thousands * 1_000 + no)
      expect(await linesOf(`customerId eq 'X${no}'`)).toEqual(numbers.filter((one) => one <= 100_000 + LINES))
    }
    for (let time = 0; time < 3; time++) {
      const found = await linesOf("customerId eq ''")
      expect(found).toHaveLength(5)
      expect(found[0]).toBeGreaterThan(100_000 + LINES - 3)
    }
  })

  it('finds the lines of no customer without it', async () => {
    const nodes = await planOf({ filter: "customerId eq ''" }, 'array')
    expect(nodes.map((node) => node['Index Name'])).not.toContain('ledger_customer')
    expect(nodes.find((node) => node['Node Type'] === 'Limit')?.['Actual Rows']).toBe(LIMIT)
  })

  it.each(questions)('looks up descriptions and associations for its rows alone: %s', async (_name, options) => {
    const select = 'accountingInformation(account[C;T]),customer(customerName)'
    const nodes = await planOf({ ...options, select }, 'array')
    const lookUps = nodes.filter((node) => ['attribute_value', 'customer'].includes(node['Relation Name'] ?? ''))
    expect(lookUps).toHaveLength(2)
    for (const { 'Actual Loops': times } of lookUps) expect(times).toBeLessThanOrEqual(LIMIT)
  })

  it('skips rows far behind in an index alone, and looks up those of the page', async () => {
    await world.query('vacuum ledger_transaction')
    const nodes = await planOf({ offset: '15000' }, 'array')
    const reads = nodes.filter((node) => node['Relation Name'] === 'ledger_transaction')
    expect(reads.map((node) => [node['Node Type'], node['Actual Loops']])).toEqual([
      ['Index Only Scan', 1],
      ['Index Scan', LIMIT],
    ])
  })

  it('needs no second sort for an association where the page comes in the order of an index', async () => {
    const nodes = await planOf({ select: 'transactionNumber,customer(customerName)', offset: '20' }, 'array')
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
  })
})
