// Decides where a query runs: in the service's thread when it visits few rows, otherwise in a reader process. The
// chosen index determines the rows visited.

import type { StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { CarriedValues, getOrInsert } from '../../base/memo.ts'
import type { StoreMetrics } from '../../observe/store-metrics.ts'
import type { CompiledQuery, EdgeValue, ScanEstimate } from '../../sql/rows/compiled-query.ts'
import { visitsWithin } from '../../sql/rows/work.ts'
import { ROW_FORMS } from '../../store/answer-bytes.ts'
import type { ByteStream, CollectionQuery, CountQuery, QueryCaller, Snapshot } from '../../store/store.ts'
import { answerTooLarge } from '../../store/store-fault.ts'
import { authorizeReading, type Connection } from './dialect/connection.ts'
import { sqliteDialect } from './dialect/dialect.ts'
import { isTooBig, translateRead } from './dialect/faults.ts'
import { WorkLimitExceeded, WorkLimits } from './dialect/functions.ts'
import type { Snapshots } from './dialect/snapshots.ts'
import { Edges } from './edges.ts'
import type { ReaderPool } from './file/reader-pool.ts'

/** Query texts differ only in the positions of literals, so a few hundred prepared statements serve all of them. */
const PREPARED_QUERIES = 500
/** In characters: a statement takes about ten bytes for each. */
const PREPARED_TEXTS = 1_000_000
/** The units of work that may block all other requests: about 10 ms. */
const FEW_UNITS = 300_000
/** The maximum number of rows visited in that time. */
const FEW_ROWS = 2_000
/** The maximum number of index entries, for an index that covers all conditions. */
const FEW_ENTRIES = 20_000
/** Answers of at most this number of rows are fetched from a reader as one buffer. */
const BUFFERED_ROWS = 2_000
/** How long a query that found too few rows before the edge, or exceeded the work limit, goes directly to a reader. */
const USE_READER_MS = 30_000

/** A query as the dialect compiles it. */
interface EstimatedQuery extends CompiledQuery {
  readonly scanEstimate: ScanEstimate
  readonly byText?: EstimatedQuery
}

/** The cached state of a query, as long as its plan is cached. */
interface CachedQuery {
  readonly statement: StatementSync
  /** The search, when the database has chosen it. */
  readonly search: PlanSearch | undefined
  readerUntil: number
  /** The query restricted to the rows before an edge. */
  first?: { readonly edge: EdgeValue; readonly statement: StatementSync; readonly parameters: readonly EdgeValue[] }
}

export class Queries {
  readonly #prepareQuery: (text: string) => StatementSync
  readonly #snapshots: Snapshots
  readonly #readers: ReaderPool
  readonly #metrics: StoreMetrics
  readonly #statements = new LRUCache<string, StatementSync>({
    max: PREPARED_QUERIES,
    maxSize: PREPARED_TEXTS,
    sizeCalculation: (_statement, text) => text.length + 1,
  })
  readonly #cached = new CarriedValues<CompiledQuery, CachedQuery>()
  readonly #edges: Edges
  readonly #limits: WorkLimits

  constructor(connection: Connection, snapshots: Snapshots, readers: ReaderPool, metrics: StoreMetrics) {
    this.#prepareQuery = authorizeReading(connection)
    this.#snapshots = snapshots
    this.#limits = new WorkLimits(connection)
    this.#readers = readers
    this.#metrics = metrics
    this.#edges = new Edges((text) => this.#prepare(text))
  }

  async count(companyId: string, { compile, ...caller }: CountQuery): Promise<Snapshot<number>> {
    const query = this.#preferTextIndex((await compile(sqliteDialect)) as EstimatedQuery)
    const found = this.#answerInThread(companyId, query)
    const { content, changeNumber } = found ?? (await this.#readers.fetchValue(singleValue(companyId, query), caller))
    return { content: Number(content), changeNumber }
  }

  async collect(companyId: string, request: CollectionQuery): Promise<Snapshot<string | Uint8Array | ByteStream>> {
    const { format, cells, style, compile, isUrgent } = request
    if (format === 'json') {
      const query = this.#preferTextIndex((await compile(sqliteDialect, 'array')) as EstimatedQuery)
      const answer =
        this.#answerInThread(companyId, query) ?? (await this.#bufferedAnswer(companyId, query, request, isUrgent))
      if (answer !== undefined) return answer
    }
    const query = this.#preferTextIndex((await compile(sqliteDialect, ROW_FORMS[format])) as EstimatedQuery)
    const { text, parameters } = query
    // An unlimited export may take as long as it needs.
    const isBounded = query.rows !== Number.POSITIVE_INFINITY
    try {
      return await this.#readers.ask(
        { companyId, text, parameters, isSingleValue: false, format, cells, style, isBounded },
        request,
        isUrgent,
      )
    } catch (error) {
      throw isTooBig(error) ? answerTooLarge(error) : error
    }
  }

  /** Prefers the text index when it finds few rows. */
  #preferTextIndex(query: EstimatedQuery): EstimatedQuery {
    const { byText } = query
    return byText && this.#findsFew(byText) ? byText : query
  }

  #findsFew(query: EstimatedQuery): boolean {
    const { scanEstimate } = query
    const visits = visitsOf(query)
    return visits > 0 && this.#edges.find(scanEstimate, () => scanEstimate.edge(visits), false) === undefined
  }

  /** The first value of the answer; undefined when it may take long or is too long for one text. */
  #answerInThread(companyId: string, query: EstimatedQuery): Snapshot<string> | undefined {
    if (visitsOf(query) === 0) return undefined
    const cached = this.#cachedOf(query)
    if (performance.now() < cached.readerUntil) return undefined
    try {
      if (this.#visitsFew(query, cached)) {
        const { content, changeNumber } = this.#run(companyId, cached.statement, query.parameters)
        return { content: String(content[0]), changeNumber }
      }
      return this.#firstRows(companyId, query, cached)
    } catch (error) {
      if (!isTooBig(error) && !(error instanceof WorkLimitExceeded)) throw error
      cached.readerUntil = performance.now() + USE_READER_MS
      return undefined
    }
  }

  /** Fetches from a reader an answer of few rows, whose search may take long but which fits in one text. */
  async #bufferedAnswer(
    companyId: string,
    query: CompiledQuery,
    caller: QueryCaller,
    isUrgent: boolean,
  ): Promise<Snapshot<Uint8Array> | undefined> {
    if (query.rows > BUFFERED_ROWS) return undefined
    try {
      return await this.#readers.fetchValue(singleValue(companyId, query), caller, isUrgent)
    } catch (error) {
      if (isTooBig(error)) return undefined
      throw error
    }
  }

  #visitsFew(query: EstimatedQuery, { search }: CachedQuery): boolean {
    const { scanEstimate } = query
    const { plan, most, edge } = scanEstimate
    const visits = visitsOf(query)
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

  /** Most ordered searches end soon, so they are first tried up to the edge. */
  #firstRows(companyId: string, query: EstimatedQuery, cached: CachedQuery): Snapshot<string> | undefined {
    const { scanEstimate, rows } = query
    const { before, plan, most } = scanEstimate
    const visits = visitsOf(query)
    if (!before || !plan || most > visits) return undefined
    const edge = this.#edges.find(scanEstimate, () => scanEstimate.edge(visits), plan.isCovering)
    if (edge === undefined) return undefined
    if (cached.first?.edge !== edge) {
      const { text, parameters } = before(edge)
      cached.first = { edge, statement: this.#prepare(text), parameters }
    }
    const { statement, parameters } = cached.first
    const { content, changeNumber } = this.#run(companyId, statement, parameters)
    const [body, total] = content
    if (total === rows) return { content: String(body), changeNumber }
    cached.readerUntil = performance.now() + USE_READER_MS
    return undefined
  }

  #run(companyId: string, statement: StatementSync, parameters: readonly EdgeValue[]): Snapshot<readonly unknown[]> {
    const startedAt = performance.now()
    const row = () => statement.get(...parameters) as unknown as readonly unknown[]
    try {
      return this.#snapshots.read(companyId, (changeNumber) => ({ content: this.#limits.within(row), changeNumber }))
    } catch (error) {
      throw translateRead(error)
    } finally {
      this.#metrics.addQuery('service', performance.now() - startedAt)
    }
  }

  #cachedOf(query: EstimatedQuery): CachedQuery {
    const found = this.#cached.get(query)
    if (found) return found
    const { text, parameters, scanEstimate } = query
    const steps = scanEstimate.plan ? undefined : this.#prepare(`explain query plan ${text}`).all(...parameters)
    const cached = { statement: this.#prepare(text), search: steps && searchOf(steps), readerUntil: 0 }
    this.#cached.set(query, cached)
    return cached
  }

  #prepare(text: string): StatementSync {
    return getOrInsert(this.#statements, text, () => this.#prepareQuery(text))
  }
}

/** The query of a reader for the single value that it answers. */
function singleValue(companyId: string, { text, parameters }: CompiledQuery) {
  return { companyId, text, parameters, isSingleValue: true, format: 'json', cells: [] } as const
}

/** The number of rows or index entries that may be visited in this thread; 0 when a single one may cost too much. */
function visitsOf({ rows, scanEstimate: { work, plan, most } }: EstimatedQuery): number {
  const isSorted = plan !== undefined && !plan.isInOrder
  const { visit, answer } = work
  const each = isSorted ? { visit: visit + answer, answer } : work
  return visitsWithin(each, FEW_UNITS, Math.min(rows, most), plan?.isCovering ? FEW_ENTRIES : FEW_ROWS)
}

// Reads from SQLite's query plan how it would search an external table.

/** How the rows of the document's table are found. */
interface PlanSearch {
  /** The columns by which an index is searched. */
  readonly columns: ReadonlySet<string>
  /** The number of bounds of the search. */
  readonly bounds: number
  /** Whether the rows are found in the requested order. */
  readonly isInOrder: boolean
}

/**
 * How SQLite would search an external table, by rows of `explain query plan`; undefined when the document's table (`t`)
 * or another one is scanned.
 */
function searchOf(rows: readonly unknown[]): PlanSearch | undefined {
  const steps = (rows as readonly (readonly [id: number, parent: number, unused: number, detail: string])[]).map(
    ([, , , detail]) => detail,
  )
  let found: Pick<PlanSearch, 'columns' | 'bounds'> | undefined
  let isInOrder = true
  for (const step of steps) {
    if (step.startsWith('USE TEMP B-TREE')) isInOrder = false
    if (step.startsWith('SCAN') && !/^SCAN (\(|i\d+ VIRTUAL TABLE)/.test(step)) return undefined
    const search = /^SEARCH t USING .*\((.*)\)/.exec(step)
    if (!search) continue
    const bounds = (search[1] ?? '').split(' AND ')
    found = { columns: new Set(bounds.map((bound) => bound.replace(/[<>=]+\?$/, ''))), bounds: bounds.length }
  }
  return found && { ...found, isInOrder }
}
