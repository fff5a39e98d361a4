// A bound filter to a condition. Operands are emitted in the order of the text, because parameters count from its start.
import type { BoundExpression, BoundOperand } from '../../query/bound.ts'
import type { Emitter } from './emitter.ts'
import { successorOf } from './successor.ts'

const OPERATORS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

export function compileFilter(expression: BoundExpression, emitter: Emitter): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `(${expression.terms.map((term) => compileFilter(term, emitter)).join(` ${expression.kind} `)})`
    case 'not':
      return `not (${compileFilter(expression.term, emitter)})`
    case 'compare':
      return `${operand(expression.left, emitter)} ${OPERATORS[expression.op]} ${operand(expression.right, emitter)}`
    case 'in':
      return `${operand(expression.operand, emitter)} in (${expression.values.map((value) => operand(value, emitter)).join(', ')})`
    case 'test':
      return condition(expression.operand, emitter)
  }
}

function condition(bound: BoundOperand, emitter: Emitter): string {
  if (bound.kind !== 'call') return emitter.engine.condition(operand(bound, emitter))
  return operand(bound, emitter)
}

function operand(bound: BoundOperand, emitter: Emitter): string {
  switch (bound.kind) {
    case 'value':
      return emitter.bind(bound.value, bound.type)
    case 'property':
      return emitter.column(bound.property)
    case 'call':
      return call(bound, emitter)
  }
}

type BoundCall = Extract<BoundOperand, { kind: 'call' }>

function call({ name, args }: BoundCall, emitter: Emitter): string {
  const [first, second] = args
  if (!first) throw new Error(`${name} was bound without a value`)
  const whole = () => operand(first, emitter)
  const part = () => (second ? operand(second, emitter) : '')
  switch (name) {
    case 'contains':
      return `(${emitter.engine.indexOf(whole(), part())} > 0)`
    case 'startswith':
      return startsWith(first, second, emitter)
    case 'endswith':
      // The length is asked first: where the whole is shorter, its end would begin before its start.
      return `(length(${whole()}) >= length(${part()}) and substr(${whole()}, length(${whole()}) - length(${part()}) + 1) = ${part()})`
    case 'length':
      return `length(${whole()})`
    case 'trim':
      return `trim(${whole()})`
    case 'tolower':
    case 'toupper':
      return emitter.engine.fold(whole(), name === 'tolower' ? 'lower' : 'upper', (text) =>
        emitter.bind(text, 'string'),
      )
    case 'date':
      return `substr(${whole()}, 1, 10)`
    case 'year':
      return `cast(substr(${whole()}, 1, 4) as integer)`
    case 'month':
      return `cast(substr(${whole()}, 6, 2) as integer)`
    case 'day':
      return `cast(substr(${whole()}, 9, 2) as integer)`
  }
}

/** With a literal, a range of code points, which an index can serve. */
function startsWith(first: BoundOperand, second: BoundOperand | undefined, emitter: Emitter): string {
  if (second?.kind === 'value' && typeof second.value === 'string') {
    const successor = successorOf(second.value)
    const from = `${operand(first, emitter)} >= ${emitter.bind(second.value, 'string')}`
    if (successor === undefined) return `(${from})`
    return `(${from} and ${operand(first, emitter)} < ${emitter.bind(successor, 'string')})`
  }
  const part = () => (second ? operand(second, emitter) : '')
  return `(substr(${operand(first, emitter)}, 1, length(${part()})) = ${part()})`
}
