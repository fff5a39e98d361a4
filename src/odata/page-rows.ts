// The rows of one page, its count, and where the next one begins.
import { wholeText } from '../base/byte-stream.ts'
import { coded } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import type { ObjectService } from '../objects/query-document.ts'
import { languagesOf } from '../query/collection-format.ts'
import type { Plan } from '../query/plan.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import { lastChangeNumber } from '../store/change-number.ts'
import {
  answerCollection,
  type CollectionAnswer,
  type CollectionRequest,
  type CountRequest,
  countCollection,
  discardRows,
} from '../store/collection.ts'
import type { Store } from '../store/store.ts'
import { shortestRow, startOf } from './framed.ts'
import { fromRow, hasRowStart, orderOnly, startIn } from './next-row.ts'
import type { Question } from './query/question.ts'
import type { EntitySetRequest } from './request.ts'
import { foreignToken, type NextPage } from './skip-token.ts'

export interface RowsOfPage {
  readonly body: CollectionAnswer['body']
  /** Undefined for the last page. */
  readonly next: NextPage | undefined
}

export class PageRows {
  readonly #service: ObjectService
  readonly #request: EntitySetRequest
  readonly #question: Question
  readonly #place: NextPage
  readonly #snapshot: SnapshotReader
  readonly #scope: KeyFilter
  readonly #language: string

  constructor(service: ObjectService, request: EntitySetRequest, question: Question, place: NextPage) {
    const { set, companyId, acceptLanguage } = request
    const { valueLists } = service.companies.require(companyId)
    const isKept = service.past.covers(set.definition)
    this.#service = service
    this.#request = request
    this.#question = question
    this.#place = place
    this.#snapshot = new SnapshotReader(service.store, companyId, isKept, place.changeNumber)
    this.#scope = scopeOf(request, question.plan)
    this.#language = valueLists.languageFor(languagesOf(acceptLanguage))
  }

  /** The last change in what was read; undefined where changes are not recorded. */
  get changeNumber(): number | undefined {
    return this.#snapshot.changeNumber
  }

  /** The records or groups of the whole answer. */
  async count(): Promise<number> {
    const { past, store } = this.#service
    const { companyId, requester: caller } = this.#request
    const request: CountRequest = { companyId, plan: this.#question.plan, scope: this.#scope, caller }
    const { content } = await this.#snapshot.read(
      () => countCollection(store, request),
      (asOf) => past.count(request, asOf),
    )
    return content
  }

  async read(): Promise<RowsOfPage> {
    const { pageSize, remaining = Number.POSITIVE_INFINITY } = this.#place
    const rows = Math.min(pageSize, remaining)
    if (rows === 0) return { body: '[]', next: undefined }
    const plan = this.#planOf(rows)
    const answer = await this.#answer(plan, false)
    const { body, mayBeFull } = await startOf(answer.body, rows, shortestRow(plan.select))
    if (!mayBeFull || rows === remaining) return { body, next: undefined }
    try {
      return { body, next: await this.#nextPage(plan, rows) }
    } catch (error) {
      await discardRows(body)
      throw error
    }
  }

  #planOf(rows: number): Plan {
    const { plan } = this.#question
    const { row, offset } = this.#place
    // A setup may have changed the key meanwhile.
    if (row && row.length !== plan.order.length) throw foreignToken()
    return row ? fromRow({ ...plan, limit: rows }, row) : { ...plan, offset, limit: rows }
  }

  /** Undefined if there is no row behind the page. */
  async #nextPage(plan: Plan, rows: number): Promise<NextPage | undefined> {
    const isByRow = hasRowStart(plan)
    const first = isByRow ? orderOnly(plan) : { ...plan, limit: 1 }
    const { body } = await this.#answer({ ...first, offset: plan.offset + rows }, true)
    const text = await wholeText(body)
    if (text === '[]') return undefined
    const { remaining, offset } = this.#place
    return {
      ...this.#place,
      changeNumber: this.#snapshot.changeNumber,
      remaining: remaining === undefined ? undefined : remaining - rows,
      offset: offset + rows,
      row: isByRow ? startIn(text, plan) : undefined,
    }
  }

  #answer(plan: Plan, isUrgent: boolean): Promise<CollectionAnswer> {
    const { past, store } = this.#service
    const { companyId, requester: caller } = this.#request
    const request: CollectionRequest = {
      companyId,
      plan,
      scope: this.#scope,
      language: this.#language,
      format: 'json',
      caller,
      cap: undefined,
      isUrgent,
    }
    return this.#snapshot.read(
      () => answerCollection(store, request),
      (asOf) => past.answer(request, asOf),
      ({ body }) => discardRows(body),
    )
  }
}

/** What a document asks for in parameters of its own, an entity set asks for in `$filter`. */
function scopeOf({ set, companyId, key = [] }: EntitySetRequest, plan: Plan): KeyFilter {
  const { document, definition } = set
  const scope = document.parameters ? [] : (document.scopeOf?.([], plan) ?? [])
  return [[definition.companyColumn, companyId], ...scope, ...key]
}

interface Found {
  /** The number of the company's last change in what was read. */
  readonly changeNumber: number
}

/** Several reads of one state: the pages of an answer and its count are of the moment of the first of them. */
class SnapshotReader {
  readonly #store: Store
  readonly #companyId: string
  readonly #isKept: boolean
  #changeNumber: number | undefined

  /** `isKept`: whether earlier states of the records are known; otherwise each read is of its own moment. */
  constructor(store: Store, companyId: string, isKept: boolean, changeNumber: number | undefined) {
    this.#store = store
    this.#companyId = companyId
    this.#isKept = isKept
    this.#changeNumber = changeNumber
  }

  /** The moment of all reads; undefined before the first of them, and where earlier states are not known. */
  get changeNumber(): number | undefined {
    return this.#isKept ? this.#changeNumber : undefined
  }

  /** What is there now is read as long as nothing has changed, and what was there then afterwards. */
  async read<Answer extends Found>(
    now: () => Promise<Answer>,
    then: (asOf: string) => Promise<Answer>,
    discard: (answer: Answer) => Promise<unknown> = async () => {},
  ): Promise<Answer> {
    if (this.#changeNumber === undefined || !this.#isKept) {
      const found = await now()
      this.#changeNumber = found.changeNumber
      return found
    }
    const wanted = this.#changeNumber
    if ((await lastChangeNumber(this.#store.reading(this.#companyId))) === wanted) {
      const found = await now()
      if (found.changeNumber === wanted) return found
      await discard(found)
    }
    return orGone(then(String(wanted)))
  }
}

/** What was then can only be refused for how much has changed since: a client has to begin again. */
async function orGone<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    throw coded(410, 1020, 'Too much has changed since the first page was read: ask for the first page again.')
  }
}
