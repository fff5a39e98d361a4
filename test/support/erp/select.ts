// Which members of a row are answered.
import { isGroup, isList, type Row, type Shape, type Value } from './kind.ts'
import { invalidQuery } from './refusal.ts'

/** Names to take, with what to take of each; undefined: all of it. */
type Selection = Map<string, Selection | undefined>

export type Projection = (row: Row) => Row

export function projectionOf(select: string, shape: Shape): Projection {
  const tokens = select.match(/[(),]|[^\s(),]+/g) ?? []
  const selection = parse(tokens, shape, false)
  return (row) => project(row, selection)
}

function parse(tokens: string[], shape: Shape, isInner: boolean): Selection {
  const selection: Selection = new Map()
  while (tokens.length > 0) {
    const token = tokens.shift()!
    if (token === ')' && isInner) return selection
    if (token === ',') continue
    if (token === '*') {
      for (const name of Object.keys(shape)) selection.set(name, undefined)
      continue
    }
    take(token.split('/'), tokens, shape, selection)
  }
  if (isInner) throw invalidQuery('A parenthesis of the select is not closed.')
  return selection
}

function take([first, ...rest]: string[], tokens: string[], shape: Shape, into: Selection): void {
  const name = Object.keys(shape).find((known) => known.toLowerCase() === first!.toLowerCase())
  if (name === undefined) throw invalidQuery(`Unknown property '${first}' in the select.`)
  const member = shape[name]!
  const inner = isList(member) ? member.list : isGroup(member) ? member.group : undefined
  if (rest.length > 0 || tokens[0] === '(') {
    if (!inner) throw invalidQuery(`The property '${name}' of the select has no members.`)
    const before = into.get(name)
    if (into.has(name) && before === undefined) return
    const chosen: Selection = before ?? new Map()
    into.set(name, chosen)
    if (rest.length > 0) take(rest, tokens, inner, chosen)
    else for (const [key, value] of parse(afterFirst(tokens), inner, true)) chosen.set(key, value)
    return
  }
  into.set(name, undefined)
}

function afterFirst(tokens: string[]): string[] {
  tokens.shift()
  return tokens
}

function project(row: Row, selection: Selection): Row {
  const answered: Row = {}
  for (const [name, value] of Object.entries(row)) {
    if (selection.has(name)) answered[name] = within(value, selection.get(name))
  }
  return answered
}

function within(value: Value, selection: Selection | undefined): Value {
  if (!selection || value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? value.map((item) => within(item, selection)) : project(value, selection)
}
