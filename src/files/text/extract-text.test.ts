import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { SEED, triesOf } from '../../../test/support/reliability-test.ts'
import { extractText } from './extract-text.ts'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const TYPES = ['application/pdf', WORD, EXCEL, 'text/html', 'text/plain']

const RUNS = Number(process.env.FUZZ_RUNS ?? triesOf({ long: 500, full: 5_000 }))

const samples = new Map<string, Buffer>()

function zipped(files: Readonly<Record<string, string>>, level: 0 | 6): Buffer {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])), { level }),
  )
}

const WORD_FILES = {
  'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${'<w:p w:a="1"><w:r><w:t>Gr\u00fc\u00dfe &amp; mehr</w:t></w:r></w:p>'.repeat(20)}</w:body></w:document>`,
  'word/header1.xml': '<w:hdr xmlns:w="w"><w:p><w:r><w:t>Kopf</w:t></w:r></w:p></w:hdr>',
}
const EXCEL_FILES = {
  'xl/workbook.xml': '<workbook><sheets><sheet name="Blatt"/></sheets></workbook>',
  'xl/sharedStrings.xml': `<sst>${'<si><t>K\u00f6ln</t></si>'.repeat(20)}</sst>`,
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${'<row><c t="s"><v>0</v></c><c><v>12.5</v></c></row>'.repeat(20)}</sheetData></worksheet>`,
}

beforeAll(() => {
  for (const name of ['packed', 'plain', 'encrypted'])
    samples.set(`${name} PDF`, readFileSync(`test/fixtures/texts/${name}.pdf`))
  samples.set('packed Word', zipped(WORD_FILES, 6))
  samples.set('plain Word', zipped(WORD_FILES, 0))
  samples.set('packed Excel', zipped(EXCEL_FILES, 6))
  samples.set('plain Excel', zipped(EXCEL_FILES, 0))
  samples.set('page', Buffer.from('<html><p title="x">Gr&uuml;&szlig;e</p><script>x</script></html>'.repeat(20)))
})

const NAMES = [
  'packed PDF',
  'plain PDF',
  'encrypted PDF',
  'packed Word',
  'plain Word',
  'packed Excel',
  'plain Excel',
  'page',
]

function typeOf(name: string): string {
  if (name.endsWith('PDF')) return 'application/pdf'
  return name.endsWith('Word') ? WORD : name.endsWith('Excel') ? EXCEL : 'text/html'
}

/** Invariants of every extracted text. */
function expectStorable(text: string): void {
  expect(text.isWellFormed()).toBe(true)
  expect(text.length).toBeLessThanOrEqual(1_000_000)
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]| {2}|^ | $/)
}

/** A deterministic random generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    const more = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61))
    return ((more ^ (more >>> 14)) >>> 0) % below
  }
}

/** Changes, removes and duplicates random bytes. */
function mutated(content: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(content)
  for (let left = 1 + random(8); left > 0; left--) {
    const at = random(bytes.length)
    const end = Math.min(bytes.length, at + 1 + random(64))
    const kind = random(5)
    if (kind === 0) bytes[at] = random(256)
    if (kind === 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
    if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
    if (kind === 4) bytes.copy(bytes, random(bytes.length), at, end)
    if (bytes.length === 0) return bytes
  }
  return bytes
}

describe.each(NAMES)('a %s', (name) => {
  const sample = () => samples.get(name) ?? Buffer.alloc(0)

  test('has text', async () => {
    const text = await extractText(typeOf(name), sample())
    expect(text).toContain(name.endsWith('Excel') ? 'K\u00f6ln' : 'Gr\u00fc\u00dfe')
    expectStorable(text)
  })

  test('cut at each twentieth of its length gives what can be read', async () => {
    for (let part = 0; part <= 20; part++) {
      const content = Buffer.from(sample().subarray(0, (sample().length * part) / 20))
      expectStorable(await extractText(typeOf(name), content))
    }
  })

  test('under every type gives a text that can be kept', async () => {
    for (const type of TYPES) expectStorable(await extractText(type, sample()))
  })

  test(`broken at random gives a text that can be kept (TABULARIUM_SEED=${SEED})`, { timeout: 0 }, async () => {
    const random = randomFrom(SEED)
    for (let run = 0; run < RUNS; run++) {
      const content = mutated(sample(), random)
      const text = await extractText(typeOf(name), content).catch((error) => {
        throw new Error(`run ${run} with TABULARIUM_SEED=${SEED}`, { cause: error })
      })
      expectStorable(text)
    }
  })
})

test('garbage gives a text that can be kept', async () => {
  const random = randomFrom(SEED)
  for (const head of ['', '%PDF-1.7\n', 'PK\x03\x04', '<html>', '\ufeff']) {
    const bytes = Uint8Array.from({ length: 20_000 }, () => random(256))
    for (const type of TYPES) expectStorable(await extractText(type, Buffer.concat([Buffer.from(head), bytes])))
  }
})
