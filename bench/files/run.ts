// `npm run bench:files`: uploads and raw downloads of 1 MiB in MB/s, beside bare `node:http` that writes and reads the same
// files with the same syncs, in one run, in turns. --rounds and --seconds as in bench/run.ts.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { machine } from '../machine.ts'
import { readSettings } from '../settings.ts'
import { Subject } from '../subject.ts'

/** Not the system's folder for temporary files: that may be in memory, where a sync costs nothing. */
const DATA = new URL('../../data/', import.meta.url).pathname
const SETUP = new URL('../../examples/demo/company.yaml', import.meta.url).pathname
const BYTES = 1024 * 1024
const CLIENTS = 8
const CREDENTIALS = `Basic ${Buffer.from('demo:demo-secret').toString('base64')}`
const BOUNDARY = 'bench-boundary'

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

interface Work {
  readonly name: string
  readonly subject: Subject
  next(): Sent
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })

function send({ method, url, headers, body }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { ...headers, ...lengthOf(body) }, agent },
      (answer: IncomingMessage) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.length < 4 && chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('latin1') }),
        )
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function lengthOf(body: Buffer | undefined): Record<string, string> {
  return body ? { 'content-length': String(body.length) } : {}
}

/** MB/s over so many seconds. */
async function measure({ next }: Work, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  const begun = performance.now()
  let files = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < end) {
        const { status, text } = await send(next())
        if (status >= 300) throw new Error(`answered ${status}: ${text.slice(0, 200)}`)
        files += 1
      }
    }),
  )
  return (files * BYTES) / 1e6 / ((performance.now() - begun) / 1000)
}

/** Contents that nobody has kept yet: one random megabyte with another beginning each time. */
const content = randomBytes(BYTES)
function fresh(): Buffer {
  return Buffer.concat([randomBytes(16), content.subarray(16)])
}

const plain = (subject: Subject): Sent => ({ method: 'POST', url: subject.address, headers: {}, body: fresh() })

const authorised = { authorization: CREDENTIALS }

function asForm({ address }: Subject): Sent {
  const fields = { docType: 'NOTE', title: 'A megabyte' }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(parts.join('') + file), fresh(), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const headers = { ...authorised, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  return { method: 'POST', url: `${address}/v1/documents`, headers, body }
}

function asJson({ address }: Subject): Sent {
  const record = { docType: 'NOTE', title: 'A megabyte', fileName: 'a.bin', fileContent: fresh().toString('base64') }
  const headers = { ...authorised, 'content-type': 'application/json' }
  return { method: 'POST', url: `${address}/v1/documents`, headers, body: Buffer.from(JSON.stringify(record)) }
}

async function works(service: Subject, floor: Subject): Promise<readonly (readonly [Work, Work])[]> {
  const kept = (await send(plain(floor))).text
  const made = JSON.parse((await whole(asForm(service))).toString()) as { id: string }
  const upload = { name: 'upload', subject: floor, next: () => plain(floor) }
  const raw = { method: 'GET', url: `${service.address}/v1/documents/${made.id}/content`, headers: authorised } as const
  const download = {
    name: 'download',
    subject: floor,
    next: () => ({ method: 'GET', url: `${floor.address}/${kept}`, headers: {} }) as const,
  }
  return [
    [{ name: 'upload as a form', subject: service, next: () => asForm(service) }, upload],
    [{ name: 'upload as JSON', subject: service, next: () => asJson(service) }, upload],
    [{ name: 'raw download', subject: service, next: () => raw }, download],
  ]
}

async function whole({ url, headers, body }: Sent): Promise<Buffer> {
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body ?? Buffer.alloc(0)) })
  if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

async function run(folder: string): Promise<void> {
  const { rounds, seconds } = readSettings(process.argv.slice(2))
  const program = new URL('../../src/main.ts', import.meta.url).pathname
  const args = ['serve', '--port', '0', '--data', join(folder, 'service'), '--setup', SETUP, '--log-level', 'error']
  const service = await Subject.start('service', [program, ...args])
  const floor = await Subject.start('floor', [new URL('floor.ts', import.meta.url).pathname, join(folder, 'floor')])
  const lines = [
    '| work, 1 MiB, 8 clients | service MB/s | bare node:http MB/s | share (each round) |',
    '|---|---:|---:|---:|',
  ]
  for (const [ours, bare] of await works(service, floor)) {
    const rates: { ours: number; bare: number }[] = []
    for (let round = 1; round <= rounds; round++) {
      process.stderr.write(`${ours.name}, round ${round} of ${rounds}\n`)
      rates.push({ ours: await measure(ours, seconds), bare: await measure(bare, seconds) })
    }
    const shares = rates.map((rate) => rate.ours / rate.bare)
    const each = shares.map((share) => `${Math.round(share * 100)} %`).join(', ')
    const of = (side: 'ours' | 'bare') => Math.round(median(rates.map((rate) => rate[side])))
    lines.push(`| ${ours.name} | ${of('ours')} | ${of('bare')} | ${Math.round(median(shares) * 100)} % (${each}) |`)
  }
  const memory = `Most memory: service ${service.peakMegabytesEach()[0]} MB, floor ${floor.peakMegabytes()} MB.`
  process.stdout.write(`${machine()}\n\n${lines.join('\n')}\n\n${memory}\n`)
  await Promise.all([service.stop(), floor.stop()])
}

mkdirSync(DATA, { recursive: true })
const folder = mkdtempSync(join(DATA, 'bench-files-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await run(folder)
process.exit()
