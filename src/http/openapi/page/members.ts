// Renders schemas for people: the type of a value, and the members of a record as a table.
import type { Schema } from '../document.ts'
import { html, joined, type Markup, NOTHING, prose } from './html.ts'

/** The named schemas of the description's components. */
export type Named = Readonly<Record<string, Schema>>

interface Member {
  /** From the record down, for example `contactPoints[].address.place`. */
  readonly path: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** No record is nested deeper. */
const MAX_DEPTH = 6

/** A table of the members at every depth; empty if the schema has none. */
export function memberTable(schema: Schema, named: Named, showsRequired: boolean): Markup {
  const members = [...membersOf(schema, named, '', 0)]
  if (members.length === 0) return NOTHING
  const rows = members.map(
    ({ path, schema: member, isRequired }) =>
      html`<tr><td><code>${path}</code></td><td>${typeOf(member)}${showsRequired && isRequired ? html`, <strong>required</strong>` : ''}</td><td>${notesOf(member)}</td></tr>
`,
  )
  return html`<div class="wide"><table><thead><tr><th>member</th><th>type</th><th></th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function* membersOf(schema: Schema, named: Named, path: string, depth: number): Generator<Member> {
  if (depth > MAX_DEPTH) return
  const { items, anyOf, properties, required } = resolved(schema, named)
  if (items) yield* membersOf(items as Schema, named, `${path}[]`, depth + 1)
  for (const choice of (anyOf ?? []) as Schema[]) yield* membersOf(choice, named, path, depth + 1)
  for (const [name, member] of Object.entries((properties ?? {}) as Named)) {
    const inner = path === '' ? name : `${path}.${name}`
    yield { path: inner, schema: member, isRequired: ((required ?? []) as string[]).includes(name) }
    yield* membersOf(member, named, inner, depth + 1)
  }
}

function resolved(schema: Schema, named: Named): Schema {
  return typeof schema.$ref === 'string' ? (named[nameIn(schema.$ref)] ?? {}) : schema
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

/** The type in words; a named one links to its table. */
export function typeOf(schema: Schema): Markup {
  const { $ref, anyOf, items, type } = schema
  if (typeof $ref === 'string') return html`<a href="#shape-${nameIn($ref)}">${nameIn($ref)}</a>`
  if (Array.isArray(anyOf)) return joined(anyOf.map(typeOf), ' or ')
  if (items) return html`list of ${typeOf(items as Schema)}`
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  return html`${String(type ?? 'any value')}`
}

/** The words around the value of each keyword. */
const BOUNDS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  default: ['Default', ''],
  minimum: ['At least', ''],
  maximum: ['At most', ''],
  maxLength: ['At most', ' characters'],
  maxItems: ['At most', ' items'],
  examples: ['Such as', ''],
}

export function notesOf(schema: Schema): Markup {
  const { description } = schema
  const bounds = Object.entries(BOUNDS).flatMap(([keyword, [before, after]]) => {
    const value = keyword === 'examples' ? (schema.examples as unknown[] | undefined)?.[0] : schema[keyword]
    return value === undefined ? [] : [html`<span class="dim">${before} <code>${String(value)}</code>${after}.</span>`]
  })
  return joined([...(typeof description === 'string' ? [prose(description)] : []), ...bounds], ' ')
}

export function shapeOf(name: string, schema: Schema, named: Named): Markup {
  const table = memberTable(schema, named, name.endsWith('Input'))
  return html`<section id="shape-${name}">
<h3>${name}</h3>
${typeof schema.description === 'string' ? html`<p>${prose(schema.description)}</p>` : ''}
${table === NOTHING ? html`<p>${typeOf(schema)}</p>` : table}
</section>
`
}
