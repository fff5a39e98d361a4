// Records slow queries by their shape: document, filter, groups and order, without any values.
import { LRUCache } from 'lru-cache'
import type { Observe } from '../observe/observation.ts'
import type { StoreMetrics } from '../observe/store-metrics.ts'
import { filterShape, orderShape, pathsOf, withoutKinds } from '../query/shape.ts'
import type { Requested } from '../sql/rows/search.ts'

/** The shape of a slow query. Its JSON identifies it. */
export interface QueryShape {
  readonly filter?: string
  readonly order?: string
  /** For groups of records: the properties of the groups, and those that functions read of each record. */
  readonly groups?: { readonly by: readonly string[]; readonly reads: readonly string[] }
  /** Columns that endpoint parameters restrict, apart from the company. */
  readonly scope?: readonly { readonly column: string; readonly isNumber: boolean; readonly isList: boolean }[]
  readonly isCount?: true
}

export interface SlowQuery {
  readonly document: string
  /** A `QueryShape` as JSON. */
  readonly question: string
  seen: number
  totalMs: number
  worstMs: number
}

interface SlowQueriesSettings {
  /** Queries that take longer are slow; in milliseconds. */
  readonly thresholdMs: number
  readonly observe: Observe
  readonly metrics: StoreMetrics
}

/** The maximum number of shapes held until they are taken. Hostile callers can send any number of them. */
const MAX_SHAPES = 200
/** In characters. Nobody creates an index for a longer filter. */
const MAX_SHAPE_LENGTH = 1_000
/** One shape is logged at most once in this time. */
const LOG_INTERVAL_MS = 60_000

export class SlowQueries {
  readonly #settings: SlowQueriesSettings
  readonly #slow = new LRUCache<string, SlowQuery>({ max: MAX_SHAPES })
  readonly #logged = new LRUCache<string, true>({ max: MAX_SHAPES, ttl: LOG_INTERVAL_MS })

  constructor(settings: SlowQueriesSettings) {
    this.#settings = settings
  }

  /** Runs `work` and measures it, also when it fails, for example at the query timeout. */
  async timed<T>(query: Requested, isCount: boolean, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const ms = performance.now() - startedAt
      if (ms >= this.#settings.thresholdMs) this.#add(query, isCount, ms)
    }
  }

  /** Returns the slow queries since the last call and clears them. */
  take(): readonly SlowQuery[] {
    const slowQueries = [...this.#slow.values()]
    this.#slow.clear()
    return slowQueries
  }

  #add(query: Requested, isCount: boolean, ms: number): void {
    const { observe, metrics } = this.#settings
    const document = query.definition.name
    metrics.addSlowQuery(document)
    const shape = shapeOf(query, isCount)
    const question = JSON.stringify(shape)
    const key = `${document} ${question}`
    const slowQuery = this.#slow.get(key) ?? { document, question, seen: 0, totalMs: 0, worstMs: 0 }
    slowQuery.seen += 1
    slowQuery.totalMs += ms
    slowQuery.worstMs = Math.max(slowQuery.worstMs, ms)
    this.#slow.set(key, slowQuery)
    if (this.#logged.has(key)) return
    this.#logged.set(key, true)
    observe({ kind: 'slow-query', document, ...readableShape(shape), ms: Math.round(ms) })
  }
}

function shapeOf({ definition, filter, order, reads, scope }: Requested, isCount: boolean): QueryShape {
  const filtered = filter === undefined ? '' : filterShape(definition, filter)
  const ordered = reads || isCount ? '' : orderShape(definition, order)
  const by = order.map((one) => one.by)
  const groups = reads && { by: pathsOf(definition, by), reads: [...new Set(pathsOf(definition, reads))] }
  const more = scope
    .filter(([column]) => column !== definition.companyColumn)
    .map(([column, value]) => {
      const [first] = [value].flat()
      return { column, isNumber: typeof first === 'number', isList: Array.isArray(value) }
    })
  const isLong = filtered.length + ordered.length > MAX_SHAPE_LENGTH
  return {
    ...(filtered === '' ? {} : { filter: isLong ? 'too long to be shown' : filtered }),
    ...(ordered === '' || isLong ? {} : { order: ordered }),
    ...(groups ? { groups } : {}),
    ...(more.length === 0 ? {} : { scope: more }),
    ...(isCount ? { isCount } : {}),
  }
}

/** The shape in the terms of a request, for people. */
export function readableShape({ filter, order, groups, isCount }: QueryShape) {
  return {
    ...(filter === undefined ? {} : { filter: withoutKinds(filter) }),
    ...(order === undefined ? {} : { orderBy: order }),
    ...(groups ? { groupBy: groups.by.join(', '), aggregated: groups.reads.join(', ') } : {}),
    ...(isCount ? { isCount } : {}),
  }
}
