import { nearestName, shortened } from '../base/text.ts'

export type QueryOption = 'select' | 'filter' | 'orderby'

/** An error in a query text. The resource chooses the status; the message is sent to the client unchanged. */
export class QueryError extends Error {
  readonly option: QueryOption
  /** Zero-based position of the invalid part, in characters of the option's text. */
  readonly position: number

  constructor(option: QueryOption, position: number, message: string) {
    super(message)
    this.option = option
    this.position = position
  }
}

/** The text does not conform to the grammar. `problem` says what was expected and what was found. */
export function syntaxError(option: QueryOption, position: number, problem: string): QueryError {
  return new QueryError(option, position, `Syntax error at position ${position}: ${problem} ($${option})`)
}

/** The text conforms to the grammar, but is not valid for this document. */
export function meaningError(option: QueryOption, position: number, problem: string, hint = ''): QueryError {
  return new QueryError(option, position, `${problem} at position ${position} of $${option}${hint}`)
}

/** The error for an unknown name, with the most similar known one. */
export function unknownName(
  option: QueryOption,
  position: number,
  name: string,
  known: readonly string[],
  mayBeString: boolean,
): QueryError {
  const nearest = nearestName(name, known)
  const excerpt = shortened(name)
  const asString = mayBeString ? `; a string stands in single quotes: '${excerpt}'` : ''
  const asName = `; did you mean '${nearest}'${mayBeString ? `, or '${excerpt}' as a string in single quotes` : ''}?`
  return meaningError(option, position, `Unknown property '${excerpt}'`, nearest ? asName : asString)
}

/** The error for an unknown function, with the most similar one or all known ones. */
export function unknownFunction(position: number, name: string, known: readonly string[]): QueryError {
  const nearest = nearestName(name, known)
  const hint = nearest ? `; did you mean '${nearest}'?` : `; the functions are ${known.join(', ')}`
  return meaningError('filter', position, `Unknown function '${shortened(name)}'`, hint)
}
