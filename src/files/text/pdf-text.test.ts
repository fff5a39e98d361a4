import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { longIt } from '../../../test/support/reliability-test.ts'
import { extractText } from './extract-text.ts'

const MIB = 1024 * 1024
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

/** Files that another program has written (`test/generators/make-documents.ts`). */
const file = (name: string) => readFileSync(join('test/fixtures/texts', `${name}.pdf`))

const read = (content: Buffer) => extractText('application/pdf', content)

/** A document of these objects; the first is the root. */
function written(...objects: readonly (string | Buffer)[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let size = parts[0]!.length
  for (const [at, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    places.push(size)
    parts.push(part)
    size += part.length
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF`
  return Buffer.concat([...parts, Buffer.from(table + trailer)])
}

function stream(data: string | Buffer, entries = ''): Buffer {
  const bytes = Buffer.from(data)
  const head = `<< /Length ${bytes.length} ${entries} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')])
}

const packed = (data: string | Buffer, entries = '') => stream(deflateSync(data), `/Filter /FlateDecode ${entries}`)

/** A gigabyte of blanks as `deflateSync` packs it: each piece stands for itself, so one is packed. */
function gigabyte(): Buffer {
  const piece = deflateRawSync(Buffer.alloc(16 * MIB, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const end = deflateRawSync(Buffer.alloc(0))
  const checksum = Buffer.from('89810709', 'hex')
  return Buffer.concat([Buffer.from('789c', 'hex'), ...Array<Buffer>(64).fill(piece), end, checksum])
}
const show = (text: string) => `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`
const pageOf = (contents: string, font: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${contents} /Resources << /Font << /F1 ${font} >> >> >>`

/** A document with one page of this content. */
function onePage(contents: string | Buffer, font = FONT, ...more: (string | Buffer)[]): Buffer {
  const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
  return written('<< /Type /Catalog /Pages 2 0 R >>', pages, pageOf('4 0 R', '5 0 R'), contents, font, ...more)
}

const fixture = (name: string) => readFileSync(join('test/fixtures/pdfs', `${name}.pdf`))

/** A document with a page for each text, in letters so small that a long line ends before the page does. */
function pagesOf(texts: readonly string[]): Buffer {
  const kids = texts.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')
  return written(
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    FONT,
    ...texts.flatMap((text, at) => [
      pageOf(`${5 + 2 * at} 0 R`, '3 0 R'),
      packed(show(text).replace('12 Tf', '0.1 Tf')),
    ]),
  )
}

/** A font with two-byte character codes, and its ToUnicode table. */
function wideFont(encoding: string, ordering: string, more = ''): string {
  const info = `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`
  const inner = `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 600 /CIDSystemInfo ${info} >>`
  return `<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /${encoding} ${more} /DescendantFonts [${inner}] >>`
}

describe('a PDF', () => {
  test('gives the text of its pages in their order', async () => {
    const content = file('pages')
    const before = Buffer.from(content)
    expect(await read(content)).toBe('Gr\u00fc\u00dfe aus K\u00f6ln n\u00e4chste Zeile zweite Seite \u20ac 5 vierte')
    expect(content.equals(before)).toBe(true)
  })

  test('gives right-to-left text in the order in which it is read', async () => {
    const map =
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ' +
      '1 beginbfrange <0001> <001b> <05d0> endbfrange endcmap end'
    const font = wideFont('Identity-H', 'Identity', '/ToUnicode 6 0 R')
    // In painting order from the left, so the last letter comes first.
    const contents = stream('BT /F1 12 Tf 50 700 Td <000e0006000d001a> Tj ET')
    expect(await read(onePage(contents, font, stream(map)))).toBe(
      '\u05e9\u05dc\u05d5\u05dd'.replace('\u05e9', '\u05e9'),
    )
  })

  test('gives text in the character codes of Asia', async () => {
    const contents = stream('BT /F1 12 Tf 50 700 Td <65e5672c8a9e> Tj ET')
    expect(await read(onePage(contents, wideFont('UniJIS-UCS2-H', 'Japan1')))).toBe('\u65e5\u672c\u8a9e')
  })

  test('with a script is read, and the script is not run', async () => {
    expect(await read(file('script'))).toBe('text beside a script')
    expect(globalThis).not.toHaveProperty('wasRun')
  })

  test('is read without a password, or not at all', async () => {
    for (const version of ['1.3', '1.4', '1.6', '1.7', '1.7ext3']) {
      expect(await read(file(`userPassword/${version}`))).toBe('')
      expect(await read(file(`ownerPassword/${version}`))).toBe('text')
    }
  })

  longIt('of 2,500 pages is read up to the 2,000th', async () => {
    const content = pagesOf(Array.from({ length: 2_500 }, (_, at) => `page${at + 1}`))
    const words = (await read(content)).split(' ')
    expect(words).toHaveLength(2_000)
    expect(words.at(-1)).toBe('page2000')
  })

  test('gives no more than a million characters', async () => {
    const content = pagesOf(Array.from({ length: 150 }, () => 'words and more '.repeat(600)))
    const text = await read(content)
    expect(text.length).toBeLessThanOrEqual(1_000_000)
    expect(text.length).toBeGreaterThan(999_000)
  })

  test('of which one page cannot be read gives the others', async () => {
    const pages = ['4 0 R', '5 0 R', '4 0 R']
    const kids = pages.map((_, at) => `${7 + at} 0 R`).join(' ')
    const content = written(
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count 3 >>`,
      FONT,
      stream(show('fine')),
      packed(Buffer.alloc(64 * MIB, ' ')),
      'null',
      ...pages.map((contents) => pageOf(contents, '3 0 R')),
    )
    expect(await read(content)).toBe('fine fine')
  })

  test('larger than 16 MiB is read when its table is where it says', async () => {
    const filler = stream(Buffer.alloc(17 * MIB, 'x'))
    const content = onePage(stream(show('large')), FONT, filler)
    const broken = Buffer.from(content.subarray(0, -200))
    expect(await read(content)).toBe('large')
    expect(await read(broken)).toBe('')
  })
})

describe('a hostile PDF', () => {
  const laughs = (depth: number) =>
    Array.from({ length: depth }, (_, at) =>
      stream(
        `${show('laughter '.repeat(20))} ${'/X Do '.repeat(10)}`,
        `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${7 + at} 0 R >> >>`,
      ),
    )
  const withForm = (...forms: Buffer[]) =>
    written(
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /X 6 0 R >> >> >>',
      stream('/X Do'),
      FONT,
      ...forms,
    )
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
  const nested = (part: string) => packed(`BT /F1 12 Tf ${part.repeat((4 * MIB) / part.length)} Tj ET`)

  const HOSTILE: [string, Buffer][] = [
    ['pages that are their own parents', written(catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>')],
    [
      'pages in a circle',
      written(
        catalog,
        '<< /Type /Pages /Kids [3 0 R] /Count 9 >>',
        '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>',
      ),
    ],
    ['two billion pages', written(catalog, '<< /Type /Pages /Kids [] /Count 2147483647 >>')],
    ['fewer than no pages', written(catalog, '<< /Type /Pages /Kids [] /Count -1 >>')],
    ['itself as root', written('1 0 R')],
    ['no root', written('null')],
    ['a gigabyte in one page', onePage(stream(gigabyte(), '/Filter /FlateDecode'))],
    ['a gigabyte, packed twice', onePage(stream(deflateSync(gigabyte()), '/Filter [/FlateDecode /FlateDecode]'))],
    ['a million open arrays', onePage(nested('['))],
    ['a million open dictionaries', onePage(nested('<</A'))],
    ['contents that are their own length', onePage('<< /Length 4 0 R >>\nstream\nx\nendstream')],
    [
      'forms that draw themselves',
      withForm(stream('/X Do', '/Type /XObject /Subtype /Form /Resources << /XObject << /X 6 0 R >> >>')),
    ],
    [
      'a table in a circle',
      Buffer.from('%PDF-1.7\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF'),
    ],
    ['nothing but its mark', Buffer.from('%PDF-1.7')],
    ['no mark', Buffer.from('x'.repeat(2_000))],
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5 * MIB)])],
  ]

  test.each(HOSTILE)('of %s has no text', async (_, content) => expect(await read(content)).toBe(''))

  longIt('of laughs is cut', async () => {
    const text = await read(withForm(...laughs(12)))
    expect(text.length).toBeLessThanOrEqual(1_000_000)
  })

  longIt('of 2,000 pages that cannot be read is left after some of them', async () => {
    const kids = Array.from({ length: 2_000 }, () => '5 0 R').join(' ')
    const content = written(
      catalog,
      `<< /Type /Pages /Kids [${kids}] /Count 2000 >>`,
      packed(Buffer.alloc(64 * MIB, ' ')),
      FONT,
      pageOf('3 0 R', '4 0 R'),
    )
    expect(await read(content)).toBe('')
  })

  test('leaves the byte arrays of the program as they were', async () => {
    const { Uint8Array: bytes, DecompressionStream: decompression } = globalThis
    await Promise.all([read(file('pages')), read(Buffer.from('%PDF-1.7'))])
    expect(globalThis.Uint8Array).toBe(bytes)
    expect(globalThis.DecompressionStream).toBe(decompression)
    expect(new Uint8Array(9 * MIB)).toHaveLength(9 * MIB)
  })
})

describe('a PDF that people work with', () => {
  test.each([
    ['divided-words', ['Rechnungs- nummer Rechnungsnummer', 'wel- come welcome']],
    ['form-field', ['pdfc6value']],
    ['free-text', ['pdfc8free']],
  ])('%s has the words that are seen on it', async (name, words) => {
    const text = await read(fixture(name))
    for (const word of words) expect(text).toContain(word)
  })

  test('has what is chosen and commented in it, but no state of a button', async () => {
    const annotated = pageOf('4 0 R', '5 0 R').replace('/Contents', '/Annots [6 0 R 7 0 R 8 0 R] /Contents')
    const content = written(
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 8 0 R] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      annotated,
      stream(show('page wel-')),
      FONT,
      '<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (c) /V (no) /Opt [[(no) (Norway)] [(se) (Sweden)]] /Rect [0 0 9 9] >>',
      '<< /Type /Annot /Subtype /Text /Contents (remark) /Rect [0 0 9 9] >>',
      '<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /V /Pressed /AS /Pressed /Rect [0 0 9 9] >>',
    )
    expect((await read(content)).split(' ')).toEqual(['page', 'wel-', 'remark', 'no', 'Norway'])
  })

  test('has the XML that is attached to it, and no other file', async () => {
    const invoice = '<?xml version="1.0"?><Invoice><ID schemeID="K">INV&#45;7</ID></Invoice>'
    const attached = (name: string, file: number) => `<< /Type /Filespec /F (${name}) /EF << /F ${file} 0 R >> >>`
    const content = written(
      '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 6 0 R (b) 8 0 R] >> >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      pageOf('4 0 R', '5 0 R'),
      stream(show('page')),
      FONT,
      attached('factur-x.xml', 7),
      packed(invoice, '/Type /EmbeddedFile'),
      attached('notes.txt', 9),
      packed('hidden', '/Type /EmbeddedFile'),
    )
    expect(await read(content)).toBe('page K INV-7')
  })
})
