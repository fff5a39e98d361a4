// A reference evaluator of queries over plain objects. It shares nothing with the engine but the types of its syntax
// trees and the names of a document's properties.
import { LongNumber } from '../../src/base/long-number.ts'
import type { Properties, Property, ValueType } from '../../src/model/document.ts'
import type { Expression, Literal, Operand, OrderItem, SelectItem } from '../../src/query/parse/tree.ts'

export type Row = Readonly<Record<string, unknown>>

/** The type of each property by its path, including those inside lists and associations. */
export type Types = Readonly<Record<string, ValueType>>

/** An integer that is not exact as a number is a bigint. */
export type Value = string | number | bigint | boolean | LongNumber
type Typed = { readonly type: string; readonly value: Value; readonly absent?: Value | undefined }

/** The value of a variable: an item, and the path of its list. */
interface Item {
  readonly variable: string
  readonly row: Row
  readonly path: string
}

/** `items` are the values of the variables in scope, the outermost first. */
export function evaluate(expression: Expression, row: Row, types: Types, items: readonly Item[] = []): boolean {
  const inner = (one: Expression) => evaluate(one, row, types, items)
  const typed = (operand: Operand) => typedValue(operand, row, types, items)
  switch (expression.kind) {
    case 'and':
      return expression.terms.every(inner)
    case 'or':
      return expression.terms.some(inner)
    case 'not':
      return !inner(expression.term)
    case 'test':
      return typed(expression.operand).value === true
    case 'in': {
      const { type, value, absent } = typed(expression.operand)
      return expression.values.some((literal) => compare(value, literalAs(literal, type, absent)) === 0)
    }
    case 'compare': {
      const [left, right] = [expression.left, expression.right]
      const { type, absent } =
        left.kind !== 'literal'
          ? typed(left)
          : right.kind !== 'literal'
            ? typed(right)
            : { type: 'string', absent: undefined }
      const sideTypes = [left, right].map((operand) => (operand.kind === 'literal' ? type : typed(operand).type))
      const side = (operand: Operand) => {
        const value = operand.kind === 'literal' ? literalAs(operand, type, absent) : typed(operand).value
        // Compared with a number, a decimal is the nearest double; an exact number is compared as it is.
        const isRounded = sideTypes.includes('number') && !sideTypes.includes('exact')
        return value instanceof LongNumber && isRounded ? Number(value.text) : value
      }
      const order = compare(side(left), side(right))
      return { eq: order === 0, ne: order !== 0, gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0 }[
        expression.op
      ]
    }
    case 'any':
    case 'all': {
      const { found, path } = follow(expression.list.names, row, items)
      const { variable, body } = expression
      const isMet = (item: Row) => !body || evaluate(body, row, types, [...items, { variable, row: item, path }])
      return expression.kind === 'any' ? (found as Row[]).some(isMet) : (found as Row[]).every(isMet)
    }
  }
}

/** The number of items of a list. */
const COUNT = '$count'

/** Resolves a path: from the item of the innermost variable of that name, or from the record. */
function follow(names: readonly string[], record: Row, items: readonly Item[]): { found: unknown; path: string } {
  const [first = ''] = names
  const item = items.findLast(({ variable }) => variable.toLowerCase() === first.toLowerCase())
  let found: unknown = item ? item.row : record
  const path = item ? [item.path] : []
  for (const name of item ? names.slice(1) : names) {
    if (Array.isArray(found) && name.toLowerCase() === COUNT) return { found: found.length, path: COUNT }
    const known = nameIn(found as Row, name)
    path.push(known)
    found = (found as Row)[known]
  }
  return { found, path: path.join('/') }
}

/** Alternative names of properties (decision 6, shapes). */
const OTHER_NAMES: Readonly<Record<string, string>> = { phonenumber: 'phoneNumbers', sequencenumber: 'sortOrder' }

/** Property names are not case-sensitive. */
function nameIn(row: Row, asked: string): string {
  const find = (name: string) => Object.keys(row).find((one) => one.toLowerCase() === name.toLowerCase())
  const found = find(asked) ?? find(OTHER_NAMES[asked.toLowerCase()] ?? '')
  if (found === undefined) throw new Error(`no property ${asked} in ${Object.keys(row)}`)
  return found
}

/** Texts compare by code point, numbers by value. */
export function compare(one: Value, other: Value): number {
  if (one instanceof LongNumber || other instanceof LongNumber) return compareDigits(digitsOf(one), digitsOf(other))
  if (typeof one !== 'string' || typeof other !== 'string') return one < other ? -1 : one > other ? 1 : 0
  const [left, right] = [[...one], [...other]]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Compares decimal numbers of any length; neither has a large exponent. */
function compareDigits(one: string, other: string): number {
  const parts = [one, other].map((text) => {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] =
      /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
    const digits = BigInt(`0${whole}${fraction}`)
    return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - fraction.length }
  })
  const least = Math.min(...parts.map(({ exponent }) => exponent))
  const [left = 0n, right = 0n] = parts.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least))
  return left < right ? -1 : left > right ? 1 : 0
}

const digitsOf = (value: Value) => (value instanceof LongNumber ? value.text : String(value))

function literalAs(literal: Literal, type: string, absent?: Value): Value {
  if (literal.type === 'null' && absent !== undefined) return absent
  if (literal.type === 'null')
    return { string: '', 'date-time': '1900-01-01T00:00:00.000Z', date: '1900-01-01', boolean: false }[type] ?? 0
  if (type === 'string') return literal.text
  if (type === 'boolean') return literal.text.toLowerCase() === 'true'
  if (type === 'integer' && /^[+-]?\d+$/.test(literal.text)) return BigInt(literal.text.replace('+', ''))
  if (type === 'decimal' || type === 'exact') return new LongNumber(literal.text)
  if (type === 'integer' || type === 'number') return Number(literal.text)
  const day = instant(literal.text)
  return type === 'date' ? day.slice(0, 10) : day
}

/** A literal without a time zone is in UTC. */
function instant(text: string): string {
  const upper = text.toUpperCase()
  const timed = upper.includes('T') ? upper : `${upper}T00:00`
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(timed.slice(10)) ? timed : `${timed}Z`
  return new Date(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).toISOString()
}

/** What `null` means for the ends of validities (decision 6.102). */
const OPEN_ENDS: Readonly<Record<string, Value>> = {
  dateTo: '2099-12-31T00:00:00.000Z',
  expiryDate: '2099-12-31T00:00:00.000Z',
  periodTo: 209912,
}

function typedValue(operand: Operand, row: Row, types: Types, items: readonly Item[]): Typed {
  if (operand.kind === 'literal') return { type: 'string', value: operand.text }
  if (operand.kind === 'property') {
    const { found, path } = follow(operand.names, row, items)
    const absent = OPEN_ENDS[path.split('/').at(-1) ?? '']
    return { type: path === COUNT ? 'integer' : (types[path] ?? 'string'), value: found as Value, absent }
  }
  const args = operand.args.map((arg) =>
    arg.kind === 'literal'
      ? literalAs(arg, /^(date|year|month|day)$/.test(operand.name) ? 'date-time' : 'string')
      : typedValue(arg, row, types, items).value,
  )
  return call(operand.name, args.map(String))
}

/** Case folding of one letter to one letter; a letter that folds to several is unchanged. */
function fold(text: string, to: (letter: string) => string): string {
  return [...text].map((letter) => ([...to(letter)].length === 1 ? to(letter) : letter)).join('')
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

/** Sorts the records, with the key as the last criterion. */
export function inOrder(rows: readonly Row[], order: readonly OrderItem[], key: readonly string[]): Row[] {
  const at = (row: Row, names: readonly string[]) => follow(names, row, []).found as Value
  const steps = [
    ...order.map(({ path, isDescending }) => ({ names: path.names, sign: isDescending ? -1 : 1 })),
    ...key.map((name) => ({ names: [name], sign: 1 })),
  ]
  return rows.toSorted((one, other) => {
    for (const { names, sign } of steps) {
      const difference = compare(at(one, names), at(other, names)) * sign
      if (difference !== 0) return difference
    }
    return 0
  })
}

const EVERYTHING: SelectItem = { name: '*', position: 0, inside: undefined, description: undefined }

/** Applies a selection to a record, in the order of the definition; a description stands beside its code. */
export function choose(record: Row, properties: Properties, select: readonly SelectItem[] = [EVERYTHING]): Row {
  const isWhole = select.some(({ name }) => name === '*')
  const parts = Object.entries(properties).flatMap(([name, property]) => {
    const isAnsweredUnasked =
      isWhole && (property.kind === 'value' || (property.kind === 'group' && !property.isOnRequest))
    const spellings = [name, ...('aliases' in property ? (property.aliases ?? []) : [])]
    const asked = select.filter((item) => spellings.some((one) => isSame(one, item.name)))
    const spelled = asked.map((item) => spellings.find((one) => isSame(one, item.name)) ?? name)
    return [...new Set(isAnsweredUnasked ? [...spelled, name] : spelled)].flatMap((spelling) => {
      const items = asked.filter((item) => isSame(item.name, spelling))
      if (isAnsweredUnasked && spelling === name) items.push(EVERYTHING)
      return chooseOne(record, name, property, items).map(([suffix, value]) => [spelling + suffix, value] as const)
    })
  })
  return Object.fromEntries(parts)
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function chooseOne(record: Row, name: string, property: Property, items: readonly SelectItem[]): [string, unknown][] {
  if (property.kind === 'value') {
    const code: [string, unknown][] = items.some((item) => item.description !== 'T') ? [['', record[name]]] : []
    const suffix = '(description)'
    return items.some((item) => item.description) ? [...code, [suffix, record[name + suffix]]] : code
  }
  const inside = items.flatMap((item) => item.inside ?? [EVERYTHING])
  const within = property.kind === 'association' ? property.document.properties : property.properties
  const wanted = property.kind === 'group' && property.isComplex ? [EVERYTHING] : inside
  const found = record[name]
  if (property.kind === 'list') return [['', (found as Row[]).map((item) => choose(item, within, wanted))]]
  return [['', choose(found as Row, within, wanted)]]
}
