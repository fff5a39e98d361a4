// HTML without its tags: in one pass over the text, as browsers find the ends of tags, comments and scripts. What is
// begun and never ended is dropped, so that nothing is looked for twice.
import type { GatheredText } from './gathered-text.ts'
import { decodeReferences } from './html-references.ts'
import { decoded } from './plain-text.ts'

/** More than that is pictures written into the page. In characters. */
const MOST_HTML = 16 * 1024 * 1024

/** These stand within a word as often as between two. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
/** What they hold is nothing that is read. */
const HIDDEN: Readonly<Record<string, RegExp>> = { script: /<\/script/gi, style: /<\/style/gi }

/** What begins a tag, a comment or a declaration; any other angle is text. */
const MARKUP = /<(?:!--|[!?]|\/?([a-z][^\s/>]{0,40}))/gi
/** An angle in quotes does not end a tag. */
const QUOTE_OR_END = /=\s*["']|>/g

/** Adds the text of a page, its tags removed. */
export function readHtml(content: Buffer, text: GatheredText): void {
  const html = beginningOf(content)
  for (let at = 0; at < html.length && !text.isFull; ) {
    const markup = find(MARKUP, html, at)
    text.add(decodeReferences(html.slice(at, markup?.index)))
    if (!markup) return
    const name = (markup[1] ?? '').toLowerCase()
    if (!INLINE.has(name)) text.addBreak()
    at = endOf(markup, name, html)
  }
}

function beginningOf(content: Buffer): string {
  const parts: string[] = []
  let length = 0
  for (const part of decoded(content)) {
    parts.push(part)
    length += part.length
    if (length > MOST_HTML) break
  }
  return parts.join('').slice(0, MOST_HTML)
}

/** Where the text goes on behind the markup. */
function endOf(markup: RegExpExecArray, name: string, html: string): number {
  const begin = markup.index
  if (markup[0] === '<!--') return behind(html, '-->', begin + 4)
  if (name === '') return behind(html, '>', begin)
  const end = endOfTag(html, begin)
  const closing = markup[0].startsWith('</') ? undefined : HIDDEN[name]
  return closing ? (find(closing, html, end)?.index ?? html.length) : end
}

function endOfTag(html: string, begin: number): number {
  for (let at = begin; at < html.length; ) {
    const found = find(QUOTE_OR_END, html, at)
    if (!found) break
    const end = found.index + found[0].length
    if (found[0] === '>') return end
    at = behind(html, found[0].at(-1) ?? '', end)
  }
  return html.length
}

function behind(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function find(pattern: RegExp, html: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from
  return pattern.exec(html) ?? undefined
}
