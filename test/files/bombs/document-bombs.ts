// PDF, archives, and files that are declared as pictures and are something else.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { type Bomb, bombsOf, crcOf, deflatedZeros, times, zlibZeros } from './bomb.ts'
import { seeds } from './seeds.ts'

const GIB = 1024 ** 3
const PAGE =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>/Font<</F 6 0 R>>/Pattern<</P 5 0 R>>/ExtGState<</G 5 0 R>>>>>>'
const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'

/** Text, or a stream with its dictionary entries. */
type PdfObject = string | { readonly entries?: string; readonly data: string | Buffer }

function bytesOf(part: PdfObject): Buffer {
  if (typeof part === 'string') return Buffer.from(part, 'latin1')
  const data = Buffer.from(part.data as string, 'latin1')
  const head = `<<${part.entries ?? ''}/Length ${data.length}>>stream\n`
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')])
}

interface Pdf {
  readonly catalog?: string
  readonly pages?: string
  readonly page?: string
  readonly content?: PdfObject
  /** Objects from number 5. */
  readonly others?: readonly PdfObject[]
  readonly trailer?: string
}

/** A PDF of one page, with the given differences. */
export function pdf({
  catalog = '',
  pages,
  page = PAGE,
  content = { data: '' },
  others = [],
  trailer = '',
}: Pdf = {}): Buffer {
  const tree = pages ?? '<</Type/Pages/Kids[3 0 R]/Count 1>>'
  const objects = [`<</Type/Catalog/Pages 2 0 R${catalog}>>`, tree, page, content, ...others]
  const parts = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let length = 9
  objects.forEach((one, at) => {
    places.push(length)
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), bytesOf(one), Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
  })
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer<</Size ${count}/Root 1 0 R${trailer.replace('HERE', String(length))}>>`
  return Buffer.concat([...parts, Buffer.from(`${table}\nstartxref\n${length}\n%%EOF`)])
}

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 595 842]'
const FLATE = '/Filter/FlateDecode'
const picture = (side: number) =>
  `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceRGB/BitsPerComponent 8`
const box = (numbers: string) => PAGE.replace('0 0 595 842', numbers)

const pdfBombs = bombsOf('application/pdf', {
  'pdf-page-tree-circle': () => pdf({ pages: '<</Type/Pages/Kids[2 0 R]/Count 1>>' }),
  'pdf-page-tree-deep': () =>
    pdf({
      pages: '<</Type/Pages/Kids[5 0 R]/Count 1>>',
      others: times(5_000, (at) => `<</Type/Pages/Kids[${at + 6} 0 R]/Count 1>>`),
    }),
  'pdf-parent-circle': () =>
    pdf({ pages: '<</Type/Pages/Kids[3 0 R]/Count 1/Parent 2 0 R>>', page: '<</Type/Page/Parent 2 0 R>>' }),
  'pdf-two-billion-pages': () => pdf({ pages: '<</Type/Pages/Kids[3 0 R]/Count 2147483647>>' }),
  'pdf-no-pages': () => pdf({ pages: '<</Type/Pages/Kids[]/Count 0>>' }),
  'pdf-script-on-opening': () => pdf({ catalog: '/OpenAction<</S/JavaScript/JS(for\\(;;\\);)>>' }),
  'pdf-program-on-opening': () => pdf({ catalog: '/OpenAction<</S/Launch/F(/bin/sh)>>' }),
  'pdf-address-on-opening': () => pdf({ catalog: '/OpenAction<</S/URI/URI(http://127.0.0.1:1/)>>' }),
  'pdf-deep-arrays': () => pdf({ catalog: `/Deep ${'['.repeat(1_000_000)}` }),
  'pdf-deep-dictionaries': () => pdf({ page: `${'<</A'.repeat(500_000)}` }),
  'pdf-huge-page': () => pdf({ page: box('0 0 1000000000 1000000000') }),
  'pdf-flat-page': () => pdf({ page: box('0 0 1000000000 0.0000001') }),
  'pdf-empty-page': () => pdf({ page: box('0 0 0 0') }),
  'pdf-page-of-no-numbers': () => pdf({ page: box('/a (b) null 1e999') }),
  'pdf-large-unit': () => pdf({ page: PAGE.replace('/Parent', '/UserUnit 1e30/Parent') }),
  'pdf-content-bomb': () => pdf({ content: { entries: FLATE, data: zlibZeros(GIB) } }),
  'pdf-content-bomb-twice': () =>
    pdf({ content: { entries: '/Filter[/FlateDecode/FlateDecode]', data: zlibZeros(GIB) } }),
  'pdf-filters': () =>
    pdf({ content: { entries: `/Filter[${'/FlateDecode'.repeat(1_000)}]`, data: zlibZeros(1_000) } }),
  'pdf-object-stream-bomb': () =>
    pdf({ catalog: '/Names 7 0 R', others: [{ entries: `/Type/ObjStm/N 1/First 4${FLATE}`, data: zlibZeros(GIB) }] }),
  'pdf-references-in-a-circle': () => pdf({ page: '5 0 R', others: ['6 0 R', '5 0 R'] }),
  'pdf-length-in-a-circle': () => pdf({ content: '<</Length 4 0 R>>stream\nendstream' }),
  'pdf-table-in-a-circle': () => pdf({ trailer: '/Prev HERE' }),
  'pdf-form-in-itself': () =>
    pdf({
      content: { data: '/X Do' },
      others: [{ entries: `${FORM}/Resources<</XObject<</X 5 0 R>>>>`, data: '/X Do /X Do' }],
    }),
  'pdf-forms-doubling': () =>
    pdf({
      content: { data: '/X Do' },
      others: times(40, (at) => ({
        entries: `${FORM}/Resources<</XObject<</X ${at + 6} 0 R>>>>`,
        data: '/X Do /X Do',
      })),
    }),
  'pdf-groups': () =>
    pdf({
      content: { data: '/X Do' },
      others: times(200, (at) => ({
        entries: `${FORM}/Group<</S/Transparency/I true>>/Resources<</XObject<</X ${at + 6} 0 R>>>>`,
        data: '0 0 99 99 re f /X Do',
      })),
    }),
  'pdf-saved-states': () => pdf({ content: { data: 'q '.repeat(3_000_000) } }),
  'pdf-long-path': () => pdf({ content: { data: `0 0 m ${'9 9 l 1 2 3 4 5 6 c '.repeat(500_000)} S` } }),
  'pdf-dashes': () => pdf({ content: { data: '[0.00001] 0 d 0 0 m 500 800 l S' } }),
  'pdf-long-text': () =>
    pdf({ content: { data: `BT /F 9 Tf ${'(Word) Tj '.repeat(500_000)} ET` }, others: ['null', HELVETICA] }),
  'pdf-pattern': () =>
    pdf({
      content: { data: '/Pattern cs /P scn 0 0 600 900 re f' },
      others: [
        {
          entries: '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>',
          data: '0 0 1 1 re f',
        },
      ],
    }),
  'pdf-mask-in-itself': () =>
    pdf({
      content: { data: '/G gs 0 0 9 9 re f' },
      others: [
        '<</SMask<</S/Luminosity/G 6 0 R>>>>',
        { entries: `${FORM}/Group<</S/Transparency>>/Resources<</ExtGState<</G 5 0 R>>>>`, data: '/G gs 0 0 9 9 re f' },
      ],
    }),
  'pdf-font-in-itself': () =>
    pdf({
      content: { data: 'BT /F 9 Tf (aaaa) Tj ET' },
      others: [
        'null',
        '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 7 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<</Font<</F 6 0 R>>>>>>',
        { data: '1 0 d0 BT /F 9 Tf (aaaa) Tj ET' },
      ],
    }),
  'pdf-picture-30k': () =>
    pdf({ content: { data: '/X Do' }, others: [{ entries: picture(30_000) + FLATE, data: zlibZeros(GIB) }] }),
  'pdf-picture-7k': () =>
    pdf({ content: { data: '/X Do' }, others: [{ entries: picture(7_000) + FLATE, data: zlibZeros(147_000_000) }] }),
  'pdf-picture-of-nonsense': () =>
    pdf({
      content: { data: '/X Do' },
      others: [{ entries: `${picture(60_000)}/Filter/JPXDecode`, data: 'x'.repeat(1_000) }],
    }),
  'pdf-jbig2-of-nonsense': () =>
    pdf({
      content: { data: '/X Do' },
      others: [
        {
          entries: `${picture(60_000)}/Filter/JBIG2Decode`,
          data: '\0\0\0\0\x30\0\x01\0\0\0\x13\x7f\xff\xff\xff\x7f\xff\xff\xff',
        },
      ],
    }),
  'pdf-function': () =>
    pdf({
      content: { data: '/Pattern cs /P scn 0 0 600 900 re f' },
      others: [
        '<</PatternType 2/Shading<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 1 0 1]/Function 6 0 R>>>>',
        { entries: '/FunctionType 4/Domain[0 1 0 1]/Range[0 1]', data: `{${'2 copy pop pop '.repeat(100_000)}}` },
      ],
    }),
  'pdf-encrypted': () => pdf({ trailer: '/Encrypt<</Filter/Standard/V 5/R 6/Length 256/O(a)/U(b)/P -1>>/ID[(a)(b)]' }),
  'pdf-signature-alone': () => Buffer.from('%PDF-1.7'),
  'pdf-of-zeros': () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20_000_000)]),
  'pdf-of-starts': () => Buffer.from(`%PDF-1.7\n${'1 0 obj<<'.repeat(1_000_000)}`),
})

/** A file in an archive: so many zeros. */
function zip(name: string, length: number): Buffer {
  const data = deflatedZeros(length)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(length, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end])
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const LAUGHS = `<!DOCTYPE svg [<!ENTITY a "ha">${times(
  30,
  (at) =>
    `<!ENTITY ${String.fromCharCode(98 + at)} "&${String.fromCharCode(97 + at)};&${String.fromCharCode(97 + at)};">`,
)
  .slice(0, 24)
  .join('')}]>`
const svg = (content: string, before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" width="50000" height="50000">${content}</svg>`)

const others: Readonly<Record<string, Bomb['make']>> = {
  'svg-entities': () => svg('<text>&y;</text>', LAUGHS),
  'svg-file': () => svg('<image href="file:///etc/passwd" width="9" height="9"/>'),
  'svg-address': () => svg('<image href="http://127.0.0.1:1/x.png" width="9" height="9"/>'),
  'svg-filters': () =>
    svg(
      `<filter id="f">${'<feGaussianBlur stdDeviation="999"/>'.repeat(1_000)}</filter><rect filter="url(#f)" width="9" height="9"/>`,
    ),
  avif: () =>
    sharp({ create: { width: 64, height: 64, channels: 3, background: '#123' } })
      .avif({ effort: 0 })
      .toBuffer(),
  heic: () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'),
  'jpeg-xl': () => Buffer.from('ff0afa7f0000', 'hex'),
  'jpeg-2000': () => Buffer.from('0000000c6a5020200d0a870a', 'hex'),
  bitmap: () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(52, 0x7f)]),
  icon: () => Buffer.from('\0\0\x01\0\xff\xff', 'latin1'),
  photoshop: () => Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\x04\x93\xe0\0\x04\x93\xe0', 'latin1'),
  'portable-pixels': () => Buffer.from('P6 100000 100000 255\n'),
  'vips-picture': () => Buffer.concat([Buffer.from('b6a6f208', 'hex'), Buffer.alloc(64, 0x7f)]),
  postscript: () => Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n{} loop'),
  'csv-picture': () => Buffer.from('1,2,3\n'.repeat(100_000)),
  'open-exr': () => Buffer.from('762f310102000000', 'hex'),
  fits: () => Buffer.from('SIMPLE  =                    T'),
  'big-tiff': () => Buffer.from('II+\0\x08\0\0\0', 'latin1'),
  empty: () => Buffer.alloc(0),
  'one-byte': () => Buffer.from([0x89]),
  zeros: () => Buffer.alloc(50_000_000),
  'zip-bomb': () => zip('zeros', GIB),
  'gzip-bomb': () => Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), deflatedZeros(GIB), Buffer.alloc(8)]),
  'brotli-bomb': () => brotliCompressSync(Buffer.alloc(1024 ** 2), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  'gzip-of-a-picture': async () => gzipSync((await seeds['image/png']?.()) ?? Buffer.alloc(0)),
  'pdf-with-a-picture': async () => Buffer.concat([pdf(), (await seeds['image/jpeg']?.()) ?? Buffer.alloc(0)]),
}

/** Starts as a picture, and ends as something else. */
const polyglots = bombsOf('image/png', {
  'polyglot-png-zip': async () => Buffer.concat([(await seeds['image/png']?.()) ?? Buffer.alloc(0), zip('zeros', GIB)]),
  'polyglot-jpeg-pdf': async () => Buffer.concat([(await seeds['image/jpeg']?.()) ?? Buffer.alloc(0), pdf()]),
  'polyglot-gif-script': () => Buffer.from('GIF89a/*\0\0\0*/=1;alert(1);'),
  'polyglot-png-jpeg': async () =>
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), (await seeds['image/jpeg']?.()) ?? Buffer.alloc(0)]),
  'polyglot-riff-wave': () => Buffer.from('RIFF\xff\xff\xff\x7fWAVEfmt ', 'latin1'),
})

export const documentBombs: readonly Bomb[] = [
  ...pdfBombs,
  ...bombsOf('image/png', others),
  ...polyglots,
  ...bombsOf(DOCX, { 'docx-bomb': () => zip('word/document.xml', GIB), 'docx-of-nothing': () => Buffer.from('PK') }),
  ...bombsOf('application/zip', { 'zip-bomb-as-zip': () => zip('zeros', GIB) }),
  ...bombsOf('application/gzip', { 'gzip-bomb-as-gzip': () => crcOf(Buffer.alloc(9)) }),
  ...bombsOf('image/svg+xml', { 'svg-as-svg': () => svg('<text>&y;</text>', LAUGHS) }),
]
