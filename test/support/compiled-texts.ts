// The texts of everything that a question of a document's rows is compiled to: of now and of the past, rows and counts,
// and what decides where it runs.
import { Steps } from '../../src/base/concurrency/steps.ts'
import type { DocumentDefinition } from '../../src/model/document.ts'
import { type CollectionOptions, readOptions } from '../../src/query/options.ts'
import { type Plan, planCollection } from '../../src/query/plan.ts'
import {
  compileCollection,
  compilePastCollection,
  compilePastCount,
  compileTotal,
} from '../../src/sql/compile/compile-query.ts'
import { CompiledStates } from '../../src/sql/compile/compile-states.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import type { AnswerForm, CompiledQuery, KeyFilter } from '../../src/sql/rows/compiled-query.ts'
import { JOURNAL } from '../../src/sql/tables.ts'

const COMPANY = 'EN'
const FORMS: readonly AnswerForm[] = ['array', 'start', 'rows', 'cells', 'tuples']
const NOTHING_CHANGED = { keys: '', states: [], steps: new Steps() }

/** A question by the options of its query. */
export type Question = Readonly<Record<string, string>>

export async function compiledTexts(
  definition: DocumentDefinition,
  question: Question,
  dialect: Dialect,
): Promise<string[]> {
  const plan = planOf(definition, question)
  const scope: KeyFilter = [[definition.companyColumn, COMPANY]]
  const of = (form: AnswerForm) => ({ form, language: 'EN', cap: 1_000 })
  const now = [
    ...FORMS.map((form) => compileCollection(plan, scope, dialect, of(form))),
    compileTotal(plan, scope, dialect),
  ]
  if (definition.table === JOURNAL) return now.flatMap(textsOf)
  const past = [
    await compilePastCollection(plan, scope, dialect, of('array'), NOTHING_CHANGED),
    await compilePastCount(plan, scope, dialect, NOTHING_CHANGED),
  ]
  return [...now, ...past, ...(plan.grouping ? [] : [statesOf(plan, dialect)])].flatMap(textsOf)
}

export function planOf(definition: DocumentDefinition, question: Question): Plan {
  return planCollection(definition, readOptions(Object.entries(question)) as CollectionOptions)
}

function statesOf({ definition, filter, select }: Plan, dialect: Dialect): CompiledQuery {
  const query = { definition, filter, select, scope: [], language: 'EN' }
  return new CompiledStates(query, dialect, 'array').of(COMPANY, [])
}

function textsOf({ text, scanEstimate, byText, onePlan }: CompiledQuery): string[] {
  const edges = scanEstimate
    ? [scanEstimate.edge(100), scanEstimate.edge(100, new Set()), scanEstimate.before?.('x')]
    : []
  const all = [text, onePlan?.text, ...edges.map((edge) => edge?.text)].filter((one) => one !== undefined)
  return [...all, ...(byText ? textsOf(byText) : [])]
}
