import { readFileSync } from 'node:fs'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { longIt, triesOf } from '../../../test/support/reliability-test.ts'
import { extractText } from './extract-text.ts'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const MIB = 1024 * 1024
/** Enough for a reader that goes over it again and again never to end. */
const ENDLESS = triesOf({ smoke: 6, long: 30, full: 30 }) * MIB

const BODY = '<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="urn:w" xmlns:mc="urn:mc"><w:body>'
const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

type Files = Readonly<Record<string, string | Uint8Array>>

function zipped(files: Files): Buffer {
  const entries = Object.entries(files).map(([name, data]) => [name, typeof data === 'string' ? strToU8(data) : data])
  return Buffer.from(zipSync(Object.fromEntries(entries)))
}

const word = (files: Files) => extractText(WORD, zipped(files))
const body = (xml: string) => word({ 'word/document.xml': BODY + xml })
/** A body has millions of characters, so it is packed by what is quick. */
const longBody = (xml: string) => {
  const data = Buffer.from(BODY + xml)
  return extractText(WORD, lying('word/document.xml', deflateRawSync(data, { level: 1 }), data.length))
}
/** Not packed, which takes its time. */
const stored = (files: Readonly<Record<string, Uint8Array>>) =>
  extractText(WORD, Buffer.from(zipSync(files, { level: 0 })))
const excel = (files: Files) => extractText(EXCEL, zipped(files))

describe('a Word document', () => {
  test('gives its body, table cells, headers, footers and notes', async () => {
    const text = await extractText(WORD, readFileSync('test/fixtures/texts/letter.docx'))
    expect(text).toBe(
      'Gr\u00fc\u00dfe Menge \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 & <Ende> Kopf Fu\u00df Fu\u00dfnote',
    )
  })

  test.each([
    [`${paragraph('one')}${paragraph('two')}`, 'one two'],
    ['<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>', 'a b c-d'],
    ['<w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText><w:t>here</w:t></w:r>', 'here'],
    ['<w:t><![CDATA[a <b> ]]>&amp;&#x20AC;&quot;</w:t>', 'a <b> &\u20ac"'],
    [
      `<mc:AlternateContent><mc:Choice>${paragraph('box')}</mc:Choice><mc:Fallback>${paragraph('box')}</mc:Fallback></mc:AlternateContent>`,
      'box',
    ],
    [`${paragraph('a')}<w:p>&undefined;</w:p>${paragraph('b')}`, 'a'],
    [`${paragraph('a')}</w:x>${paragraph('b')}`, 'a'],
    [`${paragraph('a')}<w:p w:a=1>${paragraph('b')}`, 'a'],
    [`${paragraph('a')}\u0000${paragraph('b')}`, 'a'],
    ['', ''],
  ])('%j says %j', async (xml, text) => expect(await body(xml)).toBe(text))

  test('is read whatever its prefix and its encoding', async () => {
    const xml = '\ufeff<d xmlns="urn:w"><p><t>Gr\u00fc\u00dfe</t></p></d>'
    expect(await word({ 'word/document.xml': Buffer.from(xml, 'utf16le') })).toBe('Gr\u00fc\u00dfe')
    expect(await word({ 'word/document.xml': Buffer.from(xml, 'utf16le').swap16() })).toBe('Gr\u00fc\u00dfe')
    expect(await word({ 'word/document2.xml': xml })).toBe('Gr\u00fc\u00dfe')
  })

  test('has its parts in the order of their numbers, and no others', async () => {
    const part = (text: string) => `${BODY}${paragraph(text)}`
    const files = {
      'word/footer1.xml': part('foot'),
      'word/header10.xml': part('ten'),
      'word/header2.xml': part('two'),
      'word/document.xml': part('body'),
      'word/comments.xml': part('comment'),
      'docProps/core.xml': part('title'),
      'inner/word/document.xml': part('inner'),
      'word/embeddings/inner.docx': zipped({ 'word/document.xml': part('nested') }),
    }
    expect(await word(files)).toBe('body two ten foot')
  })
})

describe('a workbook', () => {
  const BOOK =
    '<workbook><sheets><sheet name="Ums\u00e4tze &amp; mehr" sheetId="1"/><sheet name="Zwei"/></sheets></workbook>'
  const STRINGS =
    '<sst><si><t>K\u00f6ln</t></si><si><r><t>zwei </t></r><r><t>Teile</t></r></si><si><t>\u65e5</t><rPh><t>reading</t></rPh></si></sst>'
  const SHEET =
    '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>12.5</v></c><c t="inlineStr"><is><t>inline</t></is></c></row>' +
    '<row><c t="str"><f>A1&amp;"x"</f><v>result</v></c><c t="s"><v>1</v></c><c t="b"><v>1</v></c></row></sheetData></worksheet>'

  test('gives the names of sheets, the shared texts and the other values', async () => {
    const text = await excel({
      'xl/worksheets/sheet10.xml': '<worksheet><c><v>10</v></c></worksheet>',
      'xl/worksheets/sheet2.xml': SHEET,
      'xl/sharedStrings.xml': STRINGS,
      'xl/workbook.xml': BOOK,
      'xl/styles.xml': '<t>style</t>',
    })
    expect(text).toBe('Ums\u00e4tze & mehr Zwei K\u00f6ln zwei Teile \u65e5 12.5 inline result 1 10')
  })

  test('is read without shared texts, and without its own part', async () => {
    expect(await excel({ 'xl/worksheets/sheet1.xml': SHEET })).toBe('12.5 inline result 1')
    expect(await excel({})).toBe('')
  })
})

/** A ZIP entry with a declared size of choice. The data are deflated. */
function lying(name: string, packed: Uint8Array, size: number): Buffer {
  const archive = Buffer.from(zipSync({ [name]: packed }, { level: 0 }))
  const directory = archive.lastIndexOf('PK\x01\x02')
  archive.writeUInt16LE(8, 8)
  archive.writeUInt16LE(8, directory + 10)
  archive.writeUInt32LE(size, 22)
  archive.writeUInt32LE(size, directory + 24)
  return archive
}

const filled = (head: string, part: string, bytes: number) => Buffer.from(head + part.repeat(bytes / part.length))

describe('a hostile archive', () => {
  test.each([0, 10, 0xfffffffe])('may say that a part has %d bytes', async (size) => {
    const data = filled(BODY, paragraph('word'), 100_000)
    const text = await extractText(WORD, lying('word/document.xml', deflateRawSync(data), size))
    expect(text.split(' ').length).toBe(Math.floor(100_000 / paragraph('word').length))
  })

  test('is read up to 32 MiB of a part', async () => {
    const filler = ' '.repeat(32 * MIB)
    expect(await longBody(`${paragraph('before')}${filler}${paragraph('behind')}`)).toBe('before')
  })

  longIt('is read up to 64 MiB in all', async () => {
    const part = strToU8(`${BODY}${paragraph('word')}${' '.repeat(31 * MIB)}`)
    const header = strToU8(`${BODY}${paragraph('header')}`)
    const files = {
      'word/document.xml': part,
      'word/header1.xml': part,
      'word/header2.xml': part,
      'word/header3.xml': header,
    }
    expect(await stored(files)).toBe('word word word')
  })

  test.each([1024 * MIB, 1])('of a gigabyte of zeros has no text, also where it says it has %d bytes', async (size) => {
    const piece = deflateRawSync(Buffer.alloc(16 * MIB), { finishFlush: constants.Z_FULL_FLUSH })
    const end = deflateRawSync('')
    const zeros = Buffer.concat([...Array.from({ length: 64 }, () => piece), end])
    expect(inflateRawSync(Buffer.concat([piece, end]))).toHaveLength(16 * MIB)
    expect(await extractText(WORD, lying('word/document.xml', zeros, size))).toBe('')
    expect(await extractText(EXCEL, lying('xl/sharedStrings.xml', zeros, size))).toBe('')
  })

  test('of 10,001 entries is read up to the 10,000th', async () => {
    const fillers = Array.from({ length: 9_999 }, (_, at) => [`x${at}`, new Uint8Array()])
    const files = {
      'word/document.xml': strToU8(BODY + paragraph('seen')),
      ...Object.fromEntries(fillers),
      'word/header1.xml': strToU8(BODY + paragraph('not seen')),
    }
    expect(await stored(files)).toBe('seen')
  })

  test('within an archive is not opened', async () => {
    const inner = zipped({ 'word/document.xml': BODY + paragraph('inner') })
    expect(await word({ 'word/document.xml': inner })).toBe('')
  })

  test.each(['../word/document.xml', '/word/document.xml', 'c:/word/document.xml'])(
    'with a part %j is not followed there',
    async (name) => expect(await word({ [name]: BODY + paragraph('x') })).toBe(''),
  )

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no archive', Buffer.from('PK\x03\x04 and then something else'.repeat(1_000))],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['an empty archive', zipped({})],
    ['zeros', Buffer.alloc(100_000)],
  ])('that is %s has no text', async (_, content) => {
    expect(await extractText(WORD, content)).toBe('')
    expect(await extractText(EXCEL, content)).toBe('')
  })
})

describe('hostile XML', () => {
  const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at} "${`&lol${at ? at - 1 : ''};`.repeat(10)}">`).join('')}]>`

  test.each([
    ['of laughs', `<?xml version="1.0"?>${LAUGHS}<d><p><t>a &lol8;</t></p></d>`],
    ['of a file', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d><t>a</t><t>&x;</t></d>'],
    ['that is empty', '<!DOCTYPE d><d><t>a</t></d>'],
  ])('with a document type %s leaves no text of the whole document', async (_, xml) => {
    expect(await word({ 'word/document.xml': xml })).toBe('')
    expect(await word({ 'word/document.xml': BODY + paragraph('body'), 'word/header1.xml': xml })).toBe('')
    expect(await excel({ 'xl/workbook.xml': '<sheet name="x"/>', 'xl/sharedStrings.xml': xml })).toBe('')
  })

  test('of 1,000,000 levels is read down to the 512th', async () => {
    const xml = `${paragraph('a')}${'<w:p>'.repeat(1_000_000)}<w:t>b</w:t>`
    expect(await longBody(xml)).toBe('a')
    expect(await body(`${paragraph('a')}${'<w:p>'.repeat(500)}<w:t>b</w:t>`)).toBe('a b')
  })

  test.each([
    ['text', '<w:t>', '&amp;'],
    ['comment', '<!--', '-a'],
    ['CDATA section', '<![CDATA[', ']a'],
    ['instruction', '<?x ', '?a'],
    ['name', '<', 'a'],
    ['value', '<w:p a="', '&amp;'],
    ['list of attributes', '<w:p', ' a=""'],
    ['entity', '<w:t>&', 'a'],
  ])('with an endless %s is read up to there', async (_, head, part) => {
    const filler = filled(head, part, ENDLESS).toString('latin1')
    expect(await longBody(`${paragraph('before')}${filler}`)).toBe('before')
  })

  test('gives no more than a million characters', async () => {
    const text = await longBody(paragraph('words ').repeat(200_000))
    expect(text.length).toBeLessThanOrEqual(1_000_000)
    expect(text.length).toBeGreaterThan(999_900)
    expect(text.endsWith(' words')).toBe(true)
  })
})

describe('a presentation', () => {
  test('gives its slides in their order, with tables, and then its notes', async () => {
    const slide = (text: string) => `<p:sld xmlns:p="urn:p" xmlns:a="urn:a">${text}</p:sld>`
    const said = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
    const files = {
      'ppt/slides/slide10.xml': slide(said('last')),
      'ppt/slides/slide2.xml': slide(
        `${said('a')}<a:tbl><a:tr><a:tc>${said('b')}</a:tc><a:tc>${said('c')}</a:tc></a:tr></a:tbl>`,
      ),
      'ppt/notesSlides/notesSlide1.xml': slide(said('to be said')),
    }
    const type = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
    expect(await extractText(type, zipped(files))).toBe('a b c last to be said')
  })
})

describe('a document of LibreOffice', () => {
  const content = (xml: string) =>
    extractText(
      'application/vnd.oasis.opendocument.text',
      zipped({ 'content.xml': `<o:d xmlns:o="urn:o" xmlns:t="urn:t">${xml}</o:d>` }),
    )

  test.each([
    ['<t:h>Title</t:h><t:p>a<t:s t:c="3"/>b<t:tab/>c<t:line-break/>d <t:span>e</t:span></t:p>', 'Title a b c d e'],
    [
      '<t:table><t:table-row><t:table-cell><t:p>1</t:p></t:table-cell><t:table-cell><t:p>2</t:p></t:table-cell></t:table-row></t:table>',
      '1 2',
    ],
    [
      '<t:tracked-changes><t:p>gone</t:p></t:tracked-changes><o:annotation><t:p>remark</t:p></o:annotation><t:p>here</t:p>',
      'here',
    ],
    ['<!DOCTYPE x><t:p>a</t:p>', ''],
    ['<t:p>a</t:p><t:p', 'a'],
  ])('%j says %j', async (xml, text) => expect(await content(xml)).toBe(text))
})
