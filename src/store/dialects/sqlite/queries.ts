// Where a query runs: in the service itself when its plan shows that it finds what it answers in an index, or when
// there is little to look through; in a reader process otherwise.
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { StoreFigures } from '../../../observe/figures.ts'
import type { Expressions } from '../../compile/expressions.ts'
import type { SqlValue } from '../../statement.ts'
import type { CollectionQuery, CompiledQuery, Pieces } from '../../store.ts'
import { authorizeReading } from './authorizer.ts'
import { type Connection, firstColumn, prepareArrays } from './connection.ts'
import { sqliteExpressions } from './expressions.ts'
import { isTooBig, translate } from './faults.ts'
import type { ReaderPool } from './reader-pool.ts'

/** Query texts differ in their literals' places only, so a few hundred prepared statements serve all of them. */
const PREPARED_QUERIES = 500
/** Rows that may be visited while all other requests wait: some milliseconds. */
const FEW_ROWS = 2_000
const KNOWN_SIZES = 5_000
/** For how long what was small is taken for small. */
const SIZE_KNOWN_MS = 2_000

interface Prepared {
  readonly statement: StatementSync
  readonly search: Search | undefined
}

/** A row of `explain query plan`. */
type PlanStep = [id: number, parent: number, unused: number, detail: string]

/** How a plan looks for the rows of the document's own table. */
interface Search {
  /** The columns by which an index is searched. */
  readonly columns: ReadonlySet<string>
  /** How many bounds it is searched by. */
  readonly bounds: number
  /** Whether the rows are found in the order that is wanted. */
  readonly isInOrder: boolean
}

export class Queries {
  readonly #connection: Connection
  readonly #readers: ReaderPool
  readonly #figures: StoreFigures
  readonly #prepared = new LRUCache<string, Prepared>({ max: PREPARED_QUERIES })
  readonly #counts = new LRUCache<string, StatementSync>({ max: PREPARED_QUERIES })
  readonly #isSmall = new LRUCache<string, boolean>({ max: KNOWN_SIZES, ttl: SIZE_KNOWN_MS })

  /** While it is, the connection compiles what a caller has asked for. */
  #isPreparing = false

  constructor(connection: Connection, readers: ReaderPool, figures: StoreFigures) {
    this.#connection = connection
    authorizeReading(connection, () => this.#isPreparing)
    this.#readers = readers
    this.#figures = figures
  }

  async count(compile: (engine: Expressions) => CompiledQuery): Promise<number> {
    const query = compile(sqliteExpressions)
    const prepared = this.#prepare(query)
    if (this.#isSoonDone(query, prepared)) return Number(this.#run(prepared, query))
    const { text, parameters } = query
    const question = { text, parameters, isCount: true, format: 'json', cells: [] } as const
    let total = ''
    for await (const piece of await this.#readers.ask(question)) total += Buffer.from(piece).toString()
    return Number(total)
  }

  async collect({ format, cells, compile, onAbandoned, isUrgent }: CollectionQuery): Promise<string | Pieces> {
    if (format === 'json') {
      const query = compile(sqliteExpressions, 'array')
      const prepared = this.#prepare(query)
      if (this.#isSoonDone(query, prepared)) {
        const answer = this.#runUnlessTooBig(prepared, query)
        if (answer !== undefined) return answer
      }
    }
    const { text, parameters } = compile(sqliteExpressions, format === 'csv' ? 'cells' : 'rows')
    return this.#readers.ask({ text, parameters, isCount: false, format, cells }, onAbandoned, isUrgent)
  }

  /** Whether few rows are visited: an index finds just those that are answered, or few from which they are chosen. */
  #isSoonDone(query: CompiledQuery, { search }: Prepared): boolean {
    const { most, terms, table, scope } = query.reach
    if (search && terms !== undefined && search.isInOrder && search.bounds >= terms && most <= FEW_ROWS) return true
    const scopeColumns = new Set(scope.map(([column]) => column))
    if (this.#areFewWithin(query, scopeColumns, () => `${table} ${JSON.stringify(scope)}`)) return true
    if (!search || search.columns.size <= scopeColumns.size) return false
    return this.#areFewWithin(query, search.columns, () => query.text + JSON.stringify(query.parameters))
  }

  #areFewWithin({ reach }: CompiledQuery, columns: ReadonlySet<string>, keyOf: () => string): boolean {
    const key = keyOf()
    const known = this.#isSmall.get(key)
    if (known !== undefined) return known
    const { text, parameters } = reach.within(columns, FEW_ROWS + 1)
    const isSmall = (this.#count(text, parameters) ?? 0) <= FEW_ROWS
    this.#isSmall.set(key, isSmall)
    return isSmall
  }

  #count(text: string, parameters: readonly SqlValue[]): number {
    let statement = this.#counts.get(text)
    if (!statement) {
      statement = this.#prepareArrays(text)
      this.#counts.set(text, statement)
    }
    return firstColumn(statement, parameters) as number
  }

  /** Nothing for an answer that is too long to be one text: it is read in pieces instead. */
  #runUnlessTooBig(prepared: Prepared, query: CompiledQuery): string | undefined {
    try {
      return String(this.#run(prepared, query))
    } catch (error) {
      if (isTooBig(error)) return undefined
      throw error
    }
  }

  #run({ statement }: Prepared, { parameters }: CompiledQuery): unknown {
    const startedAt = performance.now()
    try {
      return firstColumn(statement, parameters)
    } catch (error) {
      throw translate(error)
    } finally {
      this.#figures.queries.service.add(performance.now() - startedAt)
    }
  }

  #prepareArrays(text: string): StatementSync {
    this.#isPreparing = true
    try {
      return prepareArrays(this.#connection, text)
    } finally {
      this.#isPreparing = false
    }
  }

  #prepare({ text, parameters }: CompiledQuery): Prepared {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#prepareArrays(text)
    const steps = this.#prepareArrays(`explain query plan ${text}`).all(...parameters) as unknown as PlanStep[]
    const prepared = { statement, search: searchOf(steps.map(([, , , detail]) => detail)) }
    this.#prepared.set(text, prepared)
    return prepared
  }
}

/** Reads a query plan: nothing when it scans the document's own table (`t`) or another. */
function searchOf(steps: readonly string[]): Search | undefined {
  let found: Pick<Search, 'columns' | 'bounds'> | undefined
  let isInOrder = true
  for (const step of steps) {
    if (step.startsWith('USE TEMP B-TREE')) isInOrder = false
    if (step.startsWith('SCAN') && !/^SCAN (\(|i\d+ VIRTUAL TABLE)/.test(step)) return undefined
    const own = /^SEARCH t USING .*\((.*)\)/.exec(step)
    if (!own) continue
    const bounds = (own[1] ?? '').split(' AND ')
    found = { columns: new Set(bounds.map((bound) => bound.replace(/[<>=]+\?$/, ''))), bounds: bounds.length }
  }
  return found && { ...found, isInOrder }
}
