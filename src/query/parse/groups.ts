// The parsers of groupBy (properties, each with its description or not) and aggregate (functions of a property, each
// with a name for its result or not).

import { parsePath } from './order-by.ts'
import { syntaxError } from './query-error.ts'
import { parseDescription } from './select.ts'
import { TokenStream } from './tokens.ts'
import type { AggregateItem, GroupItem } from './tree.ts'

const MAX_GROUPS = 8
/** Each of different values keeps all values of a group. */
const MAX_AGGREGATES = 20

const FORM = "a function, its property in brackets, and a name for the result: 'sum(property) as total'"

/** Parses a groupBy text. Throws a QueryError with the position of the first error. */
export function parseGroupBy(text: string): readonly GroupItem[] {
  const tokens = new TokenStream('groupby', text)
  return parseList(tokens, MAX_GROUPS, 'properties', () => {
    const path = parsePath(tokens)
    return { path, description: parseDescription(tokens) }
  })
}

/** Parses an aggregate text. Throws a QueryError with the position of the first error. */
export function parseAggregate(text: string): readonly AggregateItem[] {
  const tokens = new TokenStream('aggregate', text)
  return parseList(tokens, MAX_AGGREGATES, 'results', () => parseResult(tokens))
}

function parseList<Item>(tokens: TokenStream, most: number, what: string, parse: () => Item): readonly Item[] {
  const items: Item[] = []
  do {
    if (items.length === most) throw syntaxError(tokens.option, tokens.peek().position, `more than ${most} ${what}`)
    items.push(parse())
  } while (tokens.takeMark(','))
  tokens.requireEnd()
  return items
}

function parseResult(tokens: TokenStream): AggregateItem {
  if (tokens.peek().kind !== 'name') throw tokens.expected('a function')
  const { text: name, position } = tokens.take()
  if (!tokens.isMark('(')) throw tokens.expected("'('", FORM)
  tokens.take()
  const path = tokens.isMark(')') ? undefined : parsePath(tokens)
  tokens.requireMark(')')
  return { name, position, path, alias: parseAlias(tokens) }
}

function parseAlias(tokens: TokenStream): AggregateItem['alias'] {
  if (!tokens.isWord('as')) return undefined
  tokens.take()
  if (tokens.peek().kind !== 'name') throw tokens.expected('a name')
  const { text: name, position } = tokens.take()
  return { name, position }
}
