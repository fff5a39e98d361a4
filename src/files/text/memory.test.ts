// Worst-case contents, each in a separate process with the heap limit of the service: none may need 256 MiB.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MIB = 1024 * 1024
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** Peak memory of the process itself. `resourceUsage` would include the memory of the parent at the fork. */
const PROGRAM = `
  import { existsSync, readFileSync } from 'node:fs'
  const [, , program, file, type] = process.argv
  const { extractText } = await import(program)
  const text = await extractText(type, readFileSync(file))
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kibibytes = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
  console.log(JSON.stringify({ length: text.length, kibibytes }))
`

const repeated = (head: string, part: string, bytes: number) => Buffer.from(head + part.repeat(bytes / part.length))

function word(xml: Buffer, picture = new Uint8Array()): Uint8Array {
  return zipSync({ 'word/document.xml': xml, 'word/media/picture.png': [picture, { level: 0 }] })
}

/** A document with one page that repeats this content many times. */
function pdf(contents: Buffer, filler = Buffer.alloc(0), pages = 1): Buffer {
  const packed = deflateSync(contents)
  const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(pages)}] /Count ${pages} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R ${font} >>`,
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
    Buffer.concat([Buffer.from(`<< /Length ${filler.length} >>\nstream\n`), filler, Buffer.from('\nendstream')]),
  ]
  const parts = objects.map((object, at) =>
    Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
  )
  const head = Buffer.from('%PDF-1.7\n')
  const places = parts.map((_, at) => head.length + parts.slice(0, at).reduce((sum, part) => sum + part.length, 0))
  const end = head.length + parts.reduce((sum, part) => sum + part.length, 0)
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const tail = `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${end}\n%%EOF`
  return Buffer.concat([head, ...parts, Buffer.from(tail)])
}

const SHOWN = Buffer.from('BT /F1 12 Tf 50 700 Td (text) Tj ET')
const WORST: [string, string, () => Uint8Array, number][] = [
  ['a page of a gigabyte', 'application/pdf', () => pdf(Buffer.alloc(1024 * MIB, ' ')), 0],
  ['2,000 pages of 64 MiB each', 'application/pdf', () => pdf(Buffer.alloc(64 * MIB, ' '), undefined, 2_000), 0],
  ['a page of one array', 'application/pdf', () => pdf(repeated('BT /F1 12 Tf [', '1 ', 7 * MIB)), 0],
  ['pictures of 45 MiB', 'application/pdf', () => pdf(SHOWN, Buffer.alloc(45 * MIB, 'x')), 4],
  ['45 MiB of a broken document', 'application/pdf', () => repeated('%PDF-1.7\n', '1 0 obj <<>> endobj ', 45 * MIB), 0],
  ['an empty paragraph, millions of times', WORD, () => word(repeated('<d>', '<p/>', 33 * MIB)), 0],
  [
    '45 MiB of pictures',
    WORD,
    () => word(repeated('<d>', '<p><t>text </t></p>', 33 * MIB), Buffer.alloc(45 * MIB, 'x')),
    999_999,
  ],
  ['50 MB of references', 'text/html', () => repeated('', '<p>&auml;', 50_000_000), 999_999],
  ['50 MB of blanks', 'text/plain', () => repeated('', ' \n', 50_000_000), 0],
]

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'text-memory-'))
  await writeFile(join(folder, 'program.mjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))

test.each(WORST)('%s need less than 256 MiB', async (_, mimeType, make, length) => {
  const file = join(folder, 'content')
  await writeFile(file, make())
  const flags = ['--max-old-space-size=102', '--max-semi-space-size=8', '--no-warnings']
  const args = [
    ...flags,
    join(folder, 'program.mjs'),
    new URL('./extract-text.ts', import.meta.url).href,
    file,
    mimeType,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} })
  const result = JSON.parse(stdout) as { length: number; kibibytes: number }
  expect(result.length).toBe(length)
  expect(result.kibibytes).toBeLessThan(256 * 1024)
})
