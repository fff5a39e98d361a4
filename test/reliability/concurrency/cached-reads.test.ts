// C9: cached answers and 304 are never older than a write that was acknowledged before the request: with any number of
// processes, also after all of them were killed.
import { expect, it } from 'vitest'
import { type Deployment, onEachDeployment } from '../../support/deployments.ts'
import type { KeepAliveClient, ReceivedAnswer, SentRequest } from '../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { inThousands, RELIABILITY_TIMEOUT_MS, served } from './race.ts'
import { customers, get, patch, post, relations, values } from './records.ts'

const WRITERS = 8
const READERS = 12
const ROUNDS = { long: 2, full: 30 }
/** Reads of a round, before the kill. */
const READS = 400
/** The pause between two writes of a writer, so that most reads hit the cache. */
const PAUSE_MS = 25

/** By writer: its latest step that an answer shows. */
type State = readonly (number | undefined)[]

/** A request that is repeated. */
interface Question {
  readonly asked: SentRequest
  stateIn(answer: ReceivedAnswer): State
}

const keyOf = (writer: number) => `C9-${writer}`
const stepIn = (text: unknown) => Number(/^step (\d+)$/.exec(String(text))?.[1] ?? 0)
const stateOf = (writer: number, step: number): State =>
  Array.from({ length: WRITERS }, (_, at) => (at === writer ? step : undefined))

/** A request that returns a member of one record of each writer, in their order. */
function collection(path: string, query: Readonly<Record<string, string>>, member: string): Question {
  return {
    asked: get(`${path}?${new URLSearchParams(query)}`),
    stateIn: ({ text }) => (JSON.parse(text) as Record<string, unknown>[]).map((row) => stepIn(row[member])),
  }
}

const ofWriters = (key: string) => ({ filter: `startswith(${key},'C9-')`, orderby: key })

const QUESTIONS: readonly Question[] = [
  collection(`${values.all}/C1`, ofWriters('attributeValue'), 'description'),
  collection('/v1/objects/customers', ofWriters('customerId'), 'customerName'),
  // The description belongs to another document than the record that shows it.
  collection(
    '/v1/objects/attribute-relations',
    { ...ofWriters('attributeValue'), select: 'attributeValue[T]' },
    'attributeValue(description)',
  ),
  ...Array.from({ length: WRITERS }, (_, writer) => questionsOf(writer)).flat(),
]

function questionsOf(writer: number): readonly Question[] {
  return [
    {
      asked: get(values.at(keyOf(writer))),
      stateIn: ({ text }) => stateOf(writer, stepIn(JSON.parse(text).description)),
    },
    {
      asked: get(customers.at(keyOf(writer))),
      stateIn: ({ text }) => stateOf(writer, stepIn(JSON.parse(text).customerName)),
    },
    {
      asked: { method: 'HEAD', path: `${values.all}/C1?filter=startswith(attributeValue,'C9x${writer}-')` },
      stateIn: ({ headers }) => stateOf(writer, Number(headers['x-erp-total-count'])),
    },
  ]
}

/** The shared state of all clients. */
class History {
  /** The last acknowledged step of each writer. */
  readonly acknowledged: number[] = Array.from({ length: WRITERS }, () => 0)
  /** By request: the newest tag and the state that it stood for. */
  readonly tags = new Map<Question, { readonly tag: string; readonly state: State }>()
  readonly stale: string[] = []
  isOver = false
  reads = 0
  unchanged = 0
  writes = 0

  check({ asked }: Question, status: number, atLeast: State, shown: State): void {
    this.reads += 1
    if (status === 304) this.unchanged += 1
    for (const [writer, step] of shown.entries()) {
      const least = atLeast[writer] ?? 0
      if (step === undefined || step >= least) continue
      this.stale.push(
        `${asked.method} ${asked.path}, ${status}: step ${step} of ${writer}, after ${least} was acknowledged`,
      )
    }
  }
}

/** Each step changes a value and a customer, and creates a record. */
async function write(client: KeepAliveClient, writer: number, history: History): Promise<void> {
  for (let step = (history.acknowledged[writer] ?? 0) + 1; !history.isOver; step++) {
    const text = `step ${step}`
    for (const asked of [
      patch(values.at(keyOf(writer)), 'replace', '/description', text),
      patch(customers.at(keyOf(writer)), 'replace', '/customerName', text),
      post(values.all, values.body(`C9x${writer}-${step}`)),
    ]) {
      const { status, text: told } = await served(client, asked)
      // An unacknowledged write may have been committed before a kill.
      if (![200, 201, 409].includes(status)) throw new Error(`${asked.path}: ${status} ${told}`)
      history.writes += 1
    }
    history.acknowledged[writer] = step
    await new Promise((resume) => setTimeout(resume, PAUSE_MS))
  }
}

async function read(client: KeepAliveClient, reader: number, history: History): Promise<void> {
  for (let turn = reader; !history.isOver; turn++) {
    const question = QUESTIONS[turn % QUESTIONS.length] as Question
    const known = turn % 2 === 0 ? history.tags.get(question) : undefined
    const headers: Record<string, string> = known ? { 'if-none-match': known.tag } : {}
    const atLeast = [...history.acknowledged]
    const answer = await served(client, { ...question.asked, headers })
    const { status, text } = answer
    if (status !== 200 && !(status === 304 && known)) throw new Error(`${question.asked.path}: ${status} ${text}`)
    const state = status === 304 && known ? known.state : question.stateIn(answer)
    if (status === 200) history.tags.set(question, { tag: answer.headers.etag ?? '', state })
    history.check(question, status, atLeast, state)
  }
}

async function begin(client: KeepAliveClient): Promise<void> {
  for (let writer = 0; writer < WRITERS; writer++) {
    for (const asked of [
      post(values.all, values.body(keyOf(writer))),
      post(customers.all, customers.body(keyOf(writer))),
      post(relations.all, relations.body(keyOf(writer), `D${writer}`)),
    ]) {
      const { status, text } = await served(client, asked)
      expect([asked.path, status, text]).toEqual([asked.path, 201, text])
    }
  }
}

/** Writes and reads for a while; then every process is killed meanwhile and restarted. */
async function round(running: Deployment, history: History): Promise<void> {
  history.isOver = false
  await running.withClients(WRITERS + READERS, async (clients) => {
    let isKilled = false
    const work = clients.map(async (client, at) => {
      try {
        await (at < WRITERS ? write(client, at, history) : read(client, at, history))
      } catch (error) {
        if (isKilled) return
        history.isOver = true
        throw error
      }
    })
    const until = history.reads + READS
    const kill = async () => {
      while (history.reads < until && !history.isOver) await new Promise((resume) => setTimeout(resume, PAUSE_MS))
      isKilled = true
      await running.kill()
      history.isOver = true
    }
    await Promise.all([kill(), ...work])
  })
  await running.start()
}

onEachDeployment('Cached answers', (running) => {
  it('C9 are never older than a write that was acknowledged before', { timeout: RELIABILITY_TIMEOUT_MS }, () =>
    reliabilityTest('C9', `${WRITERS} writers, ${READERS} readers and kills on ${running().title}`, async () => {
      const rounds = triesOf(ROUNDS)
      const history = new History()
      await running().withClients(1, async ([client]) => client && begin(client))
      for (let at = 0; at < rounds; at++) await round(running(), history)
      expect(history.stale).toEqual([])
      // Without these counts the test would have proved nothing.
      expect([history.unchanged > 0, history.reads > history.unchanged, history.writes > 0]).toEqual([true, true, true])
      const counts = [history.reads, history.unchanged, history.writes].map(inThousands)
      return `${rounds} kills, ${counts[0]} reads (${counts[1]} unchanged) beside ${counts[2]} writes, none older`
    }),
  )
})
