// Collects parameters, in the order of the text, and aliases while the text of a statement is built.
import type { BoundType } from '../../query/bound.ts'
import type { SqlValue } from '../statement.ts'
import type { Expressions, ParameterType } from './expressions.ts'

export class SqlParameters {
  readonly engine: Expressions
  /** The language of descriptions. */
  readonly language: string
  readonly parameters: SqlValue[] = []
  #aliases = 0

  constructor(engine: Expressions, language: string) {
    this.engine = engine
    this.language = language
  }

  /** Adds a parameter and returns its placeholder, which must be used exactly once, at the current end of the text. */
  bind(value: string | number | bigint | boolean, type: BoundType, isForEquality = false): string {
    this.parameters.push(typeof value === 'bigint' ? String(value) : this.engine.bindable(value))
    return this.engine.placeholder(this.parameters.length, parameterType(value, type), isForEquality)
  }

  /** Adds a decimal parameter in units of its last digit. */
  bindDecimal(units: bigint, scale: number): string {
    const { value, type } = this.engine.decimal(units, scale)
    this.parameters.push(value)
    return this.engine.placeholder(this.parameters.length, type, false)
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
      .map((part) => this.engine.quote(part))
      .join('.')
  }
}

class LiteralEmitter extends SqlParameters {
  readonly #outer: SqlParameters

  constructor(outer: SqlParameters) {
    super(outer.engine, outer.language)
    this.#outer = outer
  }

  override bind(value: string | number | bigint | boolean, type: BoundType, isForEquality = false): string {
    const bindable = typeof value === 'bigint' ? String(value) : this.engine.bindable(value)
    return this.engine.literal(bindable, parameterType(value, type), isForEquality)
  }

  override bindDecimal(units: bigint, scale: number): string {
    const { value, type } = this.engine.decimal(units, scale)
    return this.engine.literal(value, type, false)
  }

  override nextAlias(prefix: string): string {
    return this.#outer.nextAlias(prefix)
  }
}

/**
 * An integer column may be compared with an integer beyond JavaScript numbers, with a fraction, or with a number beyond
 * all integers.
 */
function parameterType(value: unknown, type: BoundType): ParameterType {
  if (type !== 'integer' || Number.isSafeInteger(value)) return type
  return typeof value === 'bigint' ? 'long' : 'decimal'
}
