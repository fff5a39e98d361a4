// The key of an entity in a path: `customers('1001')`, `customers_contactPoints(customerId='1001',position=1)`.
import { invalidOption } from '../errors/catalogue.ts'
import type { DocumentDefinition, ValueProperty } from '../model/document.ts'
import { QueryError } from '../query/parse/query-error.ts'
import type { Literal } from '../query/parse/tree.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import type { EntitySet } from './metadata/entity-set.ts'
import { literalAt } from './query/literals.ts'
import { notSupported } from './query/refusals.ts'
import { Scanner } from './query/scanner.ts'

/** A segment of a path: the name of an entity set, and the text of a key behind it. */
interface SetSegment {
  readonly name: string
  /** Undefined for the whole entity set. */
  readonly key: string | undefined
}

export function setSegment(segment: string): SetSegment {
  const open = segment.indexOf('(')
  if (open < 0 || !segment.endsWith(')')) return { name: segment, key: undefined }
  return { name: segment.slice(0, open), key: segment.slice(open + 1, -1) }
}

/** The condition that a key says. Throws 400 for what is no key of the entity set. */
export function keyFilter({ name, definition }: EntitySet, text: string): KeyFilter {
  const literals = readLiterals(name, definition, text)
  return definition.key.map((part) => {
    const property = definition.properties[part] as ValueProperty
    const literal = literals.get(part)
    const found = literal && valueIn(literal, property)
    if (found === undefined) throw wrongKey(name, definition)
    return [columnOf(property, part), found] as const
  })
}

function readLiterals(name: string, definition: DocumentDefinition, text: string): ReadonlyMap<string, Literal> {
  try {
    const found = literalsIn(new Scanner('filter', text), definition.key)
    if (found.size === definition.key.length) return found
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
  }
  throw wrongKey(name, definition)
}

/** Names may be left out where one property is the key. */
function literalsIn(scanner: Scanner, key: readonly string[]): ReadonlyMap<string, Literal> {
  const found = new Map<string, Literal>()
  const [only] = key
  const alone = key.length === 1 && only !== undefined ? literalAt(scanner) : undefined
  if (alone && scanner.isAtEnd) return found.set(only ?? '', alone)
  if (alone) scanner.return(0)
  do {
    const { text } = scanner.requireName('a property of the key')
    scanner.require('=')
    const literal = literalAt(scanner)
    if (!literal || found.has(text) || !key.includes(text)) throw scanner.expected('a value')
    found.set(text, literal)
  } while (scanner.take(','))
  scanner.requireEnd()
  return found
}

function columnOf({ source }: ValueProperty, part: string): string {
  if ('column' in source && source.table === undefined && source.storedAs === undefined) return source.column
  throw notSupported(`a path with the key property ${part}`)
}

/** Undefined if the literal is of another type than the property. */
function valueIn({ type, text }: Literal, property: ValueProperty): string | number | undefined {
  switch (property.type) {
    case 'string':
      return type === 'string' ? text : undefined
    case 'integer':
      return type === 'number' && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
    default:
      throw notSupported(`a path with a key of the type ${property.type}`)
  }
}

function wrongKey(name: string, { key }: DocumentDefinition) {
  const parts = key.map((part) => `${part}=...`).join(',')
  return invalidOption(`The key of ${name} is written as ${name}(${parts}), with texts in quotes.`)
}
