// Extracts the text of HTML while it is decoded, without its tags, comments, scripts and styles.
import { Parser } from 'htmlparser2'
import type { GatheredText } from './gathered-text.ts'
import { decodeText } from './plain-text.ts'

/** Maximum number of characters; a longer page consists mostly of embedded images. */
const MAX_HTML = 16 * 1024 * 1024

/** Inline elements do not separate words. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
const WITHOUT_TEXT = new Set(['script', 'style'])
/** The parser's replacement for an invalid reference. */
const INVALID = '\ufffd'

/** Adds the text of a page. */
export function readHtml(content: Buffer, text: GatheredText): void {
  let skipped = ''
  const separate = (name: string): void => {
    if (!INLINE.has(name)) text.addBreak()
  }
  const parser = new Parser({
    onopentagname: (name) => {
      separate(name)
      if (WITHOUT_TEXT.has(name)) skipped = name
    },
    ontext: (part) => {
      if (skipped === '') text.add(part.replaceAll(INVALID, ''))
    },
    onclosetag: (name) => {
      if (name === skipped) skipped = ''
      separate(name)
    },
  })
  let length = 0
  for (const part of decodeText(content)) {
    parser.write(part)
    length += part.length
    if (text.isFull || length > MAX_HTML) break
  }
  parser.end()
}
