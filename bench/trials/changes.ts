// The change feed: how fast it is read, what waiting readers cost others, and how soon a change is told.
import { join } from 'node:path'
import { startService, tokenOf } from '../cast.ts'
import type { Figure } from '../figure.ts'
import { measure } from '../measure.ts'
import { QUESTIONS } from '../questions/all.ts'
import { medianOf } from '../ratios.ts'
import { customerIdAt, customerRecord } from '../records/customers.ts'
import { copyService, type Seed } from '../seed/seed.ts'
import type { Settings } from '../settings.ts'
import type { Subject } from '../subject.ts'
import { reading } from '../workloads/workload.ts'

export const CHANGES = 'changes:'

/** Half of them new customers with a relation, each of which is several changes, half changed ones. */
const WRITES = 4_000
const PAGE = 1_000
const MOST_CHANGES = 10_000
const WAITING = 500
const WAIT_S = 55
const TOLD = 300
const WRITERS = 16

interface Page {
  readonly next: string
  readonly upToDate: boolean
  readonly changes: readonly unknown[]
}

class Client {
  readonly #address: string
  readonly #headers: Record<string, string>

  constructor(address: string, token: string) {
    this.#address = address
    this.#headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }
  }

  async text(path: string, signal?: AbortSignal): Promise<string> {
    const answer = await fetch(this.#address + path, { headers: this.#headers, ...(signal ? { signal } : {}) })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`)
    return text
  }

  async write(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<void> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const answer = await fetch(this.#address + path, { method, headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  }

  async now(): Promise<string> {
    return (JSON.parse(await this.text('/v1/changes?since=now&limit=1')) as Page).next
  }
}

export async function measureChanges(folder: string, seed: Seed, settings: Settings): Promise<Figure[]> {
  // Readers of one address may hold fewer connections than wait here, those behind a proxy may hold more.
  const flags = ['--workers', '1', '--trust-proxy', 'loopback']
  const service = await startService(copyService(seed, join(folder, 'changes')), flags)
  const client = new Client(service.address, await tokenOf(service))
  try {
    const since = await client.now()
    await writeCustomers(client)
    return [
      await readingSpeed(client, since, settings.rounds),
      await costOfWaiting(service, client, seed, settings),
      ...(await delays(client)),
    ]
  } finally {
    await service.stop()
  }
}

async function writeCustomers(client: Client): Promise<void> {
  let next = 0
  const write = async () => {
    for (let no = next++; no < WRITES; no = next++) {
      if (no % 2 === 0) await client.write('POST', '/v1/customers', customerRecord(`F${no}`, no))
      else {
        const patch = [{ op: 'replace', path: '/customerName', value: `Told ${no} AS` }]
        await client.write('PATCH', `/v1/customers/${customerIdAt(no)}`, patch)
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** Megabytes a second, beside a collection of the same customers from the same process. */
async function readingSpeed(client: Client, since: string, rounds: number): Promise<Figure> {
  const speeds: number[] = []
  const beside: number[] = []
  let told = ''
  for (let round = 0; round < rounds; round++) {
    const feed = await readAll(client, since)
    const begun = performance.now()
    const collection = await client.text('/v1/objects/customers?select=*,contactPoints,relatedValues&limit=10000')
    beside.push(collection.length / 1e3 / (performance.now() - begun))
    speeds.push(feed.megabytesPerSecond)
    told = `${feed.changes} changes, ${(feed.bytes / 1e6).toFixed(1)} MB in pages of ${PAGE}`
  }
  const collection = `a collection of customers at ${medianOf(beside).toFixed(0)} MB/s`
  return { work: `${CHANGES} read`, rounds: speeds, unit: 'MB/s', beside: `${told}; ${collection}` }
}

async function readAll(client: Client, since: string) {
  let [bytes, changes] = [0, 0]
  const begun = performance.now()
  for (let cursor = since; changes < MOST_CHANGES; ) {
    const text = await client.text(`/v1/changes?since=${cursor}&limit=${PAGE}`)
    bytes += text.length
    const head = text.slice(-1_000)
    cursor = /"next":"([^"]+)"/.exec(head)?.[1] ?? ''
    changes += text.split('"operation":').length - 1
    if (cursor === '' || head.includes('"upToDate":true')) break
  }
  return { bytes, changes, megabytesPerSecond: bytes / 1e3 / (performance.now() - begun) }
}

/** Processor time of a single GET while long polls wait, relative to the same without them. */
async function costOfWaiting(service: Subject, client: Client, seed: Seed, settings: Settings): Promise<Figure> {
  const question = QUESTIONS.find(({ name }) => name.startsWith('single GET'))
  if (!question) throw new Error('the bench has no single GET')
  const workload = reading(question, seed.scale)
  const token = await tokenOf(service)
  const rounds: number[] = []
  for (let round = 0; round < settings.rounds; round++) {
    const alone = await measure(service, workload, token, settings.seconds, settings.warmUpSeconds)
    const ending = new AbortController()
    const since = await client.now()
    const polls = Promise.all(Array.from({ length: WAITING }, () => waitUntil(ending.signal, client, since)))
    // Told of below, when the measurement has ended.
    polls.catch(() => {})
    const beside = await measure(service, workload, token, settings.seconds, settings.warmUpSeconds)
    ending.abort()
    await polls
    rounds.push(beside.processorMicros / alone.processorMicros)
  }
  return {
    work: `${CHANGES} ${workload.name} beside ${WAITING} long polls`,
    rounds,
    unit: 'times',
    beside: 'processor time',
  }
}

/** Waits for a change. Throws when the wait ends before it is aborted: the figure would be one of fewer readers. */
async function waitUntil(ending: AbortSignal, client: Client, since: string): Promise<void> {
  try {
    await client.text(`/v1/changes?since=${since}&wait=${WAIT_S}`, ending)
  } catch (error) {
    if (ending.aborted) return
    throw error
  }
  throw new Error('a long poll was answered while nothing changed')
}

/** From the answer of a write until a waiting reader has its change, and from the request of the write. */
async function delays(client: Client): Promise<Figure[]> {
  const [fromAnswer, fromRequest]: [number[], number[]] = [[], []]
  let since = await client.now()
  for (let no = 0; no < TOLD; no++) {
    const told = client
      .text(`/v1/changes?since=${since}&wait=${WAIT_S}`)
      .then((text) => ({ text, at: performance.now() }))
    await new Promise((resume) => setTimeout(resume, 10))
    const requested = performance.now()
    await client.write('PATCH', `/v1/customers/${customerIdAt(no)}`, [
      { op: 'replace', path: '/customerName', value: `Awaited ${no} AS` },
    ])
    const answered = performance.now()
    const { text, at } = await told
    fromAnswer.push(Math.max(0, at - answered))
    fromRequest.push(at - requested)
    since = (JSON.parse(text) as Page).next
  }
  const figure = (work: string, all: number[]): Figure => {
    const sorted = all.toSorted((one, other) => one - other)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
    return { work, rounds: [p99], unit: 'ms', beside: `median ${medianOf(sorted).toFixed(1)} ms of ${TOLD}` }
  }
  return [
    figure(`${CHANGES} told after the answer of the write, 99th percentile`, fromAnswer),
    figure(`${CHANGES} told after the request of the write, 99th percentile`, fromRequest),
  ]
}
