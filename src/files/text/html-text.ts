// Extracts the text of HTML in a single pass. Tags, comments and scripts end where they would end in a browser.
// Unterminated markup is dropped, so that no part of the input is scanned twice.
import type { GatheredText } from './gathered-text.ts'
import { decodeReferences } from './html-references.ts'
import { decodeText } from './plain-text.ts'

/** Maximum number of characters; a longer page consists mostly of embedded images. */
const MAX_HTML = 16 * 1024 * 1024

/** Inline elements do not separate words. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
/** Elements without readable text, and the patterns of their end tags. */
const SKIPPED: Readonly<Record<string, RegExp>> = { script: /<\/script/gi, style: /<\/style/gi }

/** The start of a tag, a comment or a declaration. Any other `<` is text. */
const MARKUP = /<(?:!--|[!?]|\/?([a-z][^\s/>]{0,40}))/gi
/** A `>` in a quoted attribute does not end the tag. */
const QUOTE_OR_END = /=\s*["']|>/g

/** Adds the text of a page, its tags removed. */
export function readHtml(content: Buffer, text: GatheredText): void {
  const html = decodeStart(content)
  for (let at = 0; at < html.length && !text.isFull; ) {
    const markup = find(MARKUP, html, at)
    text.add(decodeReferences(html.slice(at, markup?.index)))
    if (!markup) return
    const name = (markup[1] ?? '').toLowerCase()
    if (!INLINE.has(name)) text.addBreak()
    at = endOf(markup, name, html)
  }
}

function decodeStart(content: Buffer): string {
  const parts: string[] = []
  let length = 0
  for (const part of decodeText(content)) {
    parts.push(part)
    length += part.length
    if (length > MAX_HTML) break
  }
  return parts.join('').slice(0, MAX_HTML)
}

/** The position after the markup. */
function endOf(markup: RegExpExecArray, name: string, html: string): number {
  const start = markup.index
  if (markup[0] === '<!--') return after(html, '-->', start + 4)
  if (name === '') return after(html, '>', start)
  const end = endOfTag(html, start)
  const closing = markup[0].startsWith('</') ? undefined : SKIPPED[name]
  return closing ? (find(closing, html, end)?.index ?? html.length) : end
}

function endOfTag(html: string, start: number): number {
  for (let at = start; at < html.length; ) {
    const found = find(QUOTE_OR_END, html, at)
    if (!found) break
    const end = found.index + found[0].length
    if (found[0] === '>') return end
    at = after(html, found[0].at(-1) ?? '', end)
  }
  return html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function find(pattern: RegExp, html: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from
  return pattern.exec(html) ?? undefined
}
