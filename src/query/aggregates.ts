// What is computed of each group of records, as columns of the results.
import { type DocumentDefinition, type ValueProperty, type ValueType, value } from '../model/document.ts'
import type { BoundProperty } from './bound.ts'
import { requireUsable } from './groups.ts'
import { typeName } from './literals.ts'
import { meaningError, syntaxError, unknownFunction } from './parse/query-error.ts'
import type { AggregateItem } from './parse/tree.ts'

export interface Aggregate {
  /** The column of the results that holds it. */
  readonly column: string
  readonly function: AggregateFunction
  /** Absent for a count of records. */
  readonly of: BoundProperty | undefined
  /** What the member is called in the answer. */
  readonly name: string
  readonly result: ValueProperty
}

type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'average' | 'min' | 'max'

/** By their names in lower case. */
const FUNCTIONS: Readonly<Record<string, AggregateFunction>> = {
  sum: 'sum',
  average: 'average',
  avg: 'average',
  min: 'min',
  max: 'max',
  count: 'count',
  countdistinct: 'countDistinct',
}
const NAMES = ['sum', 'average', 'min', 'max', 'count', 'countDistinct']

const NUMBERS: readonly ValueType[] = ['integer', 'number', 'decimal', 'exact']

/** PostgreSQL truncates longer names of columns; in bytes. */
const MAX_NAME = 63

/** `taken`: the members of the answer that groups have. */
export function planAggregates(
  definition: DocumentDefinition,
  items: readonly AggregateItem[],
  taken: readonly string[],
): readonly Aggregate[] {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  return items.map((item, at) => {
    const found = bindFunction(definition, item)
    const name = item.alias?.name ?? resultName(item, found.function)
    requireName(name, item, used)
    used.add(name.toLowerCase())
    const column = `a${at + 1}`
    return { ...found, column, name, result: resultOf(found, column, item) }
  })
}

type Bound = Pick<Aggregate, 'function' | 'of'>

function bindFunction(definition: DocumentDefinition, { name, path, position }: AggregateItem): Bound {
  const known = name.toLowerCase()
  const found = Object.hasOwn(FUNCTIONS, known) ? FUNCTIONS[known] : undefined
  if (!found) throw unknownFunction('aggregate', position, name, NAMES)
  if (found === 'count') {
    if (!path) return { function: found, of: undefined }
    const hint = ': count() counts records, countDistinct the different values of a property'
    throw meaningError('aggregate', path.position, 'count takes no property', hint)
  }
  if (!path) throw meaningError('aggregate', position, `${found} takes a property`)
  const { by } = requireUsable(definition, 'aggregate', path, found === 'sum')
  requireType(found, by, path.position)
  return { function: found, of: by }
}

function requireType(name: AggregateFunction, { type }: BoundProperty, position: number): void {
  if ((name === 'sum' || name === 'average') && !NUMBERS.includes(type as ValueType)) {
    throw meaningError('aggregate', position, `${name} takes a number, not a ${typeName(type)}`)
  }
  if ((name === 'min' || name === 'max') && type === 'boolean') {
    throw meaningError('aggregate', position, `${name} takes no boolean`)
  }
}

/** The name of a result that has none: `sumAmount` for the sum of `amounts/amount`. */
function resultName({ path }: AggregateItem, name: AggregateFunction): string {
  const last = path?.names.at(-1)?.replace('$', '') ?? ''
  return name + last.charAt(0).toUpperCase() + last.slice(1)
}

function requireName(name: string, { alias, position }: AggregateItem, used: ReadonlySet<string>): void {
  const at = alias?.position ?? position
  if (used.has(name.toLowerCase())) {
    const hint = alias ? '' : `: give this one another, as in 'as ${name}2'`
    throw meaningError('aggregate', at, `The answer has '${name}' already`, hint)
  }
  if (Buffer.byteLength(name) > MAX_NAME) {
    throw syntaxError('aggregate', at, `the name of the result is longer than ${MAX_NAME} bytes`)
  }
}

/** An integer's sum is an integer; the places of an average are those that it needs. */
function resultOf({ function: name, of }: Bound, column: string, { path }: AggregateItem): ValueProperty {
  const description = path ? `${name} of ${path.names.join('/')}.` : 'The number of records.'
  if (!of || name === 'countDistinct') return value('integer', column, { description })
  if (name === 'average') return value('exact', column, { description })
  const { codes: _codes, aliases: _aliases, ...property } = of.property
  if (name !== 'sum') return { ...property, source: { column }, description }
  const scale = of.type === 'integer' ? 0 : of.property.scale
  return value('exact', column, { description, ...(scale === undefined ? {} : { scale }) })
}
