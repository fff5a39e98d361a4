// The ledger as a Parquet file beside NDJSON, in turn: the time, and the memory that all processes take on for it.
import { get } from 'node:http'
import type { Figure } from '../figure.ts'
import type { Subject } from '../subject.ts'

/** The start of the names of the figures. */
export const PARQUET = 'ledger as Parquet'

const PATH = '/v1/objects/general-ledger-transactions?posted=true'
const SAMPLED_MS = 100

interface Taken {
  readonly seconds: number
  readonly megabytes: number
  /** In MiB, the most that all processes have had beyond what they had before. */
  readonly growth: number
}

export async function measureParquet(service: Subject, token: string, rounds: number): Promise<Figure[]> {
  const [lines, files]: [Taken[], Taken[]] = [[], []]
  const before = service.memorySum()
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`${PARQUET}, round ${round + 1} of ${rounds}\n`)
    lines.push(await download(service, 'application/x-ndjson', token, before))
    files.push(await download(service, 'application/vnd.apache.parquet', token, before))
  }
  const seconds = (taken: readonly Taken[]) => `${taken.map((one) => one.seconds.toFixed(1)).join(', ')} s`
  const [size, other] = [files, lines].map((taken) => Math.round(taken[0]?.megabytes ?? 0))
  return [
    {
      work: `${PARQUET} beside NDJSON`,
      rounds: files.map((one, round) => one.seconds / (lines[round]?.seconds ?? 0)),
      unit: 'times',
      beside: `${size} MB in ${seconds(files)}; ${other} MB of NDJSON in ${seconds(lines)}`,
    },
    {
      work: `${PARQUET}: memory that it takes on`,
      rounds: files.map(({ growth }) => growth),
      unit: 'MiB',
      beside: 'the sum of the proportional shares of all processes, beyond that before the first round',
    },
  ]
}

async function download(service: Subject, accept: string, token: string, before: number): Promise<Taken> {
  let growth = 0
  const sample = setInterval(() => {
    growth = Math.max(growth, service.memorySum() - before)
  }, SAMPLED_MS)
  const begun = performance.now()
  try {
    const bytes = await sizeOf(service.address + PATH, { authorization: `Bearer ${token}`, accept })
    return { seconds: (performance.now() - begun) / 1000, megabytes: bytes / 1e6, growth }
  } finally {
    clearInterval(sample)
  }
}

function sizeOf(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers, 'accept-encoding': 'identity' } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}
