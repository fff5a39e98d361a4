// The parsers of $select, $orderby and $expand.
import type { OrderItem, SelectItem } from '../../query/parse/tree.ts'
import { parseCondition } from './expressions.ts'
import { parsePath } from './paths.ts'
import { Scanner } from './scanner.ts'

const MAX_ITEMS = 500
const DIRECTION = /[ \t]+(asc|desc)(?![\w])/y
const CALL = /[\p{L}_][\p{L}\p{N}_]*\(/uy

/** A navigation property of an answer, with what is selected of its records. */
export interface ExpandItem {
  readonly name: string
  readonly position: number
  readonly select: readonly SelectItem[] | undefined
}

export function parseSelect(text: string): readonly SelectItem[] {
  return wholeList(new Scanner('select', text), selectItem)
}

export function parseOrderBy(text: string): readonly OrderItem[] {
  return wholeList(new Scanner('orderby', text), orderItem)
}

export function parseExpand(text: string): readonly ExpandItem[] {
  return wholeList(new Scanner('expand', text), expandItem)
}

function wholeList<Item>(scanner: Scanner, read: (scanner: Scanner) => Item): readonly Item[] {
  const items = list(scanner, read)
  scanner.requireEnd()
  return items
}

/** Blanks around the commas are no part of the grammar, but every library forgives them. */
function list<Item>(scanner: Scanner, read: (scanner: Scanner) => Item): readonly Item[] {
  const items: Item[] = []
  do {
    scanner.blanks()
    if (items.length === MAX_ITEMS) throw scanner.error(`more than ${MAX_ITEMS} items`)
    items.push(read(scanner))
    scanner.blanks()
  } while (scanner.take(','))
  return items
}

function selectItem(scanner: Scanner): SelectItem {
  const { position } = scanner
  if (scanner.take('*')) return { name: '*', position, inside: undefined, description: undefined }
  const { names, positions } = parsePath(scanner)
  const last: readonly SelectItem[] | undefined = undefined
  const items = names.map((name, at) => ({ name, position: positions[at] ?? position, description: undefined }))
  return items.slice(0, -1).reduceRight<SelectItem>((inner, item) => ({ ...item, inside: [inner] }), {
    ...(items.at(-1) ?? { name: '', position, description: undefined }),
    inside: last,
  })
}

function orderItem(scanner: Scanner): OrderItem {
  const { position } = scanner
  if (scanner.match(CALL)) throw scanner.unsupported('an expression that is no path', position)
  const path = parsePath(scanner)
  const direction = scanner.match(DIRECTION)?.[1]
  if (direction === undefined) refuseExpression(scanner, position)
  return { path, isDescending: direction === 'desc' }
}

/** Any expression may order in the grammar; here only paths do. */
function refuseExpression(scanner: Scanner, position: number): void {
  scanner.blanks()
  if (scanner.isAtEnd || scanner.sees(',')) return
  const end = scanner.position
  scanner.return(position)
  parseCondition(scanner)
  if (scanner.position > end) throw scanner.unsupported('an expression that is no path', position)
}

function expandItem(scanner: Scanner): ExpandItem {
  const { position } = scanner
  if (scanner.sees('*')) throw scanner.unsupported('* instead of names')
  const { text: name } = requireNavigation(scanner)
  if (!scanner.take('(')) return { name, position, select: undefined }
  let select: readonly SelectItem[] | undefined
  do {
    if (scanner.sees('@')) throw scanner.unsupported('a parameter alias')
    const start = scanner.position
    const option = scanner.match(/\$?([A-Za-z]+)=/y)?.[1]
    if (option === undefined) throw scanner.expected('an option, such as $select=')
    if (option.toLowerCase() !== 'select') throw scanner.unsupported(`the option $${option} in parentheses`, start)
    if (select) throw scanner.error('$select is given more than once', start)
    select = list(scanner, selectItem)
  } while (scanner.take(';'))
  scanner.require(')')
  return { name, position, select }
}

function requireNavigation(scanner: Scanner) {
  if (scanner.sees('$')) throw scanner.unsupported('$value or $ref')
  if (scanner.sees('@')) throw scanner.unsupported('an annotation')
  const name = scanner.requireName('a navigation property')
  if (scanner.sees('/')) throw scanner.unsupported(`a path after ${name.text}`)
  if (scanner.sees('.')) throw scanner.unsupported('a qualified name', name.position)
  return name
}
