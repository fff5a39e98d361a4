// The queries that are compared between sizes: those of the benchmark, and some that visit much.
import { LEDGER_QUESTIONS } from '../questions/ledger.ts'
import { objects, type Parameters } from '../questions/question.ts'
import type { Random } from '../records/random.ts'
import type { Scale } from '../records/scale.ts'

export interface ScaleQuestion {
  readonly name: string
  /** What the work grows with: the page that is answered, the lines that meet the condition, or all lines. */
  readonly growsWith: 'page' | 'matching lines' | 'all lines'
  readonly method: 'GET' | 'HEAD'
  path(random: Random, scale: Scale): string
}

const ledger = (options: Parameters): string => objects('general-ledger-transactions', { posted: 'true', ...options })
const get = (name: string, growsWith: ScaleQuestion['growsWith'], options: (scale: Scale) => Parameters) =>
  ({ name, growsWith, method: 'GET', path: (_random, scale) => ledger(options(scale)) }) satisfies ScaleQuestion

/** Queries of the benchmark that visit all lines of an account: ten times as many in a ledger of ten times the size. */
const VISITS_MATCHING = /ordered by amount|count of/

const OF_THE_BENCHMARK = LEDGER_QUESTIONS.map(
  (question): ScaleQuestion => ({
    name: question.name,
    growsWith: VISITS_MATCHING.test(question.name) ? 'matching lines' : 'page',
    method: question.answer === 'count' ? 'HEAD' : 'GET',
    path: (random, scale) => question.service(question.ask(random, scale)),
  }),
)

export const SCALE_QUESTIONS: readonly ScaleQuestion[] = [
  ...OF_THE_BENCHMARK,
  get('first page, 100 rows whole', 'page', () => ({ limit: 100 })),
  get('offset of a tenth, 100 rows whole', 'all lines', ({ ledgerLines: lines }) => ({
    offset: lines / 10,
    limit: 100,
  })),
  get('offset of nine tenths, 100 rows whole', 'all lines', ({ ledgerLines: lines }) => ({
    offset: lines * 0.9,
    limit: 100,
  })),
  get('the same by its cells (CSV)', 'all lines', ({ ledgerLines: lines }) => ({
    offset: lines * 0.9,
    limit: 100,
    format: 'csv',
  })),
  get('ordered by amount, which has no index, 100 rows whole', 'all lines', () => ({
    orderBy: 'amounts/amount desc',
    limit: 100,
  })),
  { name: 'count of all (HEAD)', growsWith: 'all lines', method: 'HEAD', path: () => ledger({}) },
  get('description contains what none has', 'all lines', () => ({
    filter: "contains(description,'zzzz')",
    limit: 100,
  })),
]
