// Conditions that people choose, and the filter that says the same; the filter is read by the parser of the service.
import { filter } from '#client'
import { parseFilter } from '../../../../../src/query/parse/filter.ts'
import type { Comparison, Expression, Operand } from '../../../../../src/query/parse/tree.ts'
import { beginOf, type Timed } from '../../../service/moments.ts'
import type { Column } from '../list-columns.ts'
import { dayAfter, dayBefore, isLegal, valueIn } from './values.ts'

/** The exact ones tell upper case from lower case. */
export type Operator =
  | ('is' | 'isNot' | 'oneOf' | 'noneOf' | 'isEmpty' | 'isFilled')
  | ('contains' | 'containsNot' | 'startsWith' | 'containsExactly' | 'startsExactly')
  | ('from' | 'to' | 'between' | 'above' | 'below')

export interface Condition {
  /** The path of a column. */
  readonly path: string
  readonly operator: Operator
  /** Numbers with a point; days as 2026-01-31; `true` and `false`. */
  readonly values: readonly string[]
}

/** A condition that is the opposite of another one. */
const OPPOSITES: Readonly<Partial<Record<Operator, Operator>>> = {
  isNot: 'is',
  noneOf: 'oneOf',
  containsNot: 'contains',
  isEmpty: 'isFilled',
}
const NEGATIVE = new Map(Object.entries(OPPOSITES).map(([negative, positive]) => [positive, negative as Operator]))

/** The filter that all of the conditions make. Those of columns that are not there are left out. */
export function filterOf(conditions: readonly Condition[], columns: readonly Column[]): string {
  const texts = conditions.flatMap((condition) => {
    const column = columnAt(columns, condition.path)
    return column ? [textOf(condition, column)] : []
  })
  return texts.join(' and ')
}

export const columnAt = (columns: readonly Column[], path: string): Column | undefined =>
  columns.find((column) => column.path.toLowerCase() === path.toLowerCase())

function textOf({ operator, values }: Condition, column: Column): string {
  const { path, within } = column
  if (!within) return testOf(operator, path, column, values)
  // An item that is not so says nothing of the others.
  const positive = OPPOSITES[operator]
  const body = testOf(positive ?? operator, `i/${within.member.path}`, column, values)
  return `${positive ? 'not ' : ''}${within.list}/any(i: ${body})`
}

function testOf(operator: Operator, operand: string, column: Timed, values: readonly string[]): string {
  const { kind } = column
  const literal = (value = '') => (kind === 'text' ? String(filter`${value}`) : beginOf(value, column))
  const [first = '', last = first] = values
  const upTo = (value: string) =>
    kind === 'date-time' ? `${operand} lt ${literal(dayAfter(value))}` : `${operand} le ${literal(value)}`
  const list = () => `${operand} in (${values.map(literal).join(',')})`
  const folded = () => `tolower(${operand}),tolower(${literal(first)})`
  switch (operator) {
    case 'is':
      return kind === 'date-time' ? testOf('between', operand, column, [first]) : `${operand} eq ${literal(first)}`
    case 'isNot':
      return kind === 'date-time' ? `not (${testOf('is', operand, column, values)})` : `${operand} ne ${literal(first)}`
    case 'oneOf':
      return list()
    case 'noneOf':
      return `not ${list()}`
    case 'isEmpty':
      return `${operand} eq null`
    case 'isFilled':
      return `${operand} ne null`
    case 'contains':
      return `contains(${folded()})`
    case 'containsNot':
      return `not contains(${folded()})`
    case 'startsWith':
      return `startswith(${folded()})`
    case 'containsExactly':
      return `contains(${operand},${literal(first)})`
    case 'startsExactly':
      return `startswith(${operand},${literal(first)})`
    case 'from':
      return `${operand} ge ${literal(first)}`
    case 'to':
      return upTo(first)
    case 'between':
      return `${operand} ge ${literal(first)} and ${upTo(last)}`
    case 'above':
      return `${operand} gt ${literal(first)}`
    case 'below':
      return `${operand} lt ${literal(first)}`
  }
}

/** The conditions that a filter is made of; undefined where it says what no conditions say. */
export function conditionsIn(text: string, columns: readonly Column[]): readonly Condition[] | undefined {
  if (text.trim() === '') return []
  const tree = treeOf(text)
  return tree && conditionsOf(tree, { columns, item: undefined })
}

function treeOf(text: string): Expression | undefined {
  try {
    return parseFilter(text)
  } catch {
    return undefined
  }
}

interface Scope {
  readonly columns: readonly Column[]
  /** The list of which an item is asked, and the name of the item. */
  readonly item: { readonly list: string; readonly variable: string } | undefined
}

function conditionsOf(tree: Expression, scope: Scope): readonly Condition[] | undefined {
  const found: Condition[] = []
  for (const term of tree.kind === 'and' ? tree.terms : [tree]) {
    const inner = term.kind === 'and' ? conditionsOf(term, scope) : conditionOf(term, scope)
    if (!inner) return undefined
    found.push(...[inner].flat())
  }
  return found.reduce((done, next) => joined(done, next, scope), found.slice(0, 0))
}

/** From and to of one column are a range, or one day. Of a list, they may be those of two items. */
function joined(found: Condition[], next: Condition, { columns, item }: Scope): Condition[] {
  const before = found.at(-1)
  const column = columnAt(columns, next.path)
  const isRange = before?.operator === 'from' && next.operator === 'to' && before.path === next.path
  if (!isRange || (column?.within && !item)) return [...found, next]
  const [first = '', last = ''] = [...before.values, ...next.values]
  const range: Condition =
    column?.kind === 'date-time' && first === last
      ? { path: next.path, operator: 'is', values: [first] }
      : { path: next.path, operator: 'between', values: [first, last] }
  return [...found.slice(0, -1), range]
}

function conditionOf(term: Expression, scope: Scope): Condition | undefined {
  switch (term.kind) {
    case 'not':
      return opposite(onlyOne(conditionsOf(term.term, scope)), scope)
    case 'any':
      return ofItem(term, scope)
    case 'in': {
      const column = columnOf(term.operand, scope)
      const values = term.values.map((literal) => column && valueIn(literal, column))
      return column && condition(column, 'oneOf', values)
    }
    case 'compare':
      return ofComparison(term, scope)
    case 'test':
      return ofTest(term.operand, scope)
    default:
      return undefined
  }
}

const onlyOne = (conditions: readonly Condition[] | undefined): Condition | undefined =>
  conditions?.length === 1 ? conditions[0] : undefined

function opposite(one: Condition | undefined, { columns }: Scope): Condition | undefined {
  const operator = one && (NEGATIVE.get(one.operator) ?? OPPOSITES[one.operator])
  const column = one && columnAt(columns, one.path)
  return operator && column && condition(column, operator, one.values)
}

/** What a chip says of a list is what one of its items is. */
function ofItem(
  { list, variable, body }: Extract<Expression, { kind: 'any' | 'all' }>,
  scope: Scope,
): Condition | undefined {
  if (!body || scope.item) return undefined
  const found = onlyOne(conditionsOf(body, { ...scope, item: { list: list.names.join('/'), variable } }))
  return found && !OPPOSITES[found.operator] ? found : undefined
}

const COMPARED: Readonly<Record<Comparison, Operator>> = {
  eq: 'is',
  ne: 'isNot',
  ge: 'from',
  le: 'to',
  gt: 'above',
  lt: 'below',
}

function ofComparison({ op, left, right }: Extract<Expression, { kind: 'compare' }>, scope: Scope) {
  const column = columnOf(left, scope)
  if (!column || right.kind !== 'literal') return undefined
  const isNothing = right.type === 'null' || (column.kind === 'text' && right.type === 'string' && right.text === '')
  if (isNothing) {
    if (op !== 'eq' && op !== 'ne') return undefined
    return condition(column, op === 'eq' ? 'isEmpty' : 'isFilled', [])
  }
  const value = valueIn(right, column)
  if (column.kind !== 'date-time') return condition(column, COMPARED[op], [value])
  // A day is from its begin to that of the next one: `eq` and `le` speak of its first moment.
  if (op === 'ge') return condition(column, 'from', [value])
  return op === 'lt' ? condition(column, 'to', [value === undefined ? undefined : dayBefore(value)]) : undefined
}

function ofTest(operand: Operand, scope: Scope): Condition | undefined {
  if (operand.kind !== 'call') {
    const column = columnOf(operand, scope)
    return column?.kind === 'boolean' ? condition(column, 'is', ['true']) : undefined
  }
  const [subject, text] = operand.args
  const isBegin = operand.name === 'startswith'
  if (!subject || !text || !(isBegin || operand.name === 'contains')) return undefined
  const isFolded = isLower(subject) && isLower(text)
  const [named, literal] = isFolded ? [subject.args[0], text.args[0]] : [subject, text]
  const column = named && columnOf(named, scope)
  if (column?.kind !== 'text' || literal?.kind !== 'literal' || literal.text === '') return undefined
  const operator = isFolded ? (isBegin ? 'startsWith' : 'contains') : isBegin ? 'startsExactly' : 'containsExactly'
  return condition(column, operator, [valueIn(literal, column)])
}

const isLower = (operand: Operand): operand is Extract<Operand, { kind: 'call' }> =>
  operand.kind === 'call' && operand.name === 'tolower'

function condition(column: Column, operator: Operator, values: readonly (string | undefined)[]): Condition | undefined {
  const known = values.filter((value) => value !== undefined)
  if (known.length < values.length || !isLegal(column, operator)) return undefined
  return { path: column.path, operator, values: known }
}

/** The column that a path leads to, from the record or from the item that is asked. */
function columnOf(operand: Operand, { columns, item }: Scope): Column | undefined {
  if (operand.kind !== 'property') return undefined
  const [first = '', ...rest] = operand.names
  if (!item) return filterable(columnAt(columns, operand.names.join('/')), false)
  const isOfItem = first.toLowerCase() === item.variable.toLowerCase() && rest.length > 0
  return isOfItem ? filterable(columnAt(columns, [item.list, ...rest].join('/')), true) : undefined
}

function filterable(column: Column | undefined, isOfList: boolean): Column | undefined {
  if (!column || (column.within !== undefined) !== isOfList) return undefined
  return isFilterable(column) ? column : undefined
}

/** Whether there may be a condition of it. */
export const isFilterable = ({ isFilterable: isOne, within }: Column): boolean => within?.member.isFilterable ?? isOne
