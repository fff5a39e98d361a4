// Compiles what is computed of a row. Its values are literals, because it precedes the parameters of a request.
import { OPEN_FROM } from '../../base/dates.ts'
import type { LinesTerm, ListProperty, Source, Term, ValueType } from '../../model/document.ts'
import { type Scaled, textLiteral } from '../dialect.ts'
import type { SqlParameters } from './emitter.ts'
import { functionSql } from './functions.ts'

/** The rows that a term is computed of. */
interface TermRows {
  readonly from: { text(): string }
  column(source: Source, type: ValueType, scale?: number): { readonly sql: string; readonly isNullable: boolean }
  items(list: ListProperty): { readonly rows: TermRows; readonly condition: string }
}

/** SQL of a term in the form of its type, never null; `units`: what an exact number is made of. */
export function computedSql(
  term: Term,
  rows: TermRows,
  sql: SqlParameters,
): { readonly sql: string; readonly units?: Scaled } {
  const terms = new Terms(rows, sql)
  if (term.type !== 'exact') return { sql: terms.value(term) }
  const units = terms.number(term)
  return { sql: sql.dialect.arithmetic.exact(units), units }
}

type CallTerm = Extract<Term, { kind: 'call' }>

class Terms {
  readonly #rows: TermRows
  readonly #sql: SqlParameters

  constructor(rows: TermRows, sql: SqlParameters) {
    this.#rows = rows
    this.#sql = sql
  }

  value(term: Term): string {
    return term.type === 'string' ? this.#text(term) : this.#plain(term)
  }

  number(term: Term): Scaled {
    const { arithmetic } = this.#sql.dialect
    const { scale } = term
    switch (term.kind) {
      case 'literal':
        return arithmetic.literal(BigInt(term.value), scale)
      case 'property': {
        const { source, type } = term
        if ('computed' in source) return this.number(source.computed)
        const { sql, isNullable } = this.#rows.column(source, type, scale)
        return arithmetic.operand(sql, type === 'integer' ? type : 'decimal', scale, !isNullable)
      }
      case 'lines':
        return term.sumOf
          ? { sql: this.#lines(term), scale }
          : arithmetic.operand(this.#lines(term), 'integer', scale, false)
      case 'call':
        return this.#calculated(term)
    }
  }

  #calculated(term: CallTerm): Scaled {
    const { arithmetic } = this.#sql.dialect
    const { name, args, scale } = term
    const [left, right] = args
    if (!left) throw new Error(`${name} was declared without a value`)
    if (right && (name === 'add' || name === 'subtract' || name === 'multiply'))
      return arithmetic.calculate(name, this.number(left), this.number(right), scale)
    if (right && name === 'divide') return arithmetic.divide(this.number(left), this.number(right), scale)
    if (name === 'round') return arithmetic.round(this.number(left), scale)
    return arithmetic.operand(this.#plain(term), 'integer', scale, false)
  }

  /** Integers, and dates. */
  #plain(term: Term): string {
    switch (term.kind) {
      case 'property': {
        const { source, type } = term
        return 'computed' in source ? this.#plain(source.computed) : this.#rows.column(source, type).sql
      }
      case 'lines':
        return this.#lines(term)
      case 'call': {
        const { name, args } = term
        const [first, second] = args
        if (name === 'days' && first && second) return this.#days(this.#plain(first), this.#plain(second))
        if (first && (name === 'length' || name === 'year' || name === 'month' || name === 'day'))
          return functionSql(name, name === 'length' ? this.#text(first) : this.#plain(first), this.#sql.literal)
      }
    }
    throw new Error('a term was declared with another type than it has')
  }

  #text(term: Term): string {
    const { dialect } = this.#sql
    switch (term.kind) {
      case 'literal':
        return this.#sql.literal.bind(String(term.value), 'string')
      case 'property': {
        const { source } = term
        return 'computed' in source
          ? this.#text(source.computed)
          : dialect.inReach(this.#rows.column(source, 'string').sql)
      }
      case 'call': {
        const { name, args } = term
        const [first] = args
        if (name === 'concat') return `(${args.map((arg) => this.#asText(arg)).join(' || ')})`
        if (first && (name === 'tolower' || name === 'toupper' || name === 'trim'))
          return functionSql(name, this.#text(first), this.#sql.literal)
      }
    }
    throw new Error('a term was declared with another type than it has')
  }

  #asText(term: Term): string {
    return term.type === 'string' ? this.#text(term) : this.#sql.dialect.asText(this.#plain(term))
  }

  #days(later: string, earlier: string): string {
    const isAbsent = `${textLiteral(OPEN_FROM)} in (${later}, ${earlier})`
    return `case when ${isAbsent} then 0 else ${this.#sql.dialect.days(later, earlier)} end`
  }

  #lines({ lines, sumOf }: LinesTerm): string {
    const { rows, condition } = this.#rows.items(lines)
    const { arithmetic } = this.#sql.dialect
    const number = sumOf && new Terms(rows, this.#sql).number(sumOf)
    const from = `from ${rows.from.text()} where ${condition}`
    return number ? arithmetic.total(number, from) : `(select count(*) ${from})`
  }
}
