// Where a query runs: in the service itself when it visits few rows, and in a reader process otherwise. The chosen index
// says which rows those are.
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { StoreFigures } from '../../../observe/figures.ts'
import type { Expressions } from '../../compile/expressions.ts'
import type { CollectionQuery, CompiledQuery, EdgeValue, Pieces } from '../../store.ts'
import { authorizeReading } from './authorizer.ts'
import { type Connection, prepareArrays } from './connection.ts'
import { Edges } from './edges.ts'
import { sqliteExpressions } from './expressions.ts'
import { isTooBig, translate } from './faults.ts'
import type { ReaderPool } from './reader-pool.ts'
import { type Search, searchOf } from './search-of-plan.ts'

/** Query texts differ in their literals' places only, so a few hundred prepared statements serve all of them. */
const PREPARED_QUERIES = 500
/** Rows that may be visited while all other requests wait: some milliseconds. */
const FEW_ROWS = 2_000
/** The same of entries of an index that has all conditions in it. */
const FEW_ENTRIES = 20_000
/** Answers with so many rows are read from a reader as a whole. */
const WHOLE_ROWS = 2_000
/** For how long a question that found too little before the edge is not tried there again. */
const LONG_KNOWN_MS = 30_000

/** What is kept of a query that was asked, as long as its plan is. */
interface Known {
  readonly statement: StatementSync
  /** How it is searched, when the database has chosen. */
  readonly search: Search | undefined
  longUntil: number
  /** The query up to an edge. */
  first?: { readonly edge: EdgeValue; readonly statement: StatementSync; readonly parameters: readonly EdgeValue[] }
}

export class Queries {
  readonly #connection: Connection
  readonly #readers: ReaderPool
  readonly #figures: StoreFigures
  readonly #statements = new LRUCache<string, StatementSync>({ max: PREPARED_QUERIES })
  readonly #known = new WeakMap<CompiledQuery, Known>()
  readonly #edges: Edges

  /** While it is, the connection compiles what a caller has asked for. */
  #isPreparing = false

  constructor(connection: Connection, readers: ReaderPool, figures: StoreFigures) {
    this.#connection = connection
    authorizeReading(connection, () => this.#isPreparing)
    this.#readers = readers
    this.#figures = figures
    this.#edges = new Edges((text) => this.#prepare(text))
  }

  async count(compile: (engine: Expressions) => CompiledQuery): Promise<number> {
    const query = this.#narrowest(compile(sqliteExpressions))
    const known = this.#knownOf(query)
    if (this.#visitsFew(query, known)) return Number(this.#run(known.statement, query.parameters)[0])
    const { text, parameters } = query
    return Number(await this.#readers.whole({ text, parameters, isWhole: true, format: 'json', cells: [] }))
  }

  async collect(question: CollectionQuery): Promise<string | Uint8Array | Pieces> {
    const { format, cells, compile, onAbandoned, isUrgent } = question
    if (format === 'json') {
      const query = this.#narrowest(compile(sqliteExpressions, 'array'))
      const answer = this.#answerHere(query) ?? (await this.#wholeAnswer(query, onAbandoned, isUrgent))
      if (answer !== undefined) return answer
    }
    const { text, parameters } = this.#narrowest(compile(sqliteExpressions, format === 'csv' ? 'cells' : 'rows'))
    return this.#readers.ask({ text, parameters, isWhole: false, format, cells }, onAbandoned, isUrgent)
  }

  /** By the text index where that finds few rows. */
  #narrowest(query: CompiledQuery): CompiledQuery {
    const { byText } = query
    return byText && this.#edges.find(byText, () => byText.reach.edge(FEW_ROWS), false) === undefined ? byText : query
  }

  /** Nothing when many rows may have to be visited, or when the answer is too long to be one text. */
  #answerHere(query: CompiledQuery): string | undefined {
    const known = this.#knownOf(query)
    try {
      if (this.#visitsFew(query, known)) return String(this.#run(known.statement, query.parameters)[0])
      return this.#firstRows(query, known)
    } catch (error) {
      if (isTooBig(error)) return undefined
      throw error
    }
  }

  /** An answer that a few rows may be long searched for, but not be too long for one text. */
  async #wholeAnswer(
    { text, parameters, reach }: CompiledQuery,
    onAbandoned: CollectionQuery['onAbandoned'],
    isUrgent: boolean,
  ): Promise<Uint8Array | undefined> {
    if (reach.rows > WHOLE_ROWS) return undefined
    try {
      const question = { text, parameters, isWhole: true, format: 'json', cells: [] } as const
      return await this.#readers.whole(question, onAbandoned, isUrgent)
    } catch (error) {
      if (isTooBig(error)) return undefined
      throw error
    }
  }

  #visitsFew({ reach }: CompiledQuery, { search }: Known): boolean {
    const { plan, most, edge } = reach
    if (plan) {
      if (plan.isExact && plan.isInOrder && most <= FEW_ROWS) return true
      return this.#edges.find(reach, () => edge(visitsOf(plan)), plan.isCovering) === undefined
    }
    if (search?.isInOrder && search.bounds >= (reach.bounds ?? Number.POSITIVE_INFINITY) && most <= FEW_ROWS)
      return true
    if (this.#edges.find(reach, () => edge(FEW_ROWS), false) === undefined) return true
    return search !== undefined && this.#edges.find(search, () => edge(FEW_ROWS, search.columns), false) === undefined
  }

  /** Most searches in order end soon: they are tried up to the edge of what may be visited here. */
  #firstRows({ reach }: CompiledQuery, known: Known): string | undefined {
    const { before, plan, most, rows } = reach
    if (!before || !plan || most > FEW_ROWS || performance.now() < known.longUntil) return undefined
    const edge = this.#edges.find(reach, () => reach.edge(visitsOf(plan)), plan.isCovering)
    if (edge === undefined) return undefined
    if (known.first?.edge !== edge) {
      const { text, parameters } = before(edge)
      known.first = { edge, statement: this.#prepare(text), parameters }
    }
    const [body, total] = this.#run(known.first.statement, known.first.parameters)
    if (total === rows) return String(body)
    known.longUntil = performance.now() + LONG_KNOWN_MS
    return undefined
  }

  #run(statement: StatementSync, parameters: readonly EdgeValue[]): readonly unknown[] {
    const startedAt = performance.now()
    try {
      return statement.get(...parameters) as unknown as readonly unknown[]
    } catch (error) {
      throw translate(error)
    } finally {
      this.#figures.queries.service.add(performance.now() - startedAt)
    }
  }

  #knownOf(query: CompiledQuery): Known {
    const found = this.#known.get(query)
    if (found) return found
    const { text, parameters, reach } = query
    const steps = reach.plan ? undefined : this.#prepare(`explain query plan ${text}`).all(...parameters)
    const known = { statement: this.#prepare(text), search: steps && searchOf(steps), longUntil: 0 }
    this.#known.set(query, known)
    return known
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    this.#isPreparing = true
    try {
      const statement = prepareArrays(this.#connection, text)
      this.#statements.set(text, statement)
      return statement
    } finally {
      this.#isPreparing = false
    }
  }
}

function visitsOf({ isCovering }: NonNullable<CompiledQuery['reach']['plan']>): number {
  return isCovering ? FEW_ENTRIES : FEW_ROWS
}
