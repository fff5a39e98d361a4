// A query as it is compiled when another one with other values in its filter was asked before, which is compared with
// what is compiled of it alone.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { DocumentDefinition } from '../../src/model/document.ts'
import { planOf, shapeOfPlan } from '../../src/query/known-plans.ts'
import { readOptions } from '../../src/query/options.ts'
import { shapeOf } from '../../src/query/parse/tokens.ts'
import { type Plan, planCollection } from '../../src/query/plan.ts'
import type { CompiledQuery } from '../../src/sql/rows/compiled-query.ts'
import { QueriesOfShape } from '../../src/sql/rows/for-values.ts'
import { DECIMALS, INSTANTS, NUMBERS, TEXTS } from './edge-case-rows.ts'

type Pairs = readonly (readonly [name: string, value: string])[]
type Compile = (plan: Plan) => CompiledQuery

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const numbers = fc.oneof(fc.constantFrom(...NUMBERS).map(String), fc.constantFrom(...DECIMALS))
const texts = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 20 }))
const dates = fc.constantFrom(...INSTANTS)

/** A filter with the same shape and other values: mostly of their kinds, so that most are legal too. */
export function otherValues(filter: string): fc.Arbitrary<string> {
  const values = shapeOf(filter)?.literals ?? []
  const other = values.map(({ type, text }) => {
    if (type === 'date')
      return fc.oneof(
        dates,
        dates.map((one) => one.slice(0, 10)),
      )
    if (type === 'number') return numbers
    const alike = /^[+-]?\d+(\.\d+)?$/.test(text) ? numbers : /^\d{4}-\d\d-\d\d/.test(text) ? dates : texts
    return fc.oneof({ weight: 9, arbitrary: alike }, texts).map(quoted)
  })
  return fc.tuple(...other).map((texts) => filledWith(filter, texts))
}

function filledWith(filter: string, texts: readonly string[]): string {
  let next = 0
  return (shapeOf(filter)?.shape ?? filter).replace(/[?#@]/g, () => texts[next++] ?? '')
}

/** Compiles the query, by the shape of the one with the other filter where that is legal. */
export function compiledByShape(
  definition: DocumentDefinition,
  pairs: Pairs,
  otherFilter: string,
  compile: Compile,
): CompiledQuery {
  const alone = planCollection(definition, readOptions(pairs))
  const others = pairs.map(([name, value]) => [name, /filter/i.test(name) ? otherFilter : value] as const)
  const queries = new QueriesOfShape()
  const shapes = new Set<unknown>()
  const byShape = (asked: Pairs) => {
    const { plan } = planOf(definition, [...asked])
    const shaped = shapeOfPlan(plan)
    shapes.add(shaped?.shape)
    return shaped ? queries.of('', shaped.values, () => compile(plan)) : compile(plan)
  }
  // Both orders: a plan that is known refuses what is not legal in the words of one that is not.
  const first = errorOf(() => byShape(others))
  const found = byShape(pairs)
  expect(first).toEqual(errorOf(() => planCollection(definition, readOptions(others))))
  expect(errorOf(() => byShape(others))).toEqual(first)
  expect(shapes.size).toBe(1)
  expect(partsOf(found)).toEqual(partsOf(compile(alone)))
  return found
}

function errorOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

/** What a store reads of a compiled query. */
function partsOf({ text, parameters, rows, rowBytes, scanEstimate, byText }: CompiledQuery): unknown {
  const { edge, before, ...estimate } = scanEstimate ?? {}
  const edges = [edge?.(64), edge?.(64, new Set()), before?.('x'), before?.(7)].map((one) => [
    one?.text,
    one?.parameters,
  ])
  return { text, parameters, rows, rowBytes, estimate, edges, byText: byText && partsOf(byText) }
}
