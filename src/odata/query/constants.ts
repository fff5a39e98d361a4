// OData's logic has three values, and the records here none of them `null`: what a condition says of `null` and of the
// literals `true` and `false` is known before any record is read.
import type { Expression, Operand } from '../../query/parse/tree.ts'

/** The condition without parts that no record can change; a boolean if nothing else is left. */
export function withoutConstants(condition: Expression): Expression | boolean {
  return hasConstants(condition) ? when(condition, true) : condition
}

/** Whether a condition is not only made of properties, their functions and values. */
function hasConstants(condition: Expression): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.terms.some(hasConstants)
    case 'not':
      return hasConstants(condition.term)
    case 'compare':
      return isConstant(condition.left) || isConstant(condition.right)
    case 'in':
      return isConstant(condition.operand) || condition.values.length === 0 || condition.values.some(isConstant)
    case 'test':
      return isConstant(condition.operand)
    case 'any':
    case 'all':
      return condition.body !== undefined && hasConstants(condition.body)
  }
}

function isConstant(operand: Operand): boolean {
  return isNull(operand) || booleanOf(operand) !== undefined
}

/** A function of `null` is `null`. */
function isNull(operand: Operand): boolean {
  return operand.kind === 'call' ? operand.args.some(isNull) : operand.kind === 'literal' && operand.type === 'null'
}

function booleanOf(operand: Operand): boolean | undefined {
  return operand.kind === 'literal' && operand.type === 'boolean' ? operand.text === 'true' : undefined
}

/** When a condition is `wanted`; one that is neither true nor false never is. */
function when(condition: Expression, wanted: boolean): Expression | boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return joined(
        (condition.kind === 'and') === wanted ? 'and' : 'or',
        condition.terms.map((term) => when(term, wanted)),
      )
    case 'not':
      return when(condition.term, !wanted)
    case 'test':
      if (isNull(condition.operand)) return false
      return same(condition, booleanOf(condition.operand), wanted)
    case 'compare':
      return same(condition, compared(condition), wanted)
    case 'in':
      return whenIn(condition, wanted)
    case 'any':
    case 'all':
      return whenQuantified(condition, wanted)
  }
}

function same(condition: Expression, known: boolean | undefined, wanted: boolean): Expression | boolean {
  if (known !== undefined) return known === wanted
  return wanted ? condition : { kind: 'not', term: condition }
}

function joined(kind: 'and' | 'or', terms: readonly (Expression | boolean)[]): Expression | boolean {
  const decides = kind === 'or'
  if (terms.includes(decides)) return decides
  const open = terms.filter((term) => typeof term !== 'boolean')
  const [only] = open
  if (only === undefined) return !decides
  return open.length === 1 ? only : { kind, terms: open }
}

/** Undefined if it depends on the record. Nothing is greater or less than `null`. */
function compared({ op, left, right }: Extract<Expression, { kind: 'compare' }>): boolean | undefined {
  const nulls = [left, right].filter(isNull).length
  if (nulls > 0) return op === 'eq' ? nulls === 2 : op === 'ne' ? nulls === 1 : false
  const [one, other] = [booleanOf(left), booleanOf(right)]
  if (one === undefined || other === undefined) return undefined
  if (op === 'eq' || op === 'ne') return (one === other) === (op === 'eq')
  const difference = Number(one) - Number(other)
  if (difference === 0) return op === 'ge' || op === 'le'
  return difference > 0 === (op === 'gt' || op === 'ge')
}

function whenIn(condition: Extract<Expression, { kind: 'in' }>, wanted: boolean): Expression | boolean {
  const { operand, values } = condition
  if (isNull(operand)) return values.some(isNull) === wanted
  const others = values.filter((value) => !isNull(value))
  return same({ ...condition, values: others }, others.length === 0 ? false : undefined, wanted)
}

function whenQuantified(
  condition: Extract<Expression, { kind: 'any' | 'all' }>,
  wanted: boolean,
): Expression | boolean {
  const { kind, body } = condition
  if (body === undefined) return same(condition, kind === 'all' ? true : undefined, wanted)
  const met = when(body, true)
  // All of no items meet any condition; that there is an item is the question without a condition.
  if (met === true) return same({ ...condition, body: undefined }, kind === 'all' ? true : undefined, wanted)
  if (met === false) {
    if (kind === 'any') return !wanted
    return same({ ...condition, kind: 'any', body: undefined }, undefined, !wanted)
  }
  return same({ ...condition, body: met }, undefined, wanted)
}
