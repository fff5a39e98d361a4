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

interface RowsOfPage {
  readonly body: CollectionAnswer['body']
  /** Undefined for the last page. */
  readonly next: NextPage | undefined
}

export function pageRows(service: ObjectService, request: EntitySetRequest, question: Question, place: NextPage) {
  const { past, store } = service
  const { set, companyId, acceptLanguage, requester: caller } = request
  const { plan: wholePlan } = question
  const language = service.companies.require(companyId).valueLists.languageFor(languagesOf(acceptLanguage))
  const snapshot = snapshotReader(store, companyId, past.covers(set.definition), place.changeNumber)
  const scope = scopeOf(request, wholePlan)

  const planOf = (rows: number): Plan => {
    const { row, offset } = place
    // A setup may have changed the key meanwhile.
    if (row && row.length !== wholePlan.order.length) throw foreignToken()
    return row ? fromRow({ ...wholePlan, limit: rows }, row) : { ...wholePlan, offset, limit: rows }
  }

  /** Undefined if there is no row behind the page. */
  const nextPage = async (plan: Plan, rows: number): Promise<NextPage | undefined> => {
    const isByRow = hasRowStart(plan)
    const first = isByRow ? orderOnly(plan) : { ...plan, limit: 1 }
    const { body } = await answerTo({ ...first, offset: plan.offset + rows }, true)
    const text = await wholeText(body)
    if (text === '[]') return undefined
    const { remaining, offset } = place
    return {
      ...place,
      changeNumber: snapshot.changeNumber,
      remaining: remaining === undefined ? undefined : remaining - rows,
      offset: offset + rows,
      row: isByRow ? startIn(text, plan) : undefined,
    }
  }

  const answerTo = (plan: Plan, isUrgent: boolean): Promise<CollectionAnswer> => {
    const asked: CollectionRequest = {
      companyId,
      plan,
      scope,
      language,
      format: 'json',
      caller,
      cap: undefined,
      isUrgent,
    }
    return snapshot.read(
      () => answerCollection(store, asked),
      (asOf) => past.answer(asked, asOf),
      ({ body }) => discardRows(body),
    )
  }

  return {
    /** The last change in what was read; undefined where changes are not recorded. */
    get changeNumber() {
      return snapshot.changeNumber
    },

    /** The records or groups of the whole answer. */
    async count(): Promise<number> {
      const asked: CountRequest = { companyId, plan: wholePlan, scope, caller }
      const { content } = await snapshot.read(
        () => countCollection(store, asked),
        (asOf) => past.count(asked, asOf),
      )
      return content
    },

    async read(): Promise<RowsOfPage> {
      const { pageSize, remaining = Number.POSITIVE_INFINITY } = place
      const rows = Math.min(pageSize, remaining)
      if (rows === 0) return { body: '[]', next: undefined }
      const plan = planOf(rows)
      const answer = await answerTo(plan, false)
      const { body, mayBeFull } = await startOf(answer.body, rows, shortestRow(plan.select))
      if (!mayBeFull || rows === remaining) return { body, next: undefined }
      try {
        return { body, next: await nextPage(plan, rows) }
      } catch (error) {
        await discardRows(body)
        throw error
      }
    },
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

/**
 * Several reads of one state: the pages of an answer and its count are of the moment of the first of them. `isKept`:
 * whether earlier states of the records are known; otherwise each read is of its own moment.
 */
function snapshotReader(store: Store, companyId: string, isKept: boolean, changeNumber: number | undefined) {
  let wanted = changeNumber
  return {
    /** The moment of all reads; undefined before the first of them, and where earlier states are not known. */
    get changeNumber() {
      return isKept ? wanted : undefined
    },

    /** What is there now is read as long as nothing has changed, and what was there then afterwards. */
    async read<Answer extends Found>(
      now: () => Promise<Answer>,
      then: (asOf: string) => Promise<Answer>,
      discard: (answer: Answer) => Promise<unknown> = async () => {},
    ): Promise<Answer> {
      if (wanted === undefined || !isKept) {
        const found = await now()
        wanted = found.changeNumber
        return found
      }
      const before = wanted
      if ((await lastChangeNumber(store.reading(companyId))) === before) {
        const found = await now()
        if (found.changeNumber === before) return found
        await discard(found)
      }
      return orGone(then(String(before)))
    },
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
