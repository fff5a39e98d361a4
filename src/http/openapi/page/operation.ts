// Renders operations and the shapes of their bodies.
import type { Content, Operation, Parameter, Response, Schema } from '../document.ts'
import { html, joined, type Markup, NOTHING, prose } from './html.ts'

export function operationSection(method: string, path: string, operation: Operation, named: Named): Markup {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return html`<section id="${operationId}">
<h3>${methodTag(method)} <code>${path}</code></h3>
<p>${prose(summary)}. ${permission(operation)}</p>
${description === undefined ? NOTHING : html`<p>${prose(description)}</p>`}
${parameters.length === 0 ? NOTHING : parameterTable(parameters)}
${requestBody ? bodyPart(requestBody.content, named) : NOTHING}
<h4>Answers</h4>
${Object.entries(responses).map(([status, response]) => answerPart(status, response))}</section>
`
}

export function methodTag(method: string): Markup {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`
}

function permission(operation: Operation): Markup {
  const permit = operation['x-permission']
  if (permit === undefined)
    return html`<span class="dim">${operation.security ? 'For anybody.' : 'For every caller.'}</span>`
  return html`<span class="dim">Permission <code>${permit}</code>.</span>`
}

function parameterTable(parameters: readonly Parameter[]): Markup {
  const rows = parameters.map(
    ({ name, in: location, description, schema }) =>
      html`<tr><td><code>${name}</code></td><td>${location}</td><td>${typeOf(schema)}</td><td>${notesOf({ ...schema, description })}</td></tr>
`,
  )
  return html`<h4>Parameters</h4>
<div class="wide"><table><thead><tr><th>name</th><th>in</th><th>type</th><th></th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function bodyPart(content: Content, named: Named): Markup {
  const [media] = Object.values(content)
  if (!media) return NOTHING
  const types = Object.keys(content).map((type, index) => html`${index === 0 ? '' : ' or '}<code>${type}</code>`)
  return html`<h4>Body</h4>
<p>${typeOf(media.schema)}, sent as ${types}.</p>
${memberTable(media.schema, named, true)}
${media.examples ? html`<details><summary>Bodies that were sent</summary><div>${exampleFigures(media)}</div></details>` : NOTHING}`
}

export function answerPart(status: string, { description, headers, content = {} }: Response): Markup {
  const bodies = Object.values(content)
  const rows = Object.entries(headers).map(
    ([name, header]) =>
      html`<tr><td><code>${name}</code></td><td>${prose(header.description)}${header.example === undefined ? '' : html` <code>${header.example}</code>`}</td></tr>
`,
  )
  return html`<details><summary><strong>${status}</strong> ${prose(description)}</summary><div>
${bodies.map((body) => html`<p>Body: ${typeOf(body.schema)}.</p>`)}
<div class="wide"><table><tbody>
${rows}</tbody></table></div>
${bodies.map(exampleFigures)}</div></details>
`
}

function exampleFigures({ examples = {} }: Content[string]): Markup {
  return html`${Object.values(examples).map(({ summary, description, value, 'x-request-body': sent }) => {
    const request =
      sent === undefined
        ? NOTHING
        : html`${pretty(sent)}
<p class="dim">was answered</p>
`
    return html`<figure>
<figcaption>${summary}: <code>${description}</code></figcaption>
${request}${pretty(value)}
</figure>
`
  })}`
}

function pretty(value: unknown): Markup {
  return html`<pre><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre>`
}

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
function memberTable(schema: Schema, named: Named, showsRequired: boolean): Markup {
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
function typeOf(schema: Schema): Markup {
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

function notesOf(schema: Schema): Markup {
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
