// Filters as templates: fields are named, values are written as literals of the query language.
import type { Field } from './types/fields.ts'

export type FilterValue = string | number | bigint | boolean | Date

/** A part of a filter that is complete in itself. */
export class Filter {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Part = Field<unknown> | FilterValue | readonly FilterValue[] | Filter
type Comparable<Type> = Type extends string ? Type | Date : Type extends number ? number | bigint : Type

/** A value behind a field has the field's type. */
type Checked<Parts extends readonly unknown[]> = Parts extends readonly [infer First, infer Second, ...infer Rest]
  ? First extends Field<infer Type>
    ? Second extends Field<unknown> | Filter
      ? [First, ...Checked<[Second, ...Rest]>]
      : [First, Second extends readonly unknown[] ? readonly Comparable<Type>[] : Comparable<Type>, ...Checked<Rest>]
    : [First, ...Checked<[Second, ...Rest]>]
  : Parts

/**
 * ``filter`${fields.countryCode} eq ${'NO'} and ${fields.customerName} eq ${name}` ``: names fields and writes values
 * so that nothing in them is read as a part of the filter. A list stands behind `in`; another filter in parentheses.
 */
export function filter<const Parts extends readonly Part[]>(
  texts: TemplateStringsArray,
  ...parts: Parts & Checked<Parts>
): Filter {
  return new Filter(texts.map((text, at) => (at === 0 ? text : literalOf(parts[at - 1] as Part) + text)).join(''))
}

function literalOf(part: Part): string {
  if (part instanceof Filter) return `(${part})`
  if (Array.isArray(part)) return `(${part.map(literalOf).join(',')})`
  if (typeof part === 'string') return `'${part.replaceAll("'", "''")}'`
  // Without a zone, as the service answers date-times.
  if (part instanceof Date) return part.toISOString().replace(/Z$/, '')
  if (typeof part === 'number' && !Number.isFinite(part)) throw new TypeError(`${part} is no number of a filter`)
  return String(part)
}
