// The meaning of a filter, written out plainly over objects, with nothing of the engine in it but the shape of its tree.
import type { Expression, Literal, Operand } from '../../src/query/parse/tree.ts'

export type Row = Readonly<Record<string, unknown>>

/** The type of each property, by its path. */
export type Types = Readonly<Record<string, 'string' | 'integer' | 'number' | 'boolean' | 'date-time'>>

type Value = string | number | boolean
type Typed = { readonly type: string; readonly value: Value }

export function evaluate(expression: Expression, row: Row, types: Types): boolean {
  const inner = (one: Expression) => evaluate(one, row, types)
  switch (expression.kind) {
    case 'and':
      return expression.terms.every(inner)
    case 'or':
      return expression.terms.some(inner)
    case 'not':
      return !inner(expression.term)
    case 'test':
      return typedValue(expression.operand, row, types).value === true
    case 'in': {
      const { type, value } = typedValue(expression.operand, row, types)
      return expression.values.some((literal) => compare(value, literalAs(literal, type)) === 0)
    }
    case 'compare': {
      const [left, right] = [expression.left, expression.right]
      const type =
        left.kind === 'literal'
          ? right.kind === 'literal'
            ? 'string'
            : typedValue(right, row, types).type
          : typedValue(left, row, types).type
      const order = compare(sideOf(left, type, row, types), sideOf(right, type, row, types))
      return { eq: order === 0, ne: order !== 0, gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0 }[
        expression.op
      ]
    }
    default:
      throw new Error(`no meaning for ${expression.kind}`)
  }
}

function sideOf(operand: Operand, type: string, row: Row, types: Types): Value {
  return operand.kind === 'literal' ? literalAs(operand, type) : typedValue(operand, row, types).value
}

/** Code point by code point; numbers as numbers. */
export function compare(one: Value, other: Value): number {
  if (typeof one !== 'string' || typeof other !== 'string') return Number(one) - Number(other)
  const [left, right] = [[...one], [...other]]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function literalAs(literal: Literal, type: string): Value {
  if (literal.type === 'null')
    return { string: '', 'date-time': '1900-01-01T00:00:00.000Z', date: '1900-01-01', boolean: false }[type] ?? 0
  if (type === 'string') return literal.text
  if (type === 'boolean') return literal.text.toLowerCase() === 'true'
  if (type === 'integer' || type === 'number') return Number(literal.text)
  const day = instant(literal.text)
  return type === 'date' ? day.slice(0, 10) : day
}

/** A literal without a zone is of UTC. */
function instant(text: string): string {
  const upper = text.toUpperCase()
  const timed = upper.includes('T') ? upper : `${upper}T00:00`
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(timed.slice(10)) ? timed : `${timed}Z`
  return new Date(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).toISOString()
}

function typedValue(operand: Operand, row: Row, types: Types): Typed {
  if (operand.kind === 'literal') return { type: 'string', value: operand.text }
  if (operand.kind === 'property') {
    const path = operand.names.join('/')
    const found = operand.names.reduce<unknown>((value, name) => (value as Row)[name], row)
    return { type: types[path] ?? 'string', value: found as Value }
  }
  const args = operand.args.map((arg) =>
    arg.kind === 'literal'
      ? literalAs(arg, /^(date|year|month|day)$/.test(operand.name) ? 'date-time' : 'string')
      : typedValue(arg, row, types).value,
  )
  return call(operand.name, args.map(String))
}

/** One letter for one letter: what folds to several stays. */
function fold(text: string, to: (letter: string) => string): string {
  return [...text].map((letter) => (letter.length === 1 && to(letter).length === 1 ? to(letter) : letter)).join('')
}

function call(name: string, [first = '', second = '']: readonly string[]): Typed {
  switch (name) {
    case 'contains':
      return { type: 'boolean', value: first.includes(second) }
    case 'substringof':
      return { type: 'boolean', value: second.includes(first) }
    case 'startswith':
      return { type: 'boolean', value: first.startsWith(second) }
    case 'endswith':
      return { type: 'boolean', value: first.endsWith(second) }
    case 'length':
      return { type: 'integer', value: [...first].length }
    case 'tolower':
      return { type: 'string', value: fold(first, (letter) => letter.toLowerCase()) }
    case 'toupper':
      return { type: 'string', value: fold(first, (letter) => letter.toUpperCase()) }
    case 'trim':
      return { type: 'string', value: first.replace(/^ +| +$/g, '') }
    case 'date':
      return { type: 'date', value: first.slice(0, 10) }
    case 'year':
      return { type: 'integer', value: Number(first.slice(0, 4)) }
    case 'month':
      return { type: 'integer', value: Number(first.slice(5, 7)) }
    case 'day':
      return { type: 'integer', value: Number(first.slice(8, 10)) }
    default:
      throw new Error(`no function ${name}`)
  }
}
