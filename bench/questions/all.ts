// All queries, and the paths under which the floors answer them.
import { CUSTOMER_QUESTIONS } from './customers.ts'
import { LEDGER_QUESTIONS } from './ledger.ts'
import { type Parameters, type Question, SQLITE, statementOf } from './question.ts'
import { singleCustomer, singleValue } from './records.ts'
import { VALUE_QUESTIONS } from './values.ts'

export const QUESTIONS: readonly Question[] = [
  singleValue,
  singleCustomer,
  ...LEDGER_QUESTIONS,
  ...CUSTOMER_QUESTIONS,
  ...VALUE_QUESTIONS,
]

export const INDEXES: readonly string[] = [...new Set(QUESTIONS.flatMap(({ indexes = [] }) => indexes))]

/** The distinct parameters of a query, in the order of the floor's path. */
export function askedNames(question: Question): string[] {
  return [...new Set(statementOf(question, SQLITE).parameters)]
}

export const floorPath = (question: Question): string => `/questions/${QUESTIONS.indexOf(question)}`

export function floorUrl(question: Question, asked: Parameters): string {
  const segments = askedNames(question).map((name) => encodeURIComponent(asked[name] ?? ''))
  return [floorPath(question), ...segments].join('/')
}
