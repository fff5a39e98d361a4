// Text to HTML that cannot be anything but text: whatever is inserted is escaped, unless it is markup of this file.

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Inserted = string | number | Markup | readonly Markup[]

export function html(strings: TemplateStringsArray, ...values: readonly Inserted[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + inserted(values[index - 1] ?? '') + string))
}

/** Nothing, where there is nothing to show. */
export const NOTHING = new Markup('')

/** A sentence in which `code` stands between backticks. */
export function prose(text: string): Markup {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}

export function joined(parts: readonly Markup[], separator: string): Markup {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`
}

function inserted(value: Inserted): string {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map((one: Markup) => one.text).join('')
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
