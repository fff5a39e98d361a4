// Renders one operation: its parameters, body, responses and recorded examples.
import type { Content, Operation, Parameter, Response } from '../document.ts'
import { html, type Markup, NOTHING, prose } from './html.ts'
import { memberTable, type Named, notesOf, typeOf } from './members.ts'

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
  return permit === undefined
    ? html`<span class="dim">For anybody.</span>`
    : html`<span class="dim">Permission <code>${permit}</code>.</span>`
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
