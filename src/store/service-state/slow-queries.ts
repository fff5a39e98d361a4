// Remembers the questions that took long, each by its shape: which document, filter and order, without any value.
import { LRUCache } from 'lru-cache'
import type { StoreMetrics } from '../../observe/figures.ts'
import type { Observe } from '../../observe/observation.ts'
import { filterShape, orderShape, withoutKinds } from '../../query/shape.ts'
import type { Asked } from '../compile/search.ts'

/** What a slow question looks like; as JSON it is its name. */
export interface QuestionShape {
  readonly filter?: string
  readonly order?: string
  /** Columns that parameters of an endpoint say something of, beside the company. */
  readonly scope?: readonly { readonly column: string; readonly isNumber: boolean; readonly isList: boolean }[]
  readonly isCount?: true
}

export interface SlowQuery {
  readonly document: string
  /** A `QuestionShape`. */
  readonly question: string
  seen: number
  totalMs: number
  worstMs: number
}

export interface SlowQueriesSettings {
  /** Questions that take longer are slow. */
  readonly thresholdMs: number
  readonly observe: Observe
  readonly figures: StoreMetrics
}

/** Shapes that are kept until they are taken; hostile callers can ask in any number of them. */
const MOST_SHAPES = 200
/** A longer filter is no question that an index is made for. */
const LONGEST_SHAPE = 1_000
/** How often the log is told of one shape. */
const TOLD_EVERY_MS = 60_000

export class SlowQueries {
  readonly #settings: SlowQueriesSettings
  readonly #seen = new LRUCache<string, SlowQuery>({ max: MOST_SHAPES })
  readonly #told = new LRUCache<string, true>({ max: MOST_SHAPES, ttl: TOLD_EVERY_MS })

  constructor(settings: SlowQueriesSettings) {
    this.#settings = settings
  }

  /** Does the work; how long it took counts also when it fails, as one that is stopped for its time does. */
  async timed<T>(asked: Asked, isCount: boolean, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const ms = performance.now() - startedAt
      if (ms >= this.#settings.thresholdMs) this.#add(asked, isCount, ms)
    }
  }

  /** What was seen since it was last taken. */
  take(): readonly SlowQuery[] {
    const seen = [...this.#seen.values()]
    this.#seen.clear()
    return seen
  }

  #add(asked: Asked, isCount: boolean, ms: number): void {
    const { observe, figures } = this.#settings
    const document = asked.definition.name
    figures.slowQueries.set(document, (figures.slowQueries.get(document) ?? 0) + 1)
    const shape = shapeOf(asked, isCount)
    const question = JSON.stringify(shape)
    const key = `${document} ${question}`
    const known = this.#seen.get(key) ?? { document, question, seen: 0, totalMs: 0, worstMs: 0 }
    known.seen += 1
    known.totalMs += ms
    known.worstMs = Math.max(known.worstMs, ms)
    this.#seen.set(key, known)
    if (this.#told.has(key)) return
    this.#told.set(key, true)
    observe({ kind: 'slow-query', document, ...forPeople(shape), ms: Math.round(ms) })
  }
}

function shapeOf({ definition, filter, order, scope }: Asked, isCount: boolean): QuestionShape {
  const filtered = filter === undefined ? '' : filterShape(definition, filter)
  const ordered = orderShape(definition, order)
  const more = scope
    .filter(([column]) => column !== definition.companyColumn)
    .map(([column, value]) => {
      const [first] = [value].flat()
      return { column, isNumber: typeof first === 'number', isList: Array.isArray(value) }
    })
  const isLong = filtered.length + ordered.length > LONGEST_SHAPE
  return {
    ...(filtered === '' ? {} : { filter: isLong ? 'too long to be shown' : filtered }),
    ...(ordered === '' || isLong ? {} : { order: ordered }),
    ...(more.length === 0 ? {} : { scope: more }),
    ...(isCount ? { isCount } : {}),
  }
}

/** The shape in the words of a request. */
export function forPeople({ filter, order, isCount }: QuestionShape) {
  return {
    ...(filter === undefined ? {} : { filter: withoutKinds(filter) }),
    ...(order === undefined ? {} : { orderBy: order }),
    ...(isCount ? { isCount } : {}),
  }
}
