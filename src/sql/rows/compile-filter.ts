// Compiles a bound filter to a condition that is never null. Operands are emitted in the order of the text, because
// parameters are numbered from its start.

import { BEYOND, floorUnits } from '../../base/numbers/decimal.ts'
import { ABSENT } from '../../model/document.ts'
import type { BoundExpression, BoundOperand, BoundProperty, Place } from '../../query/bound.ts'
import { BoundValue, type PlainValue } from '../../query/bound-value.ts'
import type { Comparison } from '../../query/parse/tree.ts'
import type { ShortNumber } from '../dialect.ts'
import { casePairs } from './case-pairs.ts'
import type { SqlParameters } from './emitter.ts'
import { lettersOfPart } from './folded-part.ts'
import { functionSql } from './functions.ts'
import type { ColumnSql, FromClause } from './rows.ts'
import { hasSuccessor, successorOf } from './successor.ts'

const OPERATORS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

const MIRRORED = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const

/** The operator to use with the lower of two adjacent decimals, instead of the operator with a value between them. */
const BETWEEN = { eq: 'eq', ne: 'ne', gt: 'gt', ge: 'gt', lt: 'le', le: 'le' } as const

const NO_TEXT = new BoundValue('string', '')
const BEYOND_ALL = new BoundValue('decimal', BEYOND)

type BoundCall = Extract<BoundOperand, { kind: 'call' }>
type Quantified = Extract<BoundExpression, { kind: 'any' | 'all' }>

export class FilterCompiler {
  readonly #sql: SqlParameters
  readonly #document: FromClause
  /** The items of the enclosing lists, the outermost first. */
  readonly #items: FromClause[] = []

  constructor(sql: SqlParameters, document: FromClause) {
    this.#sql = sql
    this.#document = document
  }

  condition(expression: BoundExpression): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
        return `(${expression.terms.map((term) => this.condition(term)).join(` ${expression.kind} `)})`
      case 'not':
        return `not (${this.condition(expression.term)})`
      case 'compare':
        return this.#compare(expression.op, expression.left, expression.right)
      case 'in':
        return this.#in(expression.operand, expression.values)
      case 'test':
        return this.#test(expression.operand)
      case 'any':
      case 'all':
        return this.#quantified(expression)
      case 'words': {
        const { dialect, companyId } = this.#sql
        const bind = (value: string) => this.#sql.bind(value, 'string')
        const found = dialect.fullText.documentsWith(companyId, expression.words, bind)
        return `${this.#document.own('document_id')} in (${found})`
      }
    }
  }

  property({ property, place }: BoundProperty): ColumnSql {
    return this.#rowsAt(place).column(property.source, property.type, property.scale)
  }

  #rowsAt({ item, via }: Place): FromClause {
    const start = item === undefined ? this.#document : this.#items[item]
    if (!start) throw new Error('a variable was bound outside its list')
    return via.reduce((rows, step) => rows.along(step), start)
  }

  #quantified({ kind, list, place, item, body }: Quantified): string {
    const { rows, condition } = this.#rowsAt(place).items(list)
    this.#items[item] = rows
    const met = body === undefined ? undefined : this.condition(body)
    this.#items.length = item
    if (kind === 'any')
      return `exists (select 1 from ${rows.from.text()} where ${condition}${met ? ` and ${met}` : ''})`
    return met === undefined
      ? '1 = 1'
      : `not exists (select 1 from ${rows.from.text()} where ${condition} and not (${met}))`
  }

  /**
   * A nullable column is compared as it is, so that its index can be used; the absent value then decides about null.
   */
  #compare(op: Comparison, left: BoundOperand, right: BoundOperand): string {
    if (left.kind === 'property' && right.kind === 'value') {
      if (left.type === 'decimal') return this.#compareDecimal(op, left, right)
      if (left.type === 'exact') return this.#compareExact(op, left, right)
      const column = this.property(left)
      const isEquality = op === 'eq' || op === 'ne'
      const start = this.#startMeets(column, op, [right])
      const value = this.#sql.bind(right, right.type, isEquality)
      const met = `${start}${isEquality ? column.equal : column.bare} ${OPERATORS[op]} ${value}`
      if (start !== '') return `(${met})`
      if (!column.isNullable) return met
      const absent = absentOf(left)
      return withNull(
        column,
        met,
        right.ask((value) => holds(op, absent, value)),
      )
    }
    if (left.kind === 'value' && right.kind === 'property') return this.#compare(MIRRORED[op], right, left)
    return `${this.#comparable(left, right)} ${OPERATORS[op]} ${this.#comparable(right, left)}`
  }

  /**
   * A condition on the indexed prefix of a text, implied by the condition on the text, followed by `and`; empty where
   * indexes have complete texts.
   */
  #startMeets({ start }: ColumnSql, op: Comparison | 'in', values: readonly BoundValue[]): string {
    const { indexedStart } = this.#sql.dialect
    if (!start || !indexedStart || op === 'ne') return ''
    const named = (value: BoundValue) => indexedStart.name(this.#sql.bind(value.to(String), 'string', true))
    if (op === 'in') return `${start.name} in (${values.map(named).join(', ')}) and `
    const [first = NO_TEXT] = values
    if (op === 'eq') return `${start.name} = ${named(first)} and `
    const boundOf = (value: PlainValue) => indexedStart.bound(OPERATORS[op], String(value))
    const operator = first.ask((value) => boundOf(value)?.op)
    return operator ? `${start.name} ${operator} ${named(first.to((value) => boundOf(value)?.value ?? ''))} and ` : ''
  }

  /** A literal between two adjacent decimals is replaced by the lower one, so that nothing is rounded. */
  #compareDecimal(op: Comparison, left: BoundProperty, right: BoundValue): string {
    const column = this.property(left)
    const scale = scaleOf(left)
    const floor = (value: PlainValue) => floorUnits(String(value), scale)
    const isExact = right.ask((value) => floor(value).isExact)
    const isRange = op === 'gt' || op === 'ge' || op === 'lt' || op === 'le'
    const units = isExact || isRange ? right.to((value) => floor(value).floor) : BEYOND_ALL
    const same = isExact ? op : BETWEEN[op]
    const met = `${column.bare} ${OPERATORS[same]} ${this.#sql.bindDecimal(units, scale)}`
    if (!column.isNullable) return met
    return withNull(
      column,
      met,
      units.ask((value) => holds(same, 0n, value)),
    )
  }

  /** Short numbers are compared by the database in their units, which takes no call of JavaScript for each row. */
  #compareExact(op: Comparison, left: BoundProperty, right: BoundValue): string {
    const { sql, units } = this.property(left)
    const { ifShort } = this.#sql.dialect.arithmetic
    const short = units?.short && ifShort ? this.#compareShort(op, units.short, units.scale, right) : undefined
    const met = `${sql} ${OPERATORS[op]} ${this.#sql.bindExact(right)}`
    return units?.short && ifShort && short !== undefined ? ifShort(units.short, short, met) : met
  }

  /** Undefined for a literal that no decimal is, or that is between two and is asked for by itself. */
  #compareShort(op: Comparison, { sql }: ShortNumber, scale: number, right: BoundValue): string | undefined {
    const floor = (value: PlainValue) => floorUnits(String(value), scale)
    if (right.ask((value) => Math.abs(Number(floor(value).floor)) >= Number(BEYOND))) return undefined
    const isExact = right.ask((value) => floor(value).isExact)
    if (!isExact && (op === 'eq' || op === 'ne')) return undefined
    const units = this.#sql.bindDecimal(
      right.to((value) => floor(value).floor),
      scale,
    )
    return `${sql} ${OPERATORS[isExact ? op : BETWEEN[op]]} ${units}`
  }

  /** Decimals of different scales, and decimals compared with other numbers, have different stored forms. */
  #comparable(operand: BoundOperand, other: BoundOperand): string {
    const sql = this.#operand(operand)
    const [own, others] = [scaleOf(operand), scaleOf(other)]
    const isExact = operand.type === 'exact' || other.type === 'exact'
    return own === others && !isExact ? sql : this.#sql.dialect.comparable(sql, operand.type, own, other.type)
  }

  #in(operand: BoundOperand, values: readonly BoundValue[]): string {
    if (operand.kind === 'property' && operand.type === 'decimal') return this.#inDecimals(operand, values)
    const list = () => `(${values.map((one) => this.#listed(one)).join(', ')})`
    if (operand.kind !== 'property') return `${this.#operand(operand)} in ${list()}`
    const column = this.property(operand)
    const start = this.#startMeets(column, 'in', values)
    const met = `${start}${column.equal} in ${list()}`
    if (start !== '') return `(${met})`
    const absent = absentOf(operand)
    const isAbsentListed = () => values.some((one) => one.ask((value) => value === absent))
    return column.isNullable ? withNull(column, met, isAbsentListed()) : met
  }

  #listed(value: BoundValue): string {
    return value.type === 'exact' ? this.#sql.bindExact(value) : this.#sql.bind(value, value.type, true)
  }

  #inDecimals(operand: BoundProperty, values: readonly BoundValue[]): string {
    const column = this.property(operand)
    const scale = scaleOf(operand)
    const floor = (value: PlainValue) => floorUnits(String(value), scale)
    const units = values
      .filter((one) => one.ask((value) => floor(value).isExact))
      .map((one) => one.to((value) => floor(value).floor))
    const listed = units.length > 0 ? units : [BEYOND_ALL]
    const met = `${column.bare} in (${listed.map((one) => this.#sql.bindDecimal(one, scale)).join(', ')})`
    const isZeroListed = () => units.some((one) => one.ask((value) => value === 0n))
    return column.isNullable ? withNull(column, met, isZeroListed()) : met
  }

  #test(bound: BoundOperand): string {
    return bound.kind === 'call' ? this.#operand(bound) : this.#sql.dialect.condition(this.#operand(bound))
  }

  #operand(bound: BoundOperand): string {
    switch (bound.kind) {
      case 'value':
        return this.#sql.bind(bound, bound.type)
      case 'property':
        return this.property(bound).sql
      case 'call':
        return this.#call(bound)
    }
  }

  #call({ name, args }: BoundCall): string {
    const [first, second] = args
    if (!first) throw new Error(`${name} was bound without a value`)
    const whole = () => this.#argument(first)
    const part = () => (second ? this.#argument(second) : '')
    switch (name) {
      case 'contains':
        return `(${this.#sql.dialect.indexOf(this.#foldedFor(first, second) ?? whole(), part())} > 0)`
      case 'startswith':
        return this.#startsWith(first, second)
      case 'endswith':
        // The length is compared first: in a shorter text the suffix would start before the text.
        return `(length(${whole()}) >= length(${part()}) and substr(${whole()}, length(${whole()}) - length(${part()}) + 1) = ${part()})`
      default:
        return functionSql(name, whole(), this.#sql)
    }
  }

  /** The text of `tolower`, folded as far as a literal part can tell; undefined for anything else. */
  #foldedFor(whole: BoundOperand, part: BoundOperand | undefined, cut = (text: string) => text): string | undefined {
    const [text] = whole.kind === 'call' && whole.name === 'tolower' ? whole.args : []
    const letters = text && part?.kind === 'value' ? part.ask((value) => lettersOfPart(String(value))) : undefined
    if (!text || letters === undefined) return undefined
    const bind = (letter: string) => this.#sql.bindOnce(letter, 'string')
    return [...letters].reduce(
      (folded, letter) => `replace(${folded}, ${bind(letter)}, ${bind(casePairs('lower').get(letter) ?? letter)})`,
      this.#sql.dialect.lowerAscii(cut(this.#argument(text))),
    )
  }

  /** A function reads the complete text. */
  #argument(bound: BoundOperand): string {
    const sql = this.#operand(bound)
    return bound.kind === 'property' && bound.type === 'string' ? this.#sql.dialect.inReach(sql) : sql
  }

  /** With a literal this is a range of code points, which can use an index. Folding keeps the number of letters. */
  #startsWith(first: BoundOperand, second: BoundOperand | undefined): string {
    if (second?.kind === 'value') {
      const folded = this.#foldedFor(first, second, (text) => `substr(${text}, 1, length(${this.#operand(second)}))`)
      if (folded !== undefined) return `(${folded} = ${this.#operand(second)})`
      const from = this.#compare('ge', first, second)
      if (!hasSuccessor(second)) return `(${from})`
      return `(${from} and ${this.#compare(
        'lt',
        first,
        second.to((value) => successorOf(String(value)) ?? ''),
      )})`
    }
    const part = () => (second ? this.#argument(second) : '')
    return `(substr(${this.#argument(first)}, 1, length(${part()})) = ${part()})`
  }
}

/** Makes the condition true or false also for null, which reads as the absent value. */
function withNull({ bare }: ColumnSql, met: string, isMetByAbsent: boolean): string {
  return isMetByAbsent ? `(${met} or ${bare} is null)` : `(${met} and ${bare} is not null)`
}

function scaleOf(operand: BoundProperty): number
function scaleOf(operand: BoundOperand): number | undefined
function scaleOf(operand: BoundOperand): number | undefined {
  return operand.kind === 'property' && operand.type === 'decimal' ? (operand.property.scale ?? 0) : undefined
}

function absentOf({ property }: BoundProperty): PlainValue {
  return ABSENT[property.type]
}

/** Absent values sort before all others of their type or are numbers, so JavaScript's order is that of the stores. */
function holds(op: Comparison, left: PlainValue, right: PlainValue): boolean {
  switch (op) {
    case 'eq':
      return left === right
    case 'ne':
      return left !== right
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
  }
}
