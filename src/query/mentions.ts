import type { Property } from '../model/document.ts'
import type { BoundExpression, BoundOperand } from './bound.ts'

/** Whether a filter uses a property anywhere in its tree. */
export function mentions(filter: BoundExpression | undefined, property: Property): boolean {
  if (!filter) return false
  const inOperand = (operand: BoundOperand): boolean =>
    operand.kind === 'property'
      ? operand.property === property
      : operand.kind === 'call' && operand.args.some(inOperand)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.some((term) => mentions(term, property))
    case 'not':
      return mentions(filter.term, property)
    case 'compare':
      return inOperand(filter.left) || inOperand(filter.right)
    case 'in':
    case 'test':
      return inOperand(filter.operand)
    case 'any':
    case 'all':
      return mentions(filter.body, property)
    case 'words':
      return false
  }
}
