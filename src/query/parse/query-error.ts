import { nearestName, shortened } from '../../base/text.ts'
import { readAll } from '../../errors/read-together.ts'

export type QueryOption =
  | ('select' | 'filter' | 'orderby' | 'groupby' | 'aggregate' | 'having')
  /** OData has these besides. */
  | ('apply' | 'expand' | 'search')

/** An error in a query text. The resource chooses the status; the message is sent to the client unchanged. */
export class QueryError extends Error {
  readonly option: QueryOption
  /** Zero-based position of the invalid part, in characters of the option's text. */
  readonly position: number
  /** The errors that this one tells together; undefined for a single one. */
  readonly parts: readonly QueryError[] | undefined
  readonly #messageFor: (option: QueryOption) => string
  readonly #fault: string

  /** `fault`: what is wrong, for the log, which repeats nothing of the text. */
  constructor(
    option: QueryOption,
    position: number,
    messageFor: (option: QueryOption) => string,
    fault = 'what is not possible',
    parts?: readonly QueryError[],
  ) {
    super(messageFor(option))
    this.parts = parts
    this.option = option
    this.position = position
    this.#messageFor = messageFor
    this.#fault = fault
  }

  get reason(): string {
    return `${this.#fault} at position ${this.position} of $${this.option}`
  }

  /** The same error in the text of another option. */
  in(option: QueryOption): QueryError {
    return new QueryError(option, this.position, this.#messageFor, this.#fault)
  }

  /** This error with the message of all parts. */
  with(parts: readonly QueryError[], message: string): QueryError {
    return new QueryError(this.option, this.position, () => message, this.#fault, parts)
  }
}

/** Plans the texts of several options; of several errors, the first is thrown with the messages of all. */
export function planTogether<Plans extends object>(
  planners: {
    readonly [Name in keyof Plans]: () => Plans[Name]
  },
): Plans {
  const partsOf = (errors: readonly QueryError[]) => errors.flatMap((error) => error.parts ?? error)
  return readAll(planners, QueryError, (errors, message) => errors[0].with(partsOf(errors), message))
}

/** Runs what reads or binds the text of an option in the way of another one; its errors name the option itself. */
export function inOption<Result>(option: QueryOption, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof QueryError ? error.in(option) : error
  }
}

/** The text does not conform to the grammar. `problem` says what was expected and what was found. */
export function syntaxError(option: QueryOption, position: number, problem: string): QueryError {
  const messageFor = (name: QueryOption) => `Syntax error at position ${position}: ${problem} ($${name})`
  return new QueryError(option, position, messageFor, 'a syntax error')
}

/** The text conforms to the grammar, but is not valid for this document. */
export function meaningError(
  option: QueryOption,
  position: number,
  problem: string,
  hint = '',
  fault?: string,
): QueryError {
  return new QueryError(option, position, (name) => `${problem} at position ${position} of $${name}${hint}`, fault)
}

/** The error for an unknown name, with the most similar known one, or the `nearest` that is given. */
export function unknownName(
  option: QueryOption,
  position: number,
  name: string,
  known: readonly string[],
  mayBeString: boolean,
  nearest = nearestName(name, known),
): QueryError {
  const excerpt = shortened(name)
  const asString = mayBeString ? `; a string stands in single quotes: '${excerpt}'` : ''
  const asName = `; did you mean '${nearest}'${mayBeString ? `, or '${excerpt}' as a string in single quotes` : ''}?`
  const hint = nearest ? asName : asString
  return meaningError(option, position, `Unknown property '${excerpt}'`, hint, 'an unknown property')
}

/** The error for an unknown function, with the most similar one or all known ones. */
export function unknownFunction(
  option: QueryOption,
  position: number,
  name: string,
  known: readonly string[],
): QueryError {
  const nearest = nearestName(name, known)
  const hint = nearest ? `; did you mean '${nearest}'?` : `; the functions are ${known.join(', ')}`
  return meaningError(option, position, `Unknown function '${shortened(name)}'`, hint, 'an unknown function')
}
