// The description as a page for people: plain HTML, no script, nothing from elsewhere.

export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); padding: .8rem; border-radius: .4rem; overflow-x: auto; white-space: pre-wrap; word-break: break-word; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; } nav li { list-style: none; } nav ul { padding: 0; }
summary { cursor: pointer; } a { color: inherit; }
`

type Json = { readonly [name: string]: unknown }

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; required: boolean; description: string }[]
  readonly requestBody?: { content: Record<string, { schema: Json; examples?: Record<string, { value: unknown }> }> }
  readonly responses: Record<
    string,
    { description: string; content?: Record<string, { schema: Json; examples?: Record<string, { value: unknown }> }> }
  >
  readonly 'x-permission'?: string
}

/** The page of an OpenAPI description. */
export function pageOf(description: Json, basePath: string): string {
  const paths = description.paths as Record<string, Record<string, Operation>>
  const { schemas } = description.components as { schemas: Record<string, Json> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const { version } = description.info as { version: string }
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tabularium</title><style>${STYLE}</style></head><body>
<h1>Tabularium ${html(version)}</h1>
<p>Enterprise records over JSON. For programs: <a href="${html(basePath)}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>Every request carries a token, or a client's id and secret by HTTP Basic:</p>
<pre>curl -s -u CLIENT:SECRET -d grant_type=client_credentials ${html(basePath)}/oauth/token
curl -s -H 'Authorization: Bearer TOKEN' '${html(basePath)}/v1/attribute-values/C1?$limit=3'</pre>
<nav><ul>${operations.map(({ method, path, operation }) => `<li><a href="#${operation.operationId}"><span class="method">${method}</span> <code>${html(path)}</code></a> ${html(operation.summary)}</li>`).join('\n')}</ul></nav>
${operations.map(({ method, path, operation }) => operationHtml(method, path, operation)).join('\n')}
<h2>Shapes</h2>
${Object.entries(schemas)
  .map(([name, schema]) => `<h3 id="schema-${html(name)}">${html(name)}</h3>${schemaHtml(schema)}`)
  .join('\n')}
</body></html>
`
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? []
  return `<section id="${operation.operationId}"><h2><span class="method">${method}</span> <code>${html(path)}</code></h2>
<p>${html(operation.summary)}.${operation['x-permission'] ? ` Permission: <code>${html(operation['x-permission'])}</code>.` : ''}</p>
${parameters.length > 0 ? `<table><tr><th>parameter</th><th>in</th><th></th></tr>${parameters.map((one) => `<tr><td><code>${html(one.name)}</code></td><td>${one.in}</td><td>${html(one.description)}</td></tr>`).join('')}</table>` : ''}
${bodyHtml(operation)}
<h3>Answers</h3>
${Object.entries(operation.responses)
  .map(([status, answer]) => answerHtml(status, answer))
  .join('\n')}</section>`
}

function bodyHtml({ requestBody }: Operation): string {
  if (!requestBody) return ''
  return Object.entries(requestBody.content)
    .map(([type, { schema, examples }]) => `<p>Body, ${html(type)}: ${typeHtml(schema)}</p>${examplesHtml(examples)}`)
    .join('\n')
}

function answerHtml(status: string, { description, content }: Operation['responses'][string]): string {
  const bodies = Object.values(content ?? {})
  return `<p><strong>${status}</strong> ${html(description)} ${bodies.map(({ schema }) => typeHtml(schema)).join(' ')}</p>${bodies.map(({ examples }) => examplesHtml(examples)).join('')}`
}

function examplesHtml(examples: Record<string, { value: unknown }> = {}): string {
  return Object.entries(examples)
    .map(
      ([name, { value }]) =>
        `<details><summary>${html(name)}</summary><pre>${html(JSON.stringify(value, null, 2))}</pre></details>`,
    )
    .join('')
}

/** The members of an object, or what another schema is. */
function schemaHtml(schema: Json): string {
  const { properties } = schema as { properties?: Record<string, Json> }
  if (!properties) return `<p>${typeHtml(schema)}</p>`
  const rows = Object.entries(properties).map(
    ([name, member]) =>
      `<tr><td><code>${html(name)}</code></td><td>${typeHtml(member)}</td><td>${html(String(member.description ?? ''))}</td></tr>`,
  )
  return `<table><tr><th>member</th><th>type</th><th></th></tr>${rows.join('')}</table>`
}

function typeHtml(schema: Json): string {
  const { $ref, type, items, anyOf, properties, format } = schema as {
    $ref?: string
    type?: string
    items?: Json
    anyOf?: Json[]
    properties?: Record<string, Json>
    format?: string
    const?: unknown
  }
  if ($ref) {
    const name = html($ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (anyOf) return anyOf.map(typeHtml).join(' or ')
  if (items) return `array of ${typeHtml(items)}`
  if (properties)
    return `object (${Object.keys(properties)
      .map((name) => `<code>${html(name)}</code>`)
      .join(', ')})`
  return html(format ?? type ?? JSON.stringify(schema.const ?? 'any'))
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
