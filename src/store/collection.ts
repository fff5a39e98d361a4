// Answers a planned collection, and tells whether the cap on answers without a limit has cut it.

import { prepend } from '../base/byte-stream.ts'
import type { Plan } from '../query/plan.ts'
import { cellsOf, compileCollection, compileCount } from './compile/compile-query.ts'
import type { Expressions } from './compile/expressions.ts'
import type {
  AnswerForm,
  AnswerFormat,
  Asker,
  ByteStream,
  CollectionQuery,
  CompiledQuery,
  KeyFilter,
  Store,
} from './store.ts'

export interface CollectionRequest {
  readonly companyId: string
  readonly plan: Plan
  readonly scope: KeyFilter
  /** Of descriptions. */
  readonly language: string
  readonly format: AnswerFormat
  readonly asker: Asker
  /** How many rows are answered when no limit was asked for; absent: all there are. */
  readonly cap: number | undefined
}

export interface CollectionAnswer {
  readonly body: string | Uint8Array | ByteStream
  /** There are more rows than the cap. */
  readonly isCut: boolean
}

/** As much of an answer is looked at before anybody hears of it: most end within. */
const LOOK_AHEAD_BYTES = 1024 * 1024
/** `{},` */
const SHORTEST_ROW = 3

export async function answerCollection(store: Store, request: CollectionRequest): Promise<CollectionAnswer> {
  const { plan, scope, companyId, cap } = request
  const answer = await store.slow.timed({ ...plan, scope }, false, () =>
    store.collect(companyId, queryOf(request, false)),
  )
  if (plan.limit !== undefined || cap === undefined) return { body: answer, isCut: false }
  // What is answered as a whole is far below the cap, unless thousands of rows came in at that moment.
  if (typeof answer === 'string' || answer instanceof Uint8Array) {
    return { body: answer, isCut: answer.length > cap * SHORTEST_ROW && (await hasMore(store, request, cap)) }
  }
  return lookAhead(answer, cap, () => hasMore(store, request, cap))
}

/** How long the answer to a wish holds, to be asked before it; nothing when somebody else may change what it reads. */
export function validityOfAnswer(store: Store, request: CollectionRequest) {
  const form = FORMS[request.format]
  return store.validityOf(request.companyId, [(engine) => compileOnce(request, engine, form)])
}

const FORMS: Readonly<Record<AnswerFormat, AnswerForm>> = { json: 'array', ndjson: 'rows', csv: 'cells' }

export type CountRequest = Pick<CollectionRequest, 'companyId' | 'plan' | 'scope' | 'asker'>

/** How many rows the filter of a plan leaves within a scope. */
export function countCollection(store: Store, request: CountRequest): Promise<number> {
  return store.slow.timed({ ...request.plan, scope: request.scope, order: [] }, true, () =>
    store.count(request.companyId, {
      compile: (engine) => compileCountOnce(request, engine),
      ...request.asker,
    }),
  )
}

/** How long a count holds, to be asked before it. */
export function validityOfCount(store: Store, request: CountRequest) {
  return store.validityOf(request.companyId, [(engine) => compileCountOnce(request, engine)])
}

async function lookAhead(
  pieces: ByteStream,
  cap: number,
  askForMore: () => Promise<boolean>,
): Promise<CollectionAnswer> {
  const seen: Uint8Array[] = []
  let bytes = 0
  while (bytes < LOOK_AHEAD_BYTES) {
    const next = await pieces.next()
    if (next.done) return { body: Buffer.concat(seen), isCut: next.value === cap && (await askForMore()) }
    seen.push(next.value)
    bytes += next.value.length
  }
  try {
    const isCut = await askForMore()
    return { body: prepend(seen, pieces), isCut }
  } catch (error) {
    await pieces.return(0)
    throw error
  }
}

/** Whether there is a row behind the cap. */
async function hasMore(store: Store, request: CollectionRequest, cap: number): Promise<boolean> {
  const { plan } = request
  const [first] = plan.select
  const behind = { ...plan, select: first ? [first] : [], offset: plan.offset + cap, limit: 1 }
  const answer = await store.collect(
    request.companyId,
    queryOf({ ...request, plan: behind, format: 'json', cap: undefined }, true),
  )
  if (typeof answer === 'string' || answer instanceof Uint8Array) return answer.length > '[]'.length
  for (;;) {
    const next = await answer.next()
    if (next.done) return next.value > 0
  }
}

function queryOf(request: CollectionRequest, isUrgent: boolean): CollectionQuery {
  return {
    format: request.format,
    cells: request.format === 'csv' ? cellsOf(request.plan.select) : [],
    compile: (engine, form) => compileOnce(request, engine, form),
    ...request.asker,
    isUrgent,
  }
}

/** What was compiled of a plan for an engine, by all that its text and parameters depend on beside it. */
const compiled = new WeakMap<Expressions, WeakMap<Plan, Map<string, CompiledQuery>>>()

function compileOnce(request: CollectionRequest, engine: Expressions, form: AnswerForm): CompiledQuery {
  const { plan, scope, language, cap } = request
  return onceFor(plan, engine, `${form} ${language} ${cap} ${JSON.stringify(scope)}`, () =>
    compileCollection(plan, scope, engine, { language, form, cap }),
  )
}

function compileCountOnce({ plan, scope }: CountRequest, engine: Expressions): CompiledQuery {
  return onceFor(plan, engine, `count ${JSON.stringify(scope)}`, () =>
    compileCount(plan.definition, plan.filter, scope, engine),
  )
}

function onceFor(plan: Plan, engine: Expressions, key: string, compile: () => CompiledQuery): CompiledQuery {
  const plans = compiled.get(engine) ?? new WeakMap<Plan, Map<string, CompiledQuery>>()
  compiled.set(engine, plans)
  let known = plans.get(plan)
  if (!known) {
    known = new Map()
    plans.set(plan, known)
  }
  let query = known.get(key)
  if (!query) {
    query = compile()
    known.set(key, query)
  }
  return query
}
