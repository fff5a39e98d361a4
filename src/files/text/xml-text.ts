// Extracts the text of XML: contents and values of attributes, without the names of elements.
import { Parser } from 'htmlparser2'
import { orUndefined } from '../../base/thrown.ts'
import type { GatheredText } from './gathered-text.ts'
import { decodeText } from './plain-text.ts'

/** Maximum number of characters; a longer document consists mostly of embedded files. */
const MAX_XML = 16 * 1024 * 1024
const DECLARATION_BYTES = 200
/** Addresses of schemas, which no text has. */
const OF_SCHEMAS = /^xmlns(?::|$)|:?schemaLocation$/i
/** The parser's replacement for an invalid reference. */
const INVALID = '\ufffd'

/** Adds the text of a document, as far as it can be read. */
export function readXml(content: Buffer, text: GatheredText): void {
  const addPart = (part: string): void => text.add(part.replaceAll(INVALID, ''))
  const parser = new Parser(
    {
      onopentagname: () => text.addBreak(),
      onattribute: (name, value) => {
        if (!OF_SCHEMAS.test(name)) addPart(value)
        text.addBreak()
      },
      ontext: addPart,
      onclosetag: () => text.addBreak(),
    },
    { xmlMode: true },
  )
  let length = 0
  for (const part of decodeText(content, encodingIn(content))) {
    parser.write(part)
    length += part.length
    if (text.isFull || length > MAX_XML) break
  }
  parser.end()
}

/** The encoding of the declaration; undefined where there is none that is known. */
function encodingIn(content: Buffer): string | undefined {
  const head = content.toString('latin1', 0, DECLARATION_BYTES)
  const label = /^<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1]
  return orUndefined(() => (label === undefined ? undefined : new TextDecoder(label).encoding))
}
