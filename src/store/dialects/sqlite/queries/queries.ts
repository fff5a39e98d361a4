// Where a query runs: in the service itself when it visits few rows, and in a reader process otherwise. The chosen
// index says which rows those are.
import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { StoreMetrics } from '../../../../observe/figures.ts'
import { visitsWithin } from '../../../compile/work.ts'
import type { Asker, ByteStream, CollectionQuery, CompiledQuery, CountQuery, EdgeValue } from '../../../store.ts'
import { answerTooLarge } from '../../../store-fault.ts'
import { authorizeReading } from '../authorizer.ts'
import { type Connection, prepareArrays } from '../connection.ts'
import { sqliteExpressions } from '../expressions.ts'
import { isTooBig, translate } from '../faults.ts'
import { OutOfReach, Reach } from '../functions/reach.ts'
import { type PlanSearch, searchOf } from '../indexes/search-of-plan.ts'
import type { ReaderPool } from '../processes/reader-pool.ts'
import { Edges } from './edges.ts'

/** Query texts differ in their literals' places only, so a few hundred prepared statements serve all of them. */
const PREPARED_QUERIES = 500
/** In characters: a statement takes some ten bytes for each. */
const PREPARED_TEXTS = 1_000_000
/** Units of work that may be done while all other requests wait: some 10 ms. */
const FEW_UNITS = 300_000
/** Rows that may be visited in that time at most. */
const FEW_ROWS = 2_000
/** The same of entries of an index that has all conditions in it. */
const FEW_ENTRIES = 20_000
/** Answers with so many rows are read from a reader as a whole. */
const WHOLE_ROWS = 2_000
/**
 * For how long a question that found too little before the edge, or too much to be gone through, is not tried again.
 */
const LONG_KNOWN_MS = 30_000

/** What is kept of a query that was asked, as long as its plan is. */
interface Known {
  readonly statement: StatementSync
  /** How it is searched, when the database has chosen. */
  readonly search: PlanSearch | undefined
  longUntil: number
  /** The query up to an edge. */
  first?: { readonly edge: EdgeValue; readonly statement: StatementSync; readonly parameters: readonly EdgeValue[] }
}

export class Queries {
  readonly #connection: Connection
  readonly #readers: ReaderPool
  readonly #figures: StoreMetrics
  readonly #statements = new LRUCache<string, StatementSync>({
    max: PREPARED_QUERIES,
    maxSize: PREPARED_TEXTS,
    sizeCalculation: (_statement, text) => text.length + 1,
  })
  readonly #known = new WeakMap<CompiledQuery, Known>()
  readonly #edges: Edges
  readonly #reach: Reach

  /** While it is, the connection compiles what a caller has asked for. */
  #isPreparing = false

  constructor(connection: Connection, readers: ReaderPool, figures: StoreMetrics) {
    this.#connection = connection
    authorizeReading(connection, () => this.#isPreparing)
    this.#reach = new Reach(connection)
    this.#readers = readers
    this.#figures = figures
    this.#edges = new Edges((text) => this.#prepare(text))
  }

  async count({ compile, ...asker }: CountQuery): Promise<number> {
    const query = this.#narrowest(compile(sqliteExpressions))
    const here = this.#answerHere(query)
    if (here !== undefined) return Number(here)
    const { text, parameters } = query
    const question = { text, parameters, isWhole: true, format: 'json', cells: [] } as const
    return Number(await this.#readers.whole(question, asker))
  }

  async collect(question: CollectionQuery): Promise<string | Uint8Array | ByteStream> {
    const { format, cells, compile, isUrgent } = question
    if (format === 'json') {
      const query = this.#narrowest(compile(sqliteExpressions, 'array'))
      const answer = this.#answerHere(query) ?? (await this.#wholeAnswer(query, question, isUrgent))
      if (answer !== undefined) return answer
    }
    const query = this.#narrowest(compile(sqliteExpressions, format === 'csv' ? 'cells' : 'rows'))
    const { text, parameters } = query
    // An export may take as long as it has rows.
    const isBounded = query.scanEstimate.rows !== Number.POSITIVE_INFINITY
    try {
      return await this.#readers.ask({ text, parameters, isWhole: false, format, cells, isBounded }, question, isUrgent)
    } catch (error) {
      throw isTooBig(error) ? answerTooLarge(error) : error
    }
  }

  /** By the text index where that finds few rows. */
  #narrowest(query: CompiledQuery): CompiledQuery {
    const { byText } = query
    return byText && this.#findsFew(byText) ? byText : query
  }

  #findsFew({ scanEstimate }: CompiledQuery): boolean {
    const visits = visitsOf(scanEstimate)
    return visits > 0 && this.#edges.find(scanEstimate, () => scanEstimate.edge(visits), false) === undefined
  }

  /** The first value of the answer; nothing when it may take long, or when it is too long to be one text. */
  #answerHere(query: CompiledQuery): string | undefined {
    if (visitsOf(query.scanEstimate) === 0) return undefined
    const known = this.#knownOf(query)
    if (performance.now() < known.longUntil) return undefined
    try {
      if (this.#visitsFew(query, known)) return String(this.#run(known.statement, query.parameters)[0])
      return this.#firstRows(query, known)
    } catch (error) {
      if (!isTooBig(error) && !(error instanceof OutOfReach)) throw error
      known.longUntil = performance.now() + LONG_KNOWN_MS
      return undefined
    }
  }

  /** An answer that a few rows may be long searched for, but not be too long for one text. */
  async #wholeAnswer(
    { text, parameters, scanEstimate }: CompiledQuery,
    asker: Asker,
    isUrgent: boolean,
  ): Promise<Uint8Array | undefined> {
    if (scanEstimate.rows > WHOLE_ROWS) return undefined
    try {
      const question = { text, parameters, isWhole: true, format: 'json', cells: [] } as const
      return await this.#readers.whole(question, asker, isUrgent)
    } catch (error) {
      if (isTooBig(error)) return undefined
      throw error
    }
  }

  #visitsFew({ scanEstimate }: CompiledQuery, { search }: Known): boolean {
    const { plan, most, edge } = scanEstimate
    const visits = visitsOf(scanEstimate)
    if (plan) {
      if (plan.isExact && plan.isInOrder && most <= visits) return true
      return this.#edges.find(scanEstimate, () => edge(visits), plan.isCovering) === undefined
    }
    if (search) {
      if (search.isInOrder && search.bounds >= (scanEstimate.bounds ?? Number.POSITIVE_INFINITY) && most <= visits)
        return true
      return this.#edges.find(search, () => edge(visits, search.columns), false) === undefined
    }
    return this.#edges.find(scanEstimate, () => edge(visits), false) === undefined
  }

  /** Most searches in order end soon: they are tried up to the edge of what may be visited here. */
  #firstRows({ scanEstimate }: CompiledQuery, known: Known): string | undefined {
    const { before, plan, most, rows } = scanEstimate
    const visits = visitsOf(scanEstimate)
    if (!before || !plan || most > visits) return undefined
    const edge = this.#edges.find(scanEstimate, () => scanEstimate.edge(visits), plan.isCovering)
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
      return this.#reach.within(() => statement.get(...parameters) as unknown as readonly unknown[])
    } catch (error) {
      throw translate(error)
    } finally {
      this.#figures.queries.service.add(performance.now() - startedAt)
    }
  }

  #knownOf(query: CompiledQuery): Known {
    const found = this.#known.get(query)
    if (found) return found
    const { text, parameters, scanEstimate } = query
    const steps = scanEstimate.plan ? undefined : this.#prepare(`explain query plan ${text}`).all(...parameters)
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

/** How many rows, or entries of an index, may be visited here; none where one of them may cost too much. */
function visitsOf({ work, plan, rows, most }: CompiledQuery['scanEstimate']): number {
  const isSorted = plan !== undefined && !plan.isInOrder
  const { visit, answer } = work
  const each = isSorted ? { visit: visit + answer, answer } : work
  return visitsWithin(each, FEW_UNITS, Math.min(rows, most), plan?.isCovering ? FEW_ENTRIES : FEW_ROWS)
}
