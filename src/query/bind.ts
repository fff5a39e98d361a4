// Binds a filter tree to one document. Throws a QueryError with the position of the first part that is not valid for
// it.
import type { DocumentDefinition } from '../model/document.ts'
import type { BoundExpression, BoundOperand, FunctionName } from './bound.ts'
import type { BoundType, BoundValue } from './bound-value.ts'
import { literalAlone, literalAs, literalText, typeName } from './literals.ts'
import { requireList, requireValueProperty, type Surroundings, type Use } from './names.ts'
import { meaningError, unknownFunction } from './parse/query-error.ts'
import type { Call, Expression, Literal, Operand } from './parse/tree.ts'

interface Signature {
  readonly name: FunctionName
  readonly args: readonly BoundType[]
  readonly type: BoundType
  /** `substringof` of OData 2 takes its arguments in the reverse order of `contains`. */
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

function bindExpression(scope: Surroundings, expression: Expression): BoundExpression {
  const bind = (inner: Expression) => bindExpression(scope, inner)
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, terms: expression.terms.map(bind) }
    case 'not':
      return { kind: 'not', term: bind(expression.term) }
    case 'test':
      return bindTest(scope, expression.operand, expression.position)
    case 'compare': {
      const [left, right] = bindPair(scope, expression)
      return { kind: 'compare', op: expression.op, left, right }
    }
    case 'in': {
      const operand = bindOperand(scope, expression.operand)
      return { kind: 'in', operand, values: expression.values.map((value) => literalBeside(operand, value)) }
    }
    case 'any':
    case 'all':
      return bindQuantified(scope, expression)
  }
}

/** Binds `any` and `all`. In the body, the variable stands for one item. Without a body, every item matches. */
function bindQuantified(
  scope: Surroundings,
  { kind, list: path, variable, body }: Extract<Expression, { kind: 'any' | 'all' }>,
): BoundExpression {
  const { property: list, place } = requireList('filter', scope, path)
  // Nesting a list in itself would compare every item with every other: quadratic in a size that clients control.
  if (scope.items.some(({ properties }) => properties === list.properties)) {
    throw meaningError('filter', path.position, `'${path.names.join('/')}' is asked inside itself`)
  }
  const items = [...scope.items, { variable, properties: list.properties }]
  const item = scope.items.length
  return { kind, list, place, item, body: body && bindExpression({ ...scope, items }, body) }
}

function bindTest(scope: Surroundings, operand: Operand, position: number): BoundExpression {
  const bound = bindOperand(scope, operand)
  if (bound.type === 'boolean') return { kind: 'test', operand: bound }
  throw meaningError(
    'filter',
    position,
    `${withArticle(bound.type)} is neither true nor false: a comparison is expected`,
  )
}

/** Binds both sides of a comparison to one type: a literal takes the type of the other side. */
function bindPair(
  scope: Surroundings,
  { op, left, right, position }: Extract<Expression, { kind: 'compare' }>,
): readonly [BoundOperand, BoundOperand] {
  if (left.kind === 'literal' && right.kind !== 'literal') {
    const bound = bindOperand(scope, right)
    return [literalBeside(bound, left), bound]
  }
  const bound = bindOperand(scope, left, right.kind === 'literal' ? { rest: ` ${op} ${literalText(right)}` } : {})
  if (right.kind === 'literal') return [bound, literalBeside(bound, right)]
  const other = bindOperand(scope, right, { takesString: bound.type === 'string' })
  if (familyOf(bound.type) !== familyOf(other.type)) {
    throw meaningError(
      'filter',
      position,
      `${withArticle(bound.type)} cannot be compared with ${withArticle(other.type)}`,
    )
  }
  return [bound, other]
}

/** A literal has the type of what it is compared with; `null` is what an absent value of a property is answered as. */
function literalBeside(operand: BoundOperand, literal: Literal): BoundValue {
  return literalAs(literal, operand.type, operand.kind === 'property' ? operand.property.absent : undefined)
}

function withArticle(type: BoundType): string {
  return type === 'integer' ? 'an integer' : `a ${typeName(type)}`
}

function familyOf(type: BoundType): string {
  return type === 'integer' || type === 'decimal' || type === 'exact' ? 'number' : type
}

function bindOperand(scope: Surroundings, operand: Operand, use?: Use): BoundOperand {
  switch (operand.kind) {
    case 'literal':
      return literalAlone(operand)
    case 'property': {
      const { property, place } = requireValueProperty('filter', scope, operand, use)
      if (!property.filterable) {
        throw meaningError('filter', operand.position, `'${operand.names.join('/')}' cannot be used in a filter`)
      }
      return { kind: 'property', type: property.type, property, place }
    }
    case 'call':
      return bindCall(scope, operand)
  }
}

function bindCall(scope: Surroundings, call: Call): BoundOperand {
  const signature = Object.hasOwn(FUNCTIONS, call.name) ? FUNCTIONS[call.name] : undefined
  if (!signature) throw unknownFunction('filter', call.position, call.name, Object.keys(FUNCTIONS))
  const count = signature.args.length
  if (call.args.length !== count) {
    const values = count === 1 ? '1 value' : `${count} values`
    throw meaningError('filter', call.position, `${call.name} takes ${values}, not ${call.args.length}`)
  }
  const args = call.args.map((arg, index) => bindArgument(scope, call, arg, signature.args[index] ?? 'string'))
  return {
    kind: 'call',
    type: signature.type,
    name: signature.name,
    args: signature.isReversed ? args.toReversed() : args,
  }
}

function bindArgument(scope: Surroundings, call: Call, arg: Operand, type: BoundType): BoundOperand {
  if (arg.kind === 'literal') return literalAs(arg, type)
  const bound = bindOperand(scope, arg, { takesString: type === 'string' })
  if (bound.type === type) return bound
  throw meaningError('filter', arg.position, `${call.name} takes ${withArticle(type)}, not ${withArticle(bound.type)}`)
}
