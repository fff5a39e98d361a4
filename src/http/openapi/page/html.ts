// A template tag for HTML: every inserted value is escaped, unless it is Markup made here.

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Insertable = string | number | Markup | readonly Markup[]

export function html(strings: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + toHtml(values[index - 1] ?? '') + string))
}

export const NOTHING = new Markup('')

/** A sentence with `code` in backticks. */
export function prose(text: string): Markup {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}

export function joined(parts: readonly Markup[], separator: string): Markup {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`
}

function toHtml(value: Insertable): string {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map((markup: Markup) => markup.text).join('')
  return escaped(String(value))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
