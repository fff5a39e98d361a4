// Which states of ledger transactions are asked for: registered, posted, historical (specification, object endpoints).
import { Type } from 'typebox'
import { asBoolean } from '../base/scalars.ts'
import { shortened } from '../base/text.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'
import type { ParameterText } from '../http/edge.ts'
import type { QueryPairs } from '../http/query-string.ts'
import type { Scope } from '../store/store.ts'
import { STATES } from './ledger-state-names.ts'

export const stateParameters: readonly ParameterText[] = STATES.map((name) => ({
  name,
  in: 'query',
  description: `Whether ${name} transactions are answered. At least one of ${STATES.join(', ')} must be true.`,
  schema: Type.Boolean({ default: false, ...(name === 'posted' ? { examples: [true] } : {}) }),
}))

/** Throws 400 (1020) when none is asked for, or one twice, and 400 (1010) for what is neither true nor false. */
export function statesScope(query: QueryPairs): Scope {
  const asked = STATES.filter((state) => isAskedFor(state, query))
  const [only] = asked
  if (only === undefined) {
    throw invalidOption(`At least one of ${STATES.join(', ')} should be set to true.`)
  }
  return [['state', asked.length === 1 ? only : asked]]
}

function isAskedFor(state: string, query: QueryPairs): boolean {
  const given = query.filter(([name]) => name.toLowerCase() === state)
  if (given.length > 1) throw invalidOption(`The query option '${state}' is given more than once.`)
  const [[, text] = ['', '']] = given
  if (text === '') return false
  const answer = asBoolean(text.trim())
  if (answer === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for ${state}.`)
  return answer
}
