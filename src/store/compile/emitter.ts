// Collects what a statement needs while its text is made: parameters in the order of the text, and aliases.
import type { BoundType } from '../../query/bound.ts'
import type { SqlValue } from '../statement.ts'
import type { Expressions, ParameterType } from './expressions.ts'

export class SqlParameters {
  readonly engine: Expressions
  /** Of descriptions. */
  readonly language: string
  readonly parameters: SqlValue[] = []
  #aliases = 0

  constructor(engine: Expressions, language: string) {
    this.engine = engine
    this.language = language
  }

  /** Adds a parameter; gives its placeholder, which must be used once, where the text stands now. */
  bind(value: string | number | bigint | boolean, type: BoundType, isForEquality = false): string {
    this.parameters.push(typeof value === 'bigint' ? String(value) : this.engine.bindable(value))
    return this.engine.placeholder(this.parameters.length, parameterType(value, type), isForEquality)
  }

  /** The same for a decimal of so many units of the last digit. */
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
   * Collects the same, but values stand in the text itself: for what a definition says before the parameters of a
   * request.
   */
  get literal(): SqlParameters {
    return new LiteralEmitter(this)
  }

  /** A table by its name, with the schema before a dot where it has one. */
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

/** Beside an integer may stand one that a number does not hold, a number with decimals, or one beyond all integers. */
function parameterType(value: unknown, type: BoundType): ParameterType {
  if (type !== 'integer' || Number.isSafeInteger(value)) return type
  return typeof value === 'bigint' ? 'long' : 'decimal'
}
