// The question of a request: its options, planned once for each query string and entity set.
import { getOrInsert, memo } from '../../base/memo.ts'
import type { QueryPairs } from '../../base/text.ts'
import { readTogether } from '../../errors/read-together.ts'
import type { EntitySet } from '../metadata/entity-set.ts'
import { countIn, type ODataOptions, readODataOptions, rowsIn } from './options.ts'
import { planOptions, type RecordsPlan } from './plan.ts'
import { refusing } from './refusals.ts'

export interface Question {
  readonly options: ODataOptions
  readonly plan: RecordsPlan
  readonly top: number | undefined
  readonly skip: number
  readonly isCounted: boolean
}

/** By company, too: a search is one of its documents. */
const questionsOf = memo((_pairs: QueryPairs) => memo((_set: EntitySet) => new Map<string, Question>()))

/** Throws 400 for what is wrong with the options, and 501 for what is not supported. */
export function questionOf(set: EntitySet, companyId: string, pairs: QueryPairs): Question {
  return getOrInsert(questionsOf(pairs)(set), companyId, () => {
    const options = readODataOptions(pairs)
    const numbers = readTogether({
      top: () => rowsIn(options, 'top'),
      skip: () => rowsIn(options, 'skip') ?? 0,
      isCounted: () => countIn(options),
    })
    return { options, plan: refusing(() => planOptions(set, options)), ...numbers }
  })
}
