// Exports of all posted ledger lines over HTTP, as NDJSON and as CSV, by the service and the floors in turn.
import { get } from 'node:http'
import { BARE, type Cast, GUARDED, SERVED } from '../cast.ts'
import type { Figure } from '../figure.ts'
import { medianOf } from '../ratios.ts'
import type { Subject } from '../subject.ts'

const PATH = '/v1/objects/general-ledger-transactions?posted=true'
const FORMATS = [
  ['NDJSON', 'application/x-ndjson', '/export/ndjson'],
  ['CSV', 'text/csv', '/export/csv'],
] as const
const COMPARED_LINES = 50
/** An upper bound of the size of these lines. */
const COMPARED_BYTES = COMPARED_LINES * 2_000

interface Taken {
  readonly seconds: number
  readonly processorSeconds: number
  readonly bytes: number
  readonly head: string
}

export async function measureExports({ subjects, token }: Cast, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [format, type, floorPath] of FORMATS) {
    const taken = new Map<string, Taken[]>()
    for (let round = 0; round < rounds; round++) {
      for (const subject of subjects.filter(({ name }) => [SERVED, GUARDED, BARE].includes(name))) {
        process.stderr.write(`export as ${format}, round ${round + 1} of ${rounds}: ${subject.name}\n`)
        const path = subject.name === SERVED ? PATH : floorPath
        taken.set(subject.name, [...(taken.get(subject.name) ?? []), await download(subject, path, type, token)])
      }
    }
    figures.push(...figuresOf(format, taken))
  }
  return figures
}

function figuresOf(format: string, taken: ReadonlyMap<string, readonly Taken[]>): Figure[] {
  const own = taken.get(SERVED) ?? []
  const floor = taken.get(GUARDED)
  if (!floor) return []
  requireAlike(format, own[0]?.head ?? '', floor[0]?.head ?? '')
  const seconds = `${own.map((one) => one.seconds.toFixed(1)).join(', ')} s`
  const processor = medianOf(own.map((one, round) => one.processorSeconds / (floor[round]?.processorSeconds ?? 0)))
  const megabytes = Math.round((own[0]?.bytes ?? 0) / 1e6)
  return [
    {
      work: `export of the ledger as ${format}`,
      rounds: own.map((one, round) => one.seconds / (floor[round]?.seconds ?? 0)),
      unit: 'times',
      beside: `${megabytes} MB in ${seconds}; ${processor.toFixed(2)} times the processor time`,
    },
  ]
}

function download(subject: Subject, path: string, accept: string, token: string): Promise<Taken> {
  const headers = { authorization: `Bearer ${token}`, accept, 'accept-encoding': 'identity' }
  const [begun, processor] = [performance.now(), subject.processorSeconds()]
  return new Promise((resolve, reject) => {
    get(subject.address + path, { headers }, (answer) => {
      let bytes = 0
      const head: Buffer[] = []
      answer.on('data', (chunk: Buffer) => {
        if (bytes < COMPARED_BYTES) head.push(chunk)
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const seconds = (performance.now() - begun) / 1000
        resolve({
          seconds,
          processorSeconds: subject.processorSeconds() - processor,
          bytes,
          head: Buffer.concat(head).toString(),
        })
      })
    }).on('error', reject)
  })
}

/** Compares the first lines, without the times of import and the zero decimals of amounts, which may differ. */
function requireAlike(format: string, one: string, other: string): void {
  const [lines, others] = [comparedLines(one), comparedLines(other)]
  const at = lines.findIndex((line, no) => line !== others[no])
  if (at >= 0) throw new Error(`line ${at + 1} of the exports as ${format} differs:\n${lines[at]}\n${others[at]}`)
}

function comparedLines(text: string): string[] {
  const lines = text.split(/\r?\n/).slice(0, COMPARED_LINES)
  return lines.map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '').replaceAll(/\.0(?=[,}])/g, ''))
}
