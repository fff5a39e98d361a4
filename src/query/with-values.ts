import type { BoundExpression, BoundOperand } from './bound.ts'
import type { BoundValue } from './bound-value.ts'

/** The same condition with other values. */
export function withValues(filter: BoundExpression, other: (value: BoundValue) => BoundValue): BoundExpression {
  const inOperand = (operand: BoundOperand): BoundOperand => {
    if (operand.kind === 'value') return other(operand)
    return operand.kind === 'call' ? { ...operand, args: operand.args.map(inOperand) } : operand
  }
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map((term) => withValues(term, other)) }
    case 'not':
      return { kind: 'not', term: withValues(filter.term, other) }
    case 'compare':
      return { kind: 'compare', op: filter.op, left: inOperand(filter.left), right: inOperand(filter.right) }
    case 'in':
      return { kind: 'in', operand: inOperand(filter.operand), values: filter.values.map(other) }
    case 'test':
      return { kind: 'test', operand: inOperand(filter.operand) }
    case 'any':
    case 'all':
      return filter.body ? { ...filter, body: withValues(filter.body, other) } : filter
    case 'words':
      return filter
  }
}
