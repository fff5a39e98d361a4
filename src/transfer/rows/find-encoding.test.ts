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
      expect(() => found(encoded(encoding))).toThrow(/those of Windows, MS-DOS or the Macintosh: .*--encoding$/)
    }
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
