import { describe, expect, it } from 'vitest'
import { Base64Error } from '../../base/base64.ts'
import { JsonBase64Decoder } from './json-base64.ts'

function decode(...chunks: string[]): string {
  const decoder = new JsonBase64Decoder()
  // Decoding overwrites the input, but what was decoded before must remain intact to the end.
  const decoded = chunks.map((chunk) => decoder.push(Buffer.from(chunk)))
  decoder.end()
  return Buffer.concat(decoded).toString('hex')
}

/** Every way to cut a text into three chunks, which may be empty. */
function everyCut(text: string): string[][] {
  const positions = Array.from({ length: text.length + 1 }, (_value, index) => index)
  return positions.flatMap((first) =>
    positions
      .filter((second) => second >= first)
      .map((second) => [text.slice(0, first), text.slice(first, second), text.slice(second)]),
  )
}

const PLAIN = '+/+/AQIDBAUGBwg='
const HEX = Buffer.from(PLAIN, 'base64').toString('hex')

describe('base64 in a JSON string', () => {
  it.each([
    ['as it is', PLAIN],
    ['with every plus escaped', PLAIN.replaceAll('+', '\\u002B')],
    ['with digits in lower case', PLAIN.replaceAll('+', '\\u002b')],
    ['with every slash escaped', PLAIN.replaceAll('/', '\\/')],
    ['with every slash escaped by its number', PLAIN.replaceAll('/', '\\u002F')],
    ['with escaped padding', PLAIN.replaceAll('=', '\\u003d')],
    ['with escaped letters', PLAIN.replaceAll('A', '\\u0041').replaceAll('w', '\\u0077')],
    ['with line ends and blanks', PLAIN.replace(/.{5}/g, ' $&\\r\\n\\t\\u0020\\u000a')],
    ['with nothing but escapes', [...PLAIN].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('')],
  ])('%s is the same content wherever it is cut', (_name, text) => {
    // All cuts of a long text would be too many.
    const cuts = text.length > 50 ? everyCut(text).filter(([first]) => first?.length === 1) : everyCut(text)
    for (const chunks of cuts) expect([chunks, decode(...chunks)]).toEqual([chunks, HEX])
  })

  it.each([
    ['no padding', 'QQ'],
    ['half of the padding', 'QQ='],
    ['too much padding', 'QUI=='],
    ['nothing but padding', '===='],
    ['padding in the middle', 'QQ==QUJD'],
    ['something behind the padding', 'QQ==Q'],
    ['one character too many', 'QUJDQ'],
    ['a blank instead of a character', 'QUJ QUJD'],
    ['the alphabet of URLs', 'QU-_'],
    ['another blank', 'QUJD\\fQUJD'],
    ['an escaped backslash', 'QUJD\\\\'],
    ['an escaped dash', 'QUI\\u002d'],
    ['an escaped letter that is none of ASCII', 'QUI\\u00c1'],
    ['an escaped letter with a high byte', 'QUI\\u0141'],
    ['an escape with a digit that is none', 'QUI\\u00g1'],
    ['an escape that is torn', 'QUI\\u004'],
    ['an escape of which there is nothing', 'QUJD\\'],
    ['letters beyond ASCII', 'QUJ\u00e9'],
  ])('with %s is none, wherever it is cut', (_name, text) => {
    for (const chunks of everyCut(text)) expect(() => decode(...chunks), chunks.join('|')).toThrow(Base64Error)
  })
})
