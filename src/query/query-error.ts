import { nearestName, shortened } from '../base/text.ts'

export type QueryOption = 'select' | 'filter' | 'orderby'

/** A query text that is refused. The resource decides the status; the message is answered as it stands. */
export class QueryError extends Error {
  readonly option: QueryOption
  /** Of the offending part, in characters of the option's text, from 0. */
  readonly position: number

  constructor(option: QueryOption, position: number, message: string) {
    super(message)
    this.option = option
    this.position = position
  }
}

/** The text is not of the grammar. `problem` says what was expected and what was found. */
export function syntaxError(option: QueryOption, position: number, problem: string): QueryError {
  return new QueryError(option, position, `Syntax error at position ${position}: ${problem} ($${option})`)
}

/** The text is of the grammar, but makes no sense for this document. */
export function meaningError(option: QueryOption, position: number, problem: string, hint = ''): QueryError {
  return new QueryError(option, position, `${problem} at position ${position} of $${option}${hint}`)
}

/** A name that is not known, with the nearest that is. */
export function unknownName(
  option: QueryOption,
  position: number,
  name: string,
  known: readonly string[],
  mayBeString: boolean,
): QueryError {
  const nearest = nearestName(name, known)
  const shown = shortened(name)
  const asString = mayBeString ? `; a string stands in single quotes: '${shown}'` : ''
  const asName = `; did you mean '${nearest}'${mayBeString ? `, or '${shown}' as a string in single quotes` : ''}?`
  return meaningError(option, position, `Unknown property '${shown}'`, nearest ? asName : asString)
}

/** A function that is not known, with all that are. */
export function unknownFunction(position: number, name: string, known: readonly string[]): QueryError {
  const nearest = nearestName(name, known)
  const hint = nearest ? `; did you mean '${nearest}'?` : `; the functions are ${known.join(', ')}`
  return meaningError('filter', position, `Unknown function '${shortened(name)}'`, hint)
}
