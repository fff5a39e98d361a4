// C4: of concurrent changes of one field, those with `If-Match` succeed once for each state and otherwise get 409, code
// 3090; those without it all succeed, one after the other.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient, ReceivedAnswer, SentRequest } from '../../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, RELIABILITY_TIMEOUT_MS, statusesOf, together } from '../race.ts'
import { customers, documents, get, patch, post, relations, values } from '../records.ts'

const CLIENTS = 32
const ROUNDS = { long: 8, full: 300 }

/** A field of a record; each client writes a distinct value. */
interface Field {
  readonly name: string
  writtenBy(client: number): string | number
  make(client: KeepAliveClient | undefined, key: string): Promise<Contested>
}

interface Contested {
  readonly path: string
  /** The name of the record in the journal. */
  readonly entity: string
  readonly recordKey: readonly (string | number)[]
}

const wordOf = (client: number) => `of client ${client}`

const FIELDS: readonly Field[] = [
  {
    name: 'description',
    writtenBy: wordOf,
    async make(client, key) {
      await done(client, post(values.all, values.body(key)), 201)
      return { path: values.at(key), entity: 'attribute-value', recordKey: ['C1', key, 0] }
    },
  },
  {
    name: 'percentage',
    writtenBy: (client) => client + 1,
    async make(client, key) {
      await done(client, post(values.all, values.body(key)), 201)
      await done(client, post(relations.all, relations.body(key, 'D1')), 201)
      return { path: relations.at(key, 'D1'), entity: 'attribute-relation', recordKey: ['C1', key, 'C2', 'D1'] }
    },
  },
  {
    name: 'aliasName',
    writtenBy: wordOf,
    async make(client, key) {
      await done(client, post(customers.all, customers.body(key)), 201)
      return { path: customers.at(key), entity: 'customer', recordKey: [key] }
    },
  },
  {
    name: 'title',
    writtenBy: wordOf,
    async make(client, key) {
      const { id } = await done(client, post(documents.all, documents.body(key)), 201)
      return { path: documents.at(id), entity: 'document', recordKey: [id] }
    },
  },
]

/** One record and the requests of the clients. */
interface Contest extends Contested {
  readonly field: Field
  askedOf(client: number, ifMatch?: string): SentRequest
}

async function begin(round: number, prefix: string, client: KeepAliveClient | undefined): Promise<Contest> {
  const field = FIELDS[round % FIELDS.length] as Field
  const contested = await field.make(client, `${prefix}-${round}`)
  const askedOf = (at: number, ifMatch?: string) =>
    patch(contested.path, 'replace', `/${field.name}`, field.writtenBy(at), ifMatch)
  return { ...contested, field, askedOf }
}

export function sameField(running: () => Deployment): void {
  it(
    'C4 lets one change each state of a record that clients name by If-Match',
    { timeout: RELIABILITY_TIMEOUT_MS },
    () =>
      reliabilityTest('C4', `${CLIENTS} changes of one state on ${running().title}`, async () => {
        const rounds = triesOf(ROUNDS)
        await running().withClients(CLIENTS, async (clients) => {
          for (let round = 0; round < rounds; round++) {
            await changeOneState(await begin(round, 'C4M', clients[0]), clients)
          }
        })
        return `${rounds} states, ${inThousands(rounds * CLIENTS)} requests, one 200 for each state, the others 409`
      }),
  )

  it('C4 does all changes that name no state, one after the other', { timeout: RELIABILITY_TIMEOUT_MS }, () =>
    reliabilityTest('C4', `${CLIENTS} changes of one field on ${running().title}`, async () => {
      const rounds = triesOf(ROUNDS)
      await running().withClients(CLIENTS, async (clients) => {
        for (let round = 0; round < rounds; round++) {
          const contest = await begin(round, 'C4N', clients[0])
          await changeFreely(contest, clients)
          expect(await running().rows(changesOf(contest))).toEqual([{ changes: String(CLIENTS) }])
        }
      })
      return `${rounds} rounds, ${inThousands(rounds * CLIENTS)} changes, each a state of its own`
    }),
  )
}

async function changeOneState(contest: Contest, clients: readonly KeepAliveClient[]): Promise<void> {
  const { path } = contest
  const state = await stateOf(contest, clients[0])
  const answers = await together(clients, (at) => contest.askedOf(at, state.tag))
  expect({ path, ...statusesOf(answers) }).toEqual({ path, 200: 1, 409: CLIENTS - 1 })
  const codes = answers.filter(({ status }) => status === 409).map(({ text }) => JSON.parse(text).code)
  expect(new Set(codes)).toEqual(new Set([3090]))
  const winner = answers.findIndex(({ status }) => status === 200)
  await requireState(contest, clients.at(-1), answers, winner)
}

async function changeFreely(contest: Contest, clients: readonly KeepAliveClient[]): Promise<void> {
  const { path } = contest
  const answers = await together(clients, (at) => contest.askedOf(at))
  expect({ path, ...statusesOf(answers) }).toEqual({ path, 200: CLIENTS })
  const numbers = answers.map(numberOf)
  expect(new Set(numbers).size).toBe(CLIENTS)
  // ETags are numbered in the order of the writes.
  await requireState(contest, clients.at(-1), answers, numbers.indexOf(Math.max(...numbers)))
}

async function stateOf({ path, field }: Contest, client: KeepAliveClient | undefined) {
  const answer = (await client?.send(get(path))) as ReceivedAnswer
  return { tag: answer.headers.etag ?? '', value: JSON.parse(answer.text)[field.name] as string | number }
}

/** The record has the state that the last client wrote. */
async function requireState(
  contest: Contest,
  reader: KeepAliveClient | undefined,
  answers: readonly ReceivedAnswer[],
  last: number,
): Promise<void> {
  const expected = { tag: answers[last]?.headers.etag, value: contest.field.writtenBy(last) }
  expect(await stateOf(contest, reader)).toEqual(expected)
}

function numberOf({ headers }: ReceivedAnswer): number {
  return Number(/^"(\d+)"$/.exec(headers.etag ?? '')?.[1])
}

/** As a text, because the engines return different types of numbers. */
function changesOf({ entity, recordKey }: Contested): string {
  return `select cast(count(*) as text) as changes from audit_entry where company_id = 'EN' and operation = 'update'
    and entity = '${entity}' and record_key = '${JSON.stringify(recordKey)}'`
}
