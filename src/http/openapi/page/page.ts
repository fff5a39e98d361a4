// Renders the description as an HTML page without scripts or external resources.
import { CODES } from '../../../errors/codes.ts'
import type { OpenApi, Operation } from '../document.ts'
import { CONVENTIONS } from '../openapi.ts'
import { html, type Markup, pageWith, prose } from './html.ts'
import { answerPart, methodTag, type Named, operationSection, shapeOf } from './operation.ts'

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Replaced by the host name that the page was requested from. */
export const HOST_PLACEHOLDER = '{host}'

export function pageOf(description: OpenApi, basePath: string): string {
  const { info, tags, components } = description
  const groups = tags.map(({ name }) => ({ name, operations: operationsOf(description, name) }))
  const body = html`<header>
<h1>${info.title}</h1>
<p>${info.summary}</p>
<p class="dim">Version ${info.version}. For programs: <a href="${basePath}/openapi.json">openapi.json</a> (OpenAPI 3.1). Concepts, the query language and recipes are in the <a href="${basePath}/docs">guides</a>.</p>
</header>
<main>
${firstSteps(basePath)}
${contents(groups)}
${groups.map(({ name, operations }) => group(name, operations, components.schemas))}
${everyEndpoint(description)}
<section id="shapes">
<h2>Shapes</h2>
${Object.entries(components.schemas).map(([name, schema]) => shapeOf(name, schema, components.schemas))}</section>
</main>
`
  return pageWith(`${info.title} ${info.version}`, body)
}

function operationsOf({ paths }: OpenApi, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

/** Extracts the token from the response. */
const ACCESS_TOKEN = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`

function firstSteps(basePath: string): Markup {
  return html`<section id="first-steps">
<h2>First steps</h2>
<p>Get a token for a client (its id and secret; those of the demo company are <code>demo:demo-secret</code>):</p>
<pre><code>SERVICE=${HOST_PLACEHOLDER}${basePath}
TOKEN=$(curl -s -u demo:demo-secret -d grant_type=client_credentials $SERVICE/oauth/token | ${ACCESS_TOKEN})</code></pre>
<p>Send it with every request, for an hour:</p>
<pre><code>curl -s -H "Authorization: Bearer $TOKEN" $SERVICE'/v1/attribute-values/C1?$limit=3'</code></pre>
<p>Or leave the token out and send the client with every request:</p>
<pre><code>curl -s -u demo:demo-secret $SERVICE'/v1/attribute-values/C1?$limit=3'</code></pre>
</section>`
}

type Group = { readonly name: string; readonly operations: readonly Listed[] }

function contents(groups: readonly Group[]): Markup {
  const lists = groups.map(
    ({ name, operations }) => html`<h4>${name}</h4>
<ul>
${operations.map(
  ({ method, path, operation }) =>
    html`<li><a href="#${operation.operationId}">${methodTag(method)} <code>${path}</code></a> <span class="dim">${prose(operation.summary)}</span></li>
`,
)}</ul>
`,
  )
  return html`<nav aria-label="Contents">
<h2>Contents</h2>
${lists}<h4>For all</h4>
<ul>
<li><a href="#every-endpoint">What holds for every endpoint</a></li>
<li><a href="#codes">Codes</a></li>
<li><a href="#shapes">Shapes</a></li>
</ul>
</nav>`
}

function group(name: string, operations: readonly Listed[], named: Named): Markup {
  return html`<section>
<h2>${name}</h2>
${operations.map(({ method, path, operation }) => operationSection(method, path, operation, named))}</section>
`
}

function everyEndpoint({ components }: OpenApi): Markup {
  const rows = CODES.map(
    ({
      code,
      status,
      meaning,
      fix,
    }) => html`<tr><td><code>${code}</code></td><td>${status}</td><td>${meaning}</td><td>${fix}</td></tr>
`,
  )
  return html`<section id="every-endpoint">
<h2>Every endpoint</h2>
<ul>
${CONVENTIONS.map(
  (sentence) => html`<li>${prose(sentence)}</li>
`,
)}</ul>
${Object.values(components.responses).map(({ description, ...response }) => {
  const [status = '', words = ''] = description.split(': ')
  return answerPart(status, { ...response, description: words })
})}
</section>
<section id="codes">
<h2>Codes</h2>
<div class="wide"><table><thead><tr><th>code</th><th>status</th><th>meaning</th><th>what to do</th></tr></thead><tbody>
${rows}</tbody></table></div>
</section>`
}
