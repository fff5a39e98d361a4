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

/** The names of the characters from U+00A0 on; numeric references and those of office programs are beside them. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['euro', '\u20ac'],
  ['ndash', '\u2013'],
  ['mdash', '\u2014'],
  ['lsquo', '\u2018'],
  ['rsquo', '\u2019'],
  ['sbquo', '\u201a'],
  ['ldquo', '\u201c'],
  ['rdquo', '\u201d'],
  ['bdquo', '\u201e'],
  ['hellip', '\u2026'],
  ['bull', '\u2022'],
])

const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}\d{0,2}));/gi
const LAST_CODE_POINT = 0x10ffff

/** Replaces character references. Unknown names stay unchanged. */
export function decodeReferences(text: string): string {
  return text.replace(REFERENCE, (reference, hexadecimal?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return CHARACTERS.get(name) ?? reference
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : ''
  })
}
