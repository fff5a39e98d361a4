// Statements that are compiled once for all queries of a shape whose values give the same answers.

import { LRUCache } from 'lru-cache'
import { memo } from '../../base/memo.ts'
import { noted, type PlainValue, type Reusable } from '../../query/bound-value.ts'
import type { BoundText, CompiledQuery, ScanEstimate } from './compiled-query.ts'

type Values = readonly PlainValue[]

/** By what else their texts depend on, such as the company and the format. */
const MOST_KEYS = 100
/** What is asked of values has few answers, such as whether a text is long. */
const MOST_VARIANTS = 16

class Known<Made> {
  readonly #made = new LRUCache<string, Reusable<Made>[]>({ max: MOST_KEYS })

  /** What was made for other values and serves these; else it is made of these. */
  of(key: string, values: Values, make: () => Made): Made {
    const variants = this.#made.get(key) ?? []
    const found = variants.find((one) => one.serves(values))
    if (found) return found.made
    const own = noted(make)
    this.#made.set(key, [own, ...variants.slice(0, MOST_VARIANTS - 1)])
    return own.made
  }
}

/** The queries of one shape, in one dialect. */
export class QueriesOfShape {
  readonly #queries = new Known<CompiledQuery>()

  of(key: string, values: Values, compile: () => CompiledQuery): CompiledQuery {
    return queryFor(this.#queries.of(key, values, compile), values, compile)
  }
}

/** The texts that decide where a query runs that serves several values: few queries ask for them. */
const edgesOf = memo((_estimate: ScanEstimate) => new Known<BoundText>())

/** The query for these values, which `compile` makes of them alone. */
function queryFor(query: CompiledQuery, values: Values, compile: () => CompiledQuery): CompiledQuery {
  const { scanEstimate, byText, onePlan } = query
  return {
    ...textFor(query, values),
    ...(scanEstimate ? { scanEstimate: estimateFor(scanEstimate, values, () => given(compile().scanEstimate)) } : {}),
    ...(byText ? { byText: queryFor(byText, values, () => given(compile().byText)) } : {}),
    ...(onePlan ? { onePlan: textFor(onePlan, values) } : {}),
  }
}

function textFor<Text extends BoundText>(text: Text, values: Values): Text {
  const parameters = [...text.parameters]
  for (const { index, at, make } of text.slots ?? []) parameters[index] = make(given(values[at]))
  return { ...text, parameters }
}

function estimateFor(estimate: ScanEstimate, values: Values, compile: () => ScanEstimate): ScanEstimate {
  const edges = edgesOf(estimate)
  const edge: ScanEstimate['edge'] = (visits, columns) => {
    const key = JSON.stringify([visits, columns && [...columns]])
    return textFor(
      edges.of(key, values, () => compile().edge(visits, columns)),
      values,
    )
  }
  if (!estimate.before) return { ...estimate, edge }
  return { ...estimate, edge, before: (value) => given(compile().before)(value) }
}

function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a query was compiled otherwise for values that answer alike')
  return value
}
