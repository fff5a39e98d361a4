// The parser of select: properties, inner properties in parentheses or after a slash, and descriptions.
import { syntaxError } from './query-error.ts'
import { TokenStream } from './tokens.ts'
import type { SelectItem } from './tree.ts'

const MAX_NAMES = 200
const MAX_NESTING = 4

/** Parses a select text. Throws a QueryError with the position of the first error. */
export function parseSelect(text: string): readonly SelectItem[] {
  const tokens = new TokenStream('select', text)
  let names = 0

  const list = (depth: number): SelectItem[] => {
    const items = [item(depth)]
    while (tokens.takeMark(',')) items.push(item(depth))
    return items
  }

  const item = (depth: number): SelectItem => {
    const { kind, text: name, position } = tokens.peek()
    if (depth > MAX_NESTING) throw syntaxError('select', position, `nesting is deeper than ${MAX_NESTING} levels`)
    names += 1
    if (names > MAX_NAMES) throw syntaxError('select', position, `more than ${MAX_NAMES} names`)
    if (tokens.takeMark('*')) return { name: '*', position, inside: undefined, description: undefined }
    if (kind !== 'name') throw tokens.expected('a property')
    tokens.take()
    const description = parseDescription(tokens)
    if (tokens.takeMark('/')) return { name, position, inside: [item(depth + 1)], description }
    if (!tokens.takeMark('(')) return { name, position, inside: undefined, description }
    const inside = list(depth + 1)
    tokens.requireMark(')')
    return { name, position, inside, description }
  }

  const items = list(1)
  tokens.requireEnd()
  return items
}

/** Parses `[T]` or `[C;T]` after a name. */
export function parseDescription(tokens: TokenStream): SelectItem['description'] {
  if (!tokens.takeMark('[')) return undefined
  let found: SelectItem['description'] = 'T'
  if (tokens.isWord('c')) {
    tokens.take()
    tokens.requireMark(';')
    found = 'C;T'
  }
  if (!tokens.isWord('t')) throw tokens.expected('T or C;T')
  tokens.take()
  tokens.requireMark(']')
  return found
}
