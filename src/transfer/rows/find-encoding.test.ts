import { describe, expect, it } from 'vitest'
import { asUtf8, encodeAs } from './as-utf8.ts'
import { EncodingFinder } from './find-encoding.ts'
import { type Encoding, PLAIN_TEXT } from './text-form.ts'
import { FileError } from './text-lines.ts'

const TEXT = 'customerName;place\r\nKj\u00f8lmark & S\u00f8n;\u00c6r\u00f8sk\u00f8bing\r\nM\u00fcller;Bod\u00f8\r\n'

function found(bytes: Buffer, size = 5) {
  const finder = new EncodingFinder()
  for (let at = 0; at < bytes.length; at += size) finder.add(bytes.subarray(at, at + size))
  return finder.found()
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

async function textOf(bytes: Buffer, encoding: Encoding, size = 3, endsWithReturn = false): Promise<string> {
  const form = { ...PLAIN_TEXT, encoding, endsWithReturn }
  return Buffer.concat(await Array.fromAsync(asUtf8(chunksOf(bytes, size), form))).toString()
}

const encoded = (encoding: Encoding, text = TEXT) => encodeAs({ ...PLAIN_TEXT, encoding }, text)

describe('the encoding of a file', () => {
  it.each([
    ['PK\x03\x04\x14\0', 'an Excel workbook, or an archive'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0', 'an Excel workbook of an old kind'],
    ['\x1f\x8b\x08', 'a compressed file'],
    ['%PDF-1.7\n%\xe2', 'a PDF'],
  ])('is none of what is no text: %j', (start, what) => {
    const message = `the file is ${what}: save the table as CSV UTF-8`
    for (const size of [1, 100]) expect(() => found(Buffer.from(start, 'latin1'), size)).toThrow(message)
  })

  it.each([
    ['utf-8', ''],
    ['utf-8', '\ufeff'],
    ['utf-16le', ''],
    ['utf-16le', '\ufeff'],
    ['utf-16be', ''],
    ['utf-16be', '\ufeff'],
    ['windows-1252', ''],
  ] as const)('%s with mark %j is found, and its text read', async (encoding, mark) => {
    const bytes = encoded(encoding, mark + TEXT)
    expect(found(bytes)).toEqual({ encoding, hasMark: mark !== '', endsWithReturn: false })
    expect((await textOf(bytes, encoding)).replace('\ufeff', '')).toBe(TEXT)
  })

  it('is not told by letters that three encodings have', () => {
    for (const encoding of ['cp850', 'macintosh'] as const) {
      expect(() => found(encoded(encoding))).toThrow(
        /those of Windows, MS-DOS or the Macintosh: .*encoding=windows-1252$/,
      )
    }
  })

  it.each([
    ['windows-1250', '\u0141\u00f3d\u017a Krak\u00f3w Gda\u0144sk'],
    ['windows-1250', 'ma\u015b\u0107 \u017b\u00f3\u0142w'],
    ['windows-1250', 'D\u0105browa'],
    ['windows-1251', '\u041d\u0430\u043a\u043b\u0430\u0434\u043d\u0430\u044f'],
    ['koi8-r', '\u0441\u0447\u0451\u0442'],
    ['windows-1253', '\u0391\u03b8\u03ae\u03bd\u03b1'],
    ['windows-1254', '\u0130stanbul \u015ei\u015fli'],
    ['iso-8859-9', '\u0131\u015f\u0131k'],
    ['windows-1257', 'R\u012bga \u0160iauliai'],
    ['iso-8859-15', 'Preis 5 \u20ac M\u00fcller'],
    ['gb18030', '\u5f20\u4e09\u6709\u9650\u516c\u53f8'],
    ['shift_jis', '\u682a\u5f0f\u4f1a\u793e'],
    ['euc-kr', '\uc8fc\uc2dd\ud68c\uc0ac'],
    ['big5', '\u6709\u9650\u516c\u53f8'],
    ['cp852', '\u0141\u00f3d\u017a'],
    ['cp866', '\u0421\u0447\u0451\u0442'],
  ] as const)(
    'is not taken for Windows-1252 where it is %s, and read where it is named: %s',
    async (encoding, text) => {
      const bytes = encoded(encoding, `name\r\n${text}\r\n`)
      const finder = new EncodingFinder()
      finder.add(bytes)
      // A file that looks like damaged UTF-8 is refused with its line and the same remedy.
      let told = ''
      try {
        told = finder.found().encoding
      } catch (error) {
        told = (error as Error).message
      }
      expect(told).toMatch(/encoding=windows-1252$|^utf-8$/)
      expect(await textOf(bytes, encoding)).toBe(`name\r\n${text}\r\n`)
    },
  )

  it.each([
    'M\u00fcller & S\u00f8n, \u00c5\u00e5, na\u00efve cr\u00e9\u00e9e',
    '\u00abmot\u00bb \u00bfQu\u00e9? \u00a1Hola! col\u00b7legi n\u00ba 5, 20\u00b0C',
    '\u00a35 5\u20ac 12 m\u00b2 3 m\u00b3, \u00a7 5, \u00a9 Example\u00ae, \u00bd',
  ])('is Windows-1252 for %s', (text) => {
    const finder = new EncodingFinder()
    finder.add(encoded('windows-1252', text))
    expect(finder.found().encoding).toBe('windows-1252')
  })

  it('may be that of MS-DOS or of an old Macintosh with its line ends', async () => {
    expect(await textOf(encoded('cp850'), 'cp850')).toBe(TEXT)
    const old = TEXT.replaceAll('\r\n', '\r')
    expect(found(encoded('utf-8', old)).endsWithReturn).toBe(true)
    expect(await textOf(encoded('macintosh', old), 'macintosh', 3, true)).toBe(TEXT.replaceAll('\r\n', '\n'))
  })

  it('reads characters of UTF-16 that are cut anywhere, and refuses halves of them', async () => {
    const emoji = 'a\u{1f600}b\n'
    for (const encoding of ['utf-16le', 'utf-16be'] as const) {
      for (const size of [1, 2, 3, 4, 5]) expect(await textOf(encoded(encoding, emoji), encoding, size)).toBe(emoji)
    }
    const lone = Buffer.from('a\n\ud83dx\n', 'utf16le')
    await expect(textOf(lone, 'utf-16le')).rejects.toThrow(new FileError('line 2 of the file is not UTF-16 LE'))
    await expect(textOf(lone.subarray(0, 3), 'utf-16le')).rejects.toThrow(/ends within a character of UTF-16 LE$/)
  })

  it('refuses bytes that the encoding does not have', async () => {
    await expect(textOf(Buffer.from('a\nb\x81\n', 'latin1'), 'windows-1252')).rejects.toThrow(
      new FileError('line 2 of the file is not Windows-1252'),
    )
  })
})
