// The parameters for the states of ledger transactions: registered, posted, historical (specification, object
// endpoints).

import { Type } from 'typebox'
import { asBoolean } from '../base/numbers/scalars.ts'
import { type QueryPairs, shortened } from '../base/text.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'
import { type ParameterDescription, queryParameter } from '../model/option-texts.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import { STATES } from './ledger-state-names.ts'

export const stateParameters: readonly ParameterDescription[] = STATES.map((name) =>
  queryParameter(
    name,
    `Whether ${name} transactions are answered. At least one of ${STATES.join(', ')} must be true.`,
    Type.Boolean({ default: false, ...(name === 'posted' ? { examples: [true] } : {}) }),
  ),
)

/**
 * The condition on the state. Throws 400 (1020) if no state is requested or one is given twice, and 400 (1010) for
 * illegal booleans.
 */
export function statesScope(query: QueryPairs): KeyFilter {
  const states = STATES.filter((state) => isRequested(state, query))
  const [first] = states
  if (first === undefined) {
    throw invalidOption(`At least one of ${STATES.join(', ')} should be set to true.`)
  }
  return [['state', states.length === 1 ? first : states]]
}

function isRequested(state: string, query: QueryPairs): boolean {
  const given = query.filter(([name]) => name.toLowerCase() === state)
  if (given.length > 1) throw invalidOption(`The query option '${state}' is given more than once.`)
  const [[, text] = ['', '']] = given
  if (text === '') return false
  const flag = asBoolean(text.trim())
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for ${state}.`)
  return flag
}
