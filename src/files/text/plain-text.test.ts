import { describe, expect, test } from 'vitest'
import { triesOf } from '../../../test/support/reliability-test.ts'
import { extractText } from './extract-text.ts'

/** Who goes back at each part is not done with a fifth of them in an hour either. */
const BYTES = triesOf({ smoke: 4_000_000, long: 20_000_000, full: 20_000_000 })

const GREETING = 'Gr\u00fc\u00dfe \u20ac 5, \u05e9\u05dc\u05d5\u05dd'

describe('a text file', () => {
  test.each([
    ['UTF-8', Buffer.from(GREETING), GREETING],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${GREETING}`), GREETING],
    ['UTF-16', Buffer.from(`\ufeff${GREETING}`, 'utf16le'), GREETING],
    ['UTF-16, high byte first', Buffer.from(`\ufeff${GREETING}`, 'utf16le').swap16(), GREETING],
    ['UTF-16 of an odd length', Buffer.concat([Buffer.from('\ufeffa', 'utf16le'), Buffer.from([0x62])]), 'a'],
    ['Latin-1', Buffer.from('Gr\u00fc\u00dfe', 'latin1'), 'Gr\u00fc\u00dfe'],
    ['Latin-1 as Windows writes it', Buffer.from([0x80, 0x20, 0x84, 0xc4, 0x93]), '\u20ac \u201e\u00c4\u201c'],
    ['UTF-8 with a zero', Buffer.from('a\u0000b'), 'ab'],
    ['no text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xd8]), ''],
    ['nothing', Buffer.alloc(0), ''],
  ])('in %s is read', async (_, content, text) => expect(await extractText('text/plain', content)).toBe(text))

  test.each(['text/csv', 'text/markdown', 'application/json', 'text/plain; charset=x'])(
    'of the type %s is read as it is',
    async (mimeType) => {
      expect(await extractText(mimeType, Buffer.from('a;b\r\n{"<c>": "d"}\n'))).toBe('a;b {"<c>": "d"}')
    },
  )

  test.each(['image/png', 'application/octet-stream', 'application/msword', ''])(
    'of the type %j has none',
    async (mimeType) => expect(await extractText(mimeType, Buffer.from('text'))).toBe(''),
  )

  test('is read in parts without a break between them', async () => {
    const line = 'w\u00f6rter\u4e00\ud83d\ude00'
    const text = await extractText('text/plain', Buffer.from(`${' '.repeat(1024 * 1024 - 3)}${line}`))
    expect(text).toBe(line)
  })

  test('of 50 MB is cut', async () => {
    const text = await extractText('text/plain', Buffer.alloc(50_000_000, 'ten letter '))
    expect(text.length).toBeGreaterThan(999_900)
    expect(text.length).toBeLessThanOrEqual(1_000_000)
    expect(text.endsWith('ten letter') || text.endsWith('ten')).toBe(true)
  })
})

describe('the text of JSON', () => {
  test.each([
    [
      '{"a":"M\\u00fcller \\u0141\\u00F3d\\u017a","b":"line\\nbreak"}',
      '{"a":"M\u00fcller \u0141\u00f3d\u017a","b":"line break"}',
    ],
    ['{"a":"\\ud83d\\ude00"}\n{"a":"\\/\\t\\"x\\\\u00fc"}', '{"a":"\ud83d\ude00"} {"a":"/ "x\\u00fc"}'],
    ['["\\u00', '["'],
    ['["\\x \\ud83d "]', '["x "]'],
  ])('%j is %j', async (json, text) => {
    expect(await extractText('application/json', Buffer.from(json))).toBe(text)
  })

  test('has its escapes wherever it is cut', async () => {
    for (let blanks = 1024 * 1024 - 15; blanks < 1024 * 1024 + 1; blanks++) {
      const json = `${' '.repeat(blanks)}"\\ud83d\\ude00\\\\n"`
      expect(await extractText('application/json', Buffer.from(json))).toBe('"\ud83d\ude00\\n"')
    }
  })
})

describe('the text of XML', () => {
  test.each([
    ['<?xml version="1.0"?><Invoice><Name>M&#252;ller &amp; S&#xF6;hne</Name></Invoice>', 'M\u00fcller & S\u00f6hne'],
    ['<a xmlns="http://x" x="&quot;one&quot;"><![CDATA[<b>&amp;]]></a><!-- no --><c/>two', '"one" <b>&amp; two'],
    ['<a>one<b>two</b>three', 'one two three'],
    ['<!DOCTYPE a SYSTEM "a.dtd"><a>&x;&lt;&gt;&apos;</a>', "&x;<>'"],
    ['<a>cut <b', 'cut'],
  ])('%j is %j', async (xml, text) => {
    for (const type of ['text/xml', 'application/xml']) expect(await extractText(type, Buffer.from(xml))).toBe(text)
  })

  test('is in the encoding that it declares', async () => {
    const xml = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?><a>'),
      Buffer.from([0xa3, 0xf3, 0x64, 0xbc]),
      Buffer.from('</a>'),
    ])
    expect(await extractText('text/xml', xml)).toBe('\u0141\u00f3d\u017a')
  })
})

const PAGES: [string, string][] = [
  ['<p>one</p><p>two</p>', 'one two'],
  ['wo<b>rd</b> an<SPAN class=x>other</SPAN>', 'word another'],
  ['a<br>b<hr/>c<td>d', 'a b c d'],
  ['<html><head><title>T&uuml;r &amp; Tor</title><style>p > b {}</style></head>', 'T\u00fcr & Tor'],
  ['x<script>if (a < b) "</p>"</script >y<SCRIPT src=a>z</SCRIPT>!', 'x y !'],
  ['a <!-- > <p> -->b<!--x', 'a b'],
  ['<!doctype html><?xml x?>a', 'a'],
  ['<a title="x > y" alt=\'>\' href = "z">link</a>', 'link'],
  ["<p title=don't>a</p>b", 'a b'],
  ['1 < 2 and 3 > 2 &lt;3&gt;', '1 < 2 and 3 > 2 <3>'],
  ['&Auml;&ouml;&szlig;&euro;&nbsp;&#228;&#xE4;&#x1F600;', '\u00c4\u00f6\u00df\u20ac \u00e4\u00e4\ud83d\ude00'],
  ['&unknown; & &; &#xD800;&#1114112;&#0;x', '&unknown; & &; x'],
  ['Do&shy;ku&shy;ment', 'Dokument'],
  ['before<a "', 'before'],
  ['before<a b="', 'before'],
  ['before<script>x', 'before'],
  ['<', '<'],
  ['', ''],
]

describe('a page', () => {
  test.each(PAGES)('%j says %j', async (html, text) => {
    expect(await extractText('text/html', Buffer.from(html))).toBe(text)
  })

  test.each([
    '<',
    '<a ',
    '<a b="',
    "<a b='x' ",
    '<!--',
    '<script>',
    '= ',
    '<a = ',
    '&',
    '&#',
    '<b>x</b>',
    '</',
    '<!',
    '<a =" = ',
  ])('of many of %j is read in one pass', async (part) => {
    const content = Buffer.from(part.repeat(BYTES / part.length))
    expect((await extractText('text/html', content)).length).toBeLessThanOrEqual(1_000_000)
    expect((await extractText('text/html', Buffer.concat([Buffer.from('<a '), content]))).length).toBeLessThanOrEqual(
      1_000_000,
    )
  })
})
