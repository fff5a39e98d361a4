// A filter tree to its meaning for one document. Throws a QueryError with the position of what makes no sense.
import type { DocumentDefinition } from '../model/document.ts'
import type { BoundExpression, BoundOperand, BoundType, FunctionName } from './bound.ts'
import { literalAlone, literalAs, literalText, typeName } from './literals.ts'
import { requireList, requireValueProperty, type Surroundings, type Use } from './names.ts'
import type { Call, Expression, Operand } from './parse/tree.ts'
import { meaningError, unknownFunction } from './query-error.ts'

interface Signature {
  readonly name: FunctionName
  readonly args: readonly BoundType[]
  readonly type: BoundType
  /** OData 2 has the part before the whole. */
  readonly isReversed?: boolean
}

const STRINGS = ['string', 'string'] as const

const FUNCTIONS: Readonly<Record<string, Signature>> = {
  contains: { name: 'contains', args: STRINGS, type: 'boolean' },
  substringof: { name: 'contains', args: STRINGS, type: 'boolean', isReversed: true },
  startswith: { name: 'startswith', args: STRINGS, type: 'boolean' },
  endswith: { name: 'endswith', args: STRINGS, type: 'boolean' },
  length: { name: 'length', args: ['string'], type: 'integer' },
  tolower: { name: 'tolower', args: ['string'], type: 'string' },
  toupper: { name: 'toupper', args: ['string'], type: 'string' },
  trim: { name: 'trim', args: ['string'], type: 'string' },
  date: { name: 'date', args: ['date-time'], type: 'date' },
  year: { name: 'year', args: ['date-time'], type: 'integer' },
  month: { name: 'month', args: ['date-time'], type: 'integer' },
  day: { name: 'day', args: ['date-time'], type: 'integer' },
}

export function bindFilter(definition: DocumentDefinition, expression: Expression): BoundExpression {
  return bindExpression({ properties: definition.properties, items: [] }, expression)
}

function bindExpression(within: Surroundings, expression: Expression): BoundExpression {
  const bind = (inner: Expression) => bindExpression(within, inner)
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, terms: expression.terms.map(bind) }
    case 'not':
      return { kind: 'not', term: bind(expression.term) }
    case 'test':
      return bindTest(within, expression.operand, expression.position)
    case 'compare': {
      const [left, right] = bindPair(within, expression)
      return { kind: 'compare', op: expression.op, left, right }
    }
    case 'in': {
      const operand = bindOperand(within, expression.operand)
      return { kind: 'in', operand, values: expression.values.map((value) => literalAs(value, operand.type)) }
    }
    case 'any':
    case 'all':
      return bindQuantified(within, expression)
  }
}

/** In the body the variable stands for one item. A condition of none is met by any item, and by all of them. */
function bindQuantified(
  within: Surroundings,
  { kind, list: path, variable, body }: Extract<Expression, { kind: 'any' | 'all' }>,
): BoundExpression {
  const { property: list, place } = requireList('filter', within, path)
  // Every item would be looked at with every other one: the square of a list that a caller has written.
  if (within.items.some(({ properties }) => properties === list.properties)) {
    throw meaningError('filter', path.position, `'${path.names.join('/')}' is asked inside itself`)
  }
  const items = [...within.items, { variable, properties: list.properties }]
  const item = within.items.length
  return { kind, list, place, item, body: body && bindExpression({ ...within, items }, body) }
}

function bindTest(within: Surroundings, operand: Operand, position: number): BoundExpression {
  const bound = bindOperand(within, operand)
  if (bound.type === 'boolean') return { kind: 'test', operand: bound }
  throw meaningError('filter', position, `${one(bound.type)} is neither true nor false: a comparison is expected`)
}

/** Both sides of a comparison in one type: a literal takes that of the other side. */
function bindPair(
  within: Surroundings,
  { op, left, right, position }: Extract<Expression, { kind: 'compare' }>,
): readonly [BoundOperand, BoundOperand] {
  if (left.kind === 'literal' && right.kind !== 'literal') {
    const bound = bindOperand(within, right)
    return [literalAs(left, bound.type), bound]
  }
  const bound = bindOperand(within, left, right.kind === 'literal' ? { rest: ` ${op} ${literalText(right)}` } : {})
  if (right.kind === 'literal') return [bound, literalAs(right, bound.type)]
  const other = bindOperand(within, right, { takesString: bound.type === 'string' })
  if (familyOf(bound.type) !== familyOf(other.type)) {
    throw meaningError('filter', position, `${one(bound.type)} cannot be compared with ${one(other.type)}`)
  }
  return [bound, other]
}

/** The type with its article. */
function one(type: BoundType): string {
  return type === 'integer' ? 'an integer' : `a ${typeName(type)}`
}

function familyOf(type: BoundType): string {
  return type === 'integer' || type === 'decimal' ? 'number' : type
}

function bindOperand(within: Surroundings, operand: Operand, use?: Use): BoundOperand {
  switch (operand.kind) {
    case 'literal':
      return literalAlone(operand)
    case 'property': {
      const { property, place } = requireValueProperty('filter', within, operand, use)
      if (!property.filterable) {
        throw meaningError('filter', operand.position, `'${operand.names.join('/')}' cannot be used in a filter`)
      }
      return { kind: 'property', type: property.type, property, place }
    }
    case 'call':
      return bindCall(within, operand)
  }
}

function bindCall(within: Surroundings, call: Call): BoundOperand {
  const signature = Object.hasOwn(FUNCTIONS, call.name) ? FUNCTIONS[call.name] : undefined
  if (!signature) throw unknownFunction(call.position, call.name, Object.keys(FUNCTIONS))
  const wanted = signature.args.length
  if (call.args.length !== wanted) {
    const values = wanted === 1 ? '1 value' : `${wanted} values`
    throw meaningError('filter', call.position, `${call.name} takes ${values}, not ${call.args.length}`)
  }
  const args = call.args.map((arg, index) => bindArgument(within, call, arg, signature.args[index] ?? 'string'))
  return {
    kind: 'call',
    type: signature.type,
    name: signature.name,
    args: signature.isReversed ? args.toReversed() : args,
  }
}

function bindArgument(within: Surroundings, call: Call, arg: Operand, type: BoundType): BoundOperand {
  if (arg.kind === 'literal') return literalAs(arg, type)
  const bound = bindOperand(within, arg, { takesString: type === 'string' })
  if (bound.type === type) return bound
  throw meaningError('filter', arg.position, `${call.name} takes ${one(type)}, not ${one(bound.type)}`)
}
