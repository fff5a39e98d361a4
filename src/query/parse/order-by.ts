// The parser of orderBy: properties, each with an optional asc or desc.

import { propertyPath } from './filter.ts'
import { syntaxError } from './query-error.ts'
import { type Token, TokenStream } from './tokens.ts'
import type { OrderItem, PropertyPath } from './tree.ts'

const MAX_ITEMS = 8

/** Parses an orderBy text. Throws a QueryError with the position of the first error. */
export function parseOrderBy(text: string): readonly OrderItem[] {
  const tokens = new TokenStream('orderby', text)
  const items: OrderItem[] = []
  do {
    if (items.length === MAX_ITEMS)
      throw syntaxError('orderby', tokens.peek().position, `more than ${MAX_ITEMS} properties`)
    items.push(parseItem(tokens))
  } while (tokens.takeMark(','))
  tokens.requireEnd()
  return items
}

function parseItem(tokens: TokenStream): OrderItem {
  const path = parsePath(tokens)
  const isDescending = tokens.isWord('desc')
  if (isDescending || tokens.isWord('asc')) tokens.take()
  return { path, isDescending }
}

/** Parses names with slashes between them. */
export function parsePath(tokens: TokenStream): PropertyPath {
  const path: Token[] = []
  do {
    if (tokens.peek().kind !== 'name') throw tokens.expected('a property')
    path.push(tokens.take())
  } while (tokens.takeMark('/'))
  return propertyPath(path)
}
