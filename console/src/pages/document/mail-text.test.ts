import { expect, it } from 'vitest'
import { textOfHtml } from './mail-text.ts'

it.each([
  ['paragraphs as lines', '<p>One <b>two</b></p>\n<div>three<br>four</div>', 'One two\nthree\nfour'],
  [
    'no styles and scripts',
    '<head><title>x</title></head><style>p { }</style>seen<script>alert(1 < 2)</script>',
    'seen',
  ],
  ['entities', 'a &amp; b&nbsp;&lt;c&gt; &#216; &#9999999; &none;', 'a & b <c> \u00d8 &#9999999; &none;'],
  ['what is no markup', '1 < 2 and <', '1 < 2 and <'],
])('has %s', (_name, html, text) => {
  expect(textOfHtml(html)).toBe(text)
})

it('takes time that grows with the length alone', () => {
  expect(textOfHtml('<style'.repeat(300_000))).toBe('')
})
