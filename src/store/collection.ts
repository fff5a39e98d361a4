// Answers a planned collection and reports whether the row cap (for requests without a limit) truncated it.

import { prepend } from '../base/byte-stream.ts'
import { CarriedValues, getOrInsert, memo } from '../base/memo.ts'
import type { SpreadsheetStyle } from '../base/numbers/spreadsheet-style.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { shapeOfPlan } from '../query/known-plans.ts'
import type { Plan } from '../query/plan.ts'
import { requestedBy } from '../sql/compile/compile-grouped.ts'
import {
  compileCollection,
  compileLast,
  compileLastCount,
  compilePastCollection,
  compilePastCount,
  compileTotal,
} from '../sql/compile/compile-query.ts'
import { cellsOf } from '../sql/compile/members.ts'
import type { AnswerCell } from '../sql/csv-text.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { AnswerForm, CompiledQuery, KeyFilter } from '../sql/rows/compiled-query.ts'
import { QueriesOfShape } from '../sql/rows/for-values.ts'
import type { PastChanges } from '../sql/rows/past-rows.ts'
import { type AnswerFormat, ROW_FORMS } from './answer-bytes.ts'
import type { ByteStream, CollectionQuery, QueryCaller, Snapshot, Store } from './store.ts'

export interface CollectionRequest {
  readonly companyId: string
  readonly plan: Plan
  readonly scope: KeyFilter
  /** What has changed since the moment that the answer is of; absent: the answer is of now. */
  readonly changed?: PastChanges | undefined
  /** Only so many rows are looked at, the last ones by the key; absent: all. */
  readonly among?: number | undefined
  /** The language of descriptions. */
  readonly language: string
  readonly format: AnswerFormat
  /** CSV for a spreadsheet; absent: for programs. */
  readonly style?: SpreadsheetStyle | undefined
  /** What people call the columns, in a file for them. */
  readonly headings?: readonly string[] | undefined
  readonly caller: QueryCaller
  /** The maximum number of rows when the request has no limit; absent: no maximum. */
  readonly cap: number | undefined
  /** The caller holds another answer. */
  readonly isUrgent?: boolean
}

export interface CollectionAnswer {
  readonly body: string | Uint8Array | ByteStream
  /** True when there are more rows than the cap. */
  readonly isCut: boolean
  /** The number of the company's last change in the snapshot of the body. */
  readonly changeNumber: number
}

/** Ends an answer that is not sent: a stream holds a session of the database, or a reader process, until then. */
export async function discardRows(body: CollectionAnswer['body']): Promise<void> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) await body.return(0)
}

/**
 * This much is buffered before the response starts, because its headers say whether it is truncated. Most answers are
 * shorter.
 */
const LOOK_AHEAD_BYTES = 1024 * 1024
/** The length of `{},`. */
const SHORTEST_ROW = 3

export async function answerCollection(store: Store, request: CollectionRequest): Promise<CollectionAnswer> {
  const { plan, scope, companyId, cap } = request
  const { content, changeNumber } = await store.slow.timed(requestedBy(plan, scope), false, () =>
    store.collect(companyId, queryOf(request, request.isUrgent ?? false)),
  )
  if (plan.limit !== undefined || cap === undefined) return { body: content, isCut: false, changeNumber }
  // A buffered answer is far below the cap, unless thousands of rows were inserted since it was planned.
  if (typeof content === 'string' || content instanceof Uint8Array) {
    const isCut = content.length > cap * SHORTEST_ROW && (await hasMore(store, request, cap))
    return { body: content, isCut, changeNumber }
  }
  return { ...(await bufferStart(content, cap, () => hasMore(store, request, cap))), changeNumber }
}

/**
 * The validity of an answer, to be read before the answer itself; undefined when another program may change the tables
 * that it reads.
 */
export function validityOfAnswer(store: Store, request: CollectionRequest) {
  const form = FORMS[request.format]
  return store.validityOf(request.companyId, [(dialect) => compileOnce(request, dialect, form)])
}

const FORMS: Readonly<Record<AnswerFormat, AnswerForm>> = { ...ROW_FORMS, json: 'array' }

export type CountRequest = Pick<CollectionRequest, 'companyId' | 'plan' | 'scope' | 'changed' | 'among' | 'caller'>

/** Counts the rows within a scope that meet the filter of a plan, or their groups. */
export function countCollection(store: Store, request: CountRequest): Promise<Snapshot<number>> {
  return store.slow.timed(requestedBy(request.plan, request.scope), true, () =>
    store.count(request.companyId, {
      compile: (dialect) => {
        const { changed, plan, scope } = request
        return changed ? compilePastCount(plan, scope, dialect, changed) : compileCountOnce(request, dialect)
      },
      ...request.caller,
    }),
  )
}

/** The validity of a count, to be read before the count itself. */
export function validityOfCount(store: Store, request: CountRequest) {
  return store.validityOf(request.companyId, [(dialect) => compileCountOnce(request, dialect)])
}

/**
 * Collections as they were at a moment (`asOf`: a time, or the number of a change). What was changed since, the change
 * log knows (`changes/past`).
 */
export interface PastCollections {
  /** Whether the change log covers a document. */
  covers(definition: DocumentDefinition): boolean
  /**
   * Throws 400 for a text that is no moment, for a document that the change log does not cover, and when too much has
   * changed since; 410 when the states of then are no longer kept.
   */
  answer(request: CollectionRequest, asOf: string): Promise<CollectionAnswer>
  count(request: CountRequest, asOf: string): Promise<Snapshot<number>>
}

async function bufferStart(
  chunks: ByteStream,
  cap: number,
  checkForMore: () => Promise<boolean>,
): Promise<Omit<CollectionAnswer, 'changeNumber'>> {
  const buffered: Uint8Array[] = []
  let bytes = 0
  while (bytes < LOOK_AHEAD_BYTES) {
    const next = await chunks.next()
    if (next.done) return { body: Buffer.concat(buffered), isCut: next.value === cap && (await checkForMore()) }
    buffered.push(next.value)
    bytes += next.value.length
  }
  try {
    const isCut = await checkForMore()
    return { body: prepend(buffered, chunks), isCut }
  } catch (error) {
    await chunks.return(0)
    throw error
  }
}

/** Whether there is a row after the cap. */
async function hasMore(store: Store, request: CollectionRequest, cap: number): Promise<boolean> {
  const { plan } = request
  const [first] = plan.select
  const nextRow = { ...plan, select: first ? [first] : [], offset: plan.offset + cap, limit: 1 }
  const { content } = await store.collect(
    request.companyId,
    queryOf({ ...request, plan: nextRow, format: 'json', cap: undefined }, true),
  )
  if (typeof content === 'string' || content instanceof Uint8Array) return content.length > '[]'.length
  for (;;) {
    const next = await content.next()
    if (next.done) return next.value > 0
  }
}

function headed(cells: readonly AnswerCell[], headings: readonly string[] = []): AnswerCell[] {
  return cells.map((cell, at) => ({ ...cell, name: headings[at] ?? cell.name }))
}

function queryOf(request: CollectionRequest, isUrgent: boolean): CollectionQuery {
  return {
    format: request.format,
    cells: request.format === 'csv' ? headed(cellsOf(request.plan.columns), request.headings) : [],
    style: request.style,
    compile: (dialect, form) => {
      const { changed, plan, scope, language, cap } = request
      return changed
        ? compilePastCollection(plan, scope, dialect, { language, form, cap }, changed)
        : compileOnce(request, dialect, form)
    },
    ...request.caller,
    isUrgent,
  }
}

/** Compiled queries. The inner key holds everything else that the text and its parameters depend on. */
const compiledIn = memo((_dialect: Dialect) => ({
  ofPlan: memo((_plan: Plan) => new Map<string, CompiledQuery>(), new CarriedValues()),
  ofShape: memo((_shape: object) => new QueriesOfShape()),
}))

function compileOnce(request: CollectionRequest, dialect: Dialect, form: AnswerForm): CompiledQuery {
  const { plan, scope, language, cap, among } = request
  const options = { language, form, cap }
  return onceFor(plan, dialect, `${form} ${language} ${cap} ${among} ${JSON.stringify(scope)}`, () =>
    among === undefined
      ? compileCollection(plan, scope, dialect, options)
      : compileLast(plan, scope, dialect, options, among),
  )
}

function compileCountOnce({ plan, scope, among }: CountRequest, dialect: Dialect): CompiledQuery {
  return onceFor(plan, dialect, `count ${among} ${JSON.stringify(scope)}`, () =>
    among === undefined ? compileTotal(plan, scope, dialect) : compileLastCount(plan, scope, dialect, among),
  )
}

function onceFor(plan: Plan, dialect: Dialect, key: string, compile: () => CompiledQuery): CompiledQuery {
  const { ofPlan, ofShape } = compiledIn(dialect)
  return getOrInsert(ofPlan(plan), key, () => {
    const shaped = shapeOfPlan(plan)
    return shaped ? ofShape(shaped.shape).of(key, shaped.values, compile) : compile()
  })
}
