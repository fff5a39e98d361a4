// Collects parameters and aliases while the text of a statement is built.

import { exactLiteral } from '../../base/numbers/exact.ts'
import { type BoundType, BoundValue, type PlainValue } from '../../query/bound-value.ts'
import type { Dialect, ParameterType, SqlValue } from '../dialect.ts'
import type { BoundText, ParameterSlot } from './compiled-query.ts'
import type { OpenRowSource, RowSource } from './row-source.ts'

export class SqlParameters {
  readonly dialect: Dialect
  readonly companyId: string
  /** One plan of the database serves all values: what decides the plan, the company and the limit, is in the text. */
  readonly isOnePlan: boolean
  /** The language of descriptions. */
  readonly language: string
  readonly parameters: SqlValue[] = []
  readonly #slots: ParameterSlot[] = []
  /** The rows that the statement reads in place of those of the document's tables. */
  readonly source: OpenRowSource | undefined
  #company: { readonly at: number; readonly placeholder: string } | undefined
  #aliases = 0
  readonly #once = new Map<string, string>()

  constructor(dialect: Dialect, companyId: string, language = '', source?: RowSource, isOnePlan = false) {
    this.isOnePlan = isOnePlan
    this.dialect = dialect
    this.companyId = companyId
    this.language = language
    this.source = source?.open(this)
  }

  /** The statement with this text, after the rows that it reads in place of others. */
  statement(text: string): BoundText {
    return { text: (this.source?.clause() ?? '') + text, parameters: this.parameters, slots: this.#slots }
  }

  /**
   * The placeholder of the company, which every table is restricted to by itself: a distributed database finds the one
   * node with all of its rows by that. It is one parameter, wherever it stands.
   */
  get company(): string {
    if (this.isOnePlan) return this.dialect.literal(this.companyId, 'string', true)
    this.#company ??= { at: this.parameters.length, placeholder: this.bind(this.companyId, 'string', true) }
    return this.#company.placeholder
  }

  /** The position of the company among the parameters; undefined while the statement does not name it. */
  get companyAt(): number | undefined {
    return this.#company?.at
  }

  /** Adds a parameter and returns its placeholder. */
  bind(value: PlainValue | BoundValue, type: BoundType, isForEquality = false): string {
    const bound = value instanceof BoundValue ? value : new BoundValue(type, value)
    const asType = type === 'integer' ? bound.ask(integerType) : type
    return this.placeholderOf(bound, asIs, asType, isForEquality)
  }

  /** The placeholder of a further parameter, which is made of a value. */
  protected placeholderOf(
    value: BoundValue,
    convert: (value: PlainValue) => SqlValue | boolean,
    type: ParameterType,
    isForEquality = false,
  ): string {
    const made = value.made((one) => this.dialect.bindable(convert(one)))
    if (made.at !== undefined) this.#slots.push({ index: this.parameters.length, at: made.at, make: made.make })
    this.parameters.push(made.value)
    return this.dialect.placeholder(this.parameters.length, type, isForEquality)
  }

  /** Adds a text that is one parameter, however often the statement needs it. */
  bindOnce(text: string, type: 'string' | 'json'): string {
    const placeholder = this.#once.get(text) ?? this.placeholderOf(new BoundValue('string', text), asIs, type)
    this.#once.set(text, placeholder)
    return placeholder
  }

  /** Adds a decimal parameter in units of its last digit. */
  bindDecimal(units: BoundValue, scale: number): string {
    const decimal = (one: PlainValue) => this.dialect.decimalValue(BigInt(one), scale)
    const type = units.ask((one) => decimal(one).type)
    return this.placeholderOf(units, (one) => decimal(one).value, type)
  }

  /** Adds a parameter for comparison with exact numbers. */
  bindExact(value: BoundValue): string {
    return this.placeholderOf(value, (one) => this.dialect.exactValue(exactLiteral(String(one))), 'exact')
  }

  nextAlias(prefix: string): string {
    this.#aliases += 1
    return prefix + this.#aliases
  }

  /**
   * An emitter that writes values into the text as literals: for conditions of a definition, which precede the
   * parameters of a request.
   */
  get literal(): SqlParameters {
    return new LiteralEmitter(this)
  }

  /** A quoted table name, optionally `schema.name`. */
  table(name: string): string {
    return name
      .split('.')
      .map((part) => this.dialect.quote(part))
      .join('.')
  }
}

class LiteralEmitter extends SqlParameters {
  readonly #outer: SqlParameters

  constructor(outer: SqlParameters) {
    super(outer.dialect, outer.companyId, outer.language)
    this.#outer = outer
  }

  override get company(): string {
    return this.#outer.company
  }

  protected override placeholderOf(
    value: BoundValue,
    convert: (value: PlainValue) => SqlValue | boolean,
    type: ParameterType,
    isForEquality = false,
  ): string {
    return this.dialect.literal(
      value.ask((one) => this.dialect.bindable(convert(one))),
      type,
      isForEquality,
    )
  }

  override nextAlias(prefix: string): string {
    return this.#outer.nextAlias(prefix)
  }
}

/** An emitter of literals for a fixed statement, in which `company` is the SQL of the company. */
export function literalsOf(dialect: Dialect, company: string): SqlParameters {
  return new FixedStatement(dialect, company).literal
}

class FixedStatement extends SqlParameters {
  readonly #company: string

  constructor(dialect: Dialect, company: string) {
    super(dialect, '')
    this.#company = company
  }

  override get company(): string {
    return this.#company
  }
}

function asIs(value: PlainValue): SqlValue | boolean {
  return typeof value === 'bigint' ? String(value) : value
}

/**
 * An integer column may be compared with an integer beyond JavaScript numbers, with a fraction, or with a number beyond
 * all integers.
 */
function integerType(value: PlainValue) {
  if (Number.isSafeInteger(value)) return 'integer'
  return typeof value === 'bigint' ? 'long' : 'decimal'
}
