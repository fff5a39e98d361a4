import { expect, it } from 'vitest'
import { html, joined, prose } from './html.ts'

const HOSTILE = `</code><script>alert("1 & '2'")</script>`
const HARMLESS = '&lt;/code&gt;&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt;'

it('escapes whatever is inserted', () => {
  expect(html`<p title="${HOSTILE}">${HOSTILE}${1}</p>`.text).toBe(`<p title="${HARMLESS}">${HARMLESS}1</p>`)
})

it('takes markup as it is, one or many', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>${html`<hr>`}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>')
  expect(joined(items, ' < ').text).toBe('<li>a</li> &lt; <li>&lt;b&gt;</li>')
})

it('shows code between backticks, and nothing else of it as markup', () => {
  expect(prose('An `ETag` <of> `a & b`').text).toBe('An <code>ETag</code> &lt;of&gt; <code>a &amp; b</code>')
})
