// C10: of concurrent equal requests with one `Idempotency-Key` one is executed, and the others get its answer.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient, ReceivedAnswer, SentRequest } from '../../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, RELIABILITY_TIMEOUT_MS, together } from '../race.ts'
import {
  base64,
  batch,
  customers,
  documents,
  get,
  parts,
  patch,
  post,
  REVISIONS,
  relations,
  remove,
  values,
} from '../records.ts'

const CLIENTS = 8
const ROUNDS = { long: 1, full: 100 }

type Client = KeepAliveClient | undefined

/** A write that would fail or have another effect if it were executed twice. */
interface Repeated {
  readonly name: string
  readonly status: number
  /** Creates what the write needs; returns the write. */
  prepare(client: Client, key: string): Promise<SentRequest>
  /** What is the same in each answer; by default the whole body. */
  seenIn?(text: string): string
}

const tagOf = async (client: Client, path: string): Promise<string> => {
  const answer = await client?.send(get(path))
  return String(answer?.headers.etag)
}

const newValue = (client: Client, key: string) => done(client, post(values.all, values.body(key)), 201)
const newCustomer = (client: Client, key: string) => done(client, post(customers.all, customers.body(key)), 201)
const newRelation = async (client: Client, key: string) => {
  await newValue(client, key)
  return done(client, post(relations.all, relations.body(key, 'D1')), 201)
}
const newDocument = (client: Client, key: string) => done(client, post(documents.all, documents.body(key)), 201)

/** Without the headers of the operations, which have the ids of the requests. */
const operationsIn = (text: string): string =>
  JSON.stringify(JSON.parse(text).responses.map(({ id, status, body }: Record<string, unknown>) => [id, status, body]))

const REPEATED: readonly Repeated[] = [
  { name: 'POST own record', status: 201, prepare: async (_client, key) => post(parts.all, parts.body(key)) },
  {
    name: 'PATCH own record',
    status: 200,
    prepare: async (client, key) => {
      await done(client, post(parts.all, parts.body(key)), 201)
      return patch(parts.at(key), 'replace', '/name', key, await tagOf(client, parts.at(key)))
    },
  },
  { name: 'POST batch', status: 200, prepare: async (_client, key) => batch(key), seenIn: operationsIn },
  { name: 'POST batch, a group', status: 200, prepare: async (_client, key) => batch(key, 'g'), seenIn: operationsIn },
  { name: 'POST value', status: 201, prepare: async (_client, key) => post(values.all, values.body(key)) },
  {
    name: 'POST numbered value',
    status: 201,
    prepare: async (_client, key) => post(values.all, { attributeId: 'C6', description: key }),
  },
  { name: 'POST customer', status: 201, prepare: async (_client, key) => post(customers.all, customers.body(key)) },
  {
    name: 'POST relation',
    status: 201,
    prepare: async (client, key) => {
      await newValue(client, key)
      return post(relations.all, relations.body(key, 'D1'))
    },
  },
  { name: 'POST document', status: 201, prepare: async (_client, key) => post(documents.all, documents.body(key)) },
  {
    name: 'POST revision',
    status: 201,
    prepare: async (client, key) => {
      const { id } = await newDocument(client, key)
      const headers = { 'if-match': await tagOf(client, documents.at(id)) }
      return { ...post(REVISIONS, { id, comment: key, fileName: 'a.bin', fileContent: base64(key) }), headers }
    },
  },
  {
    name: 'PATCH value',
    status: 200,
    prepare: async (client, key) => {
      await newValue(client, key)
      return patch(values.at(key), 'replace', '/description', key, await tagOf(client, values.at(key)))
    },
  },
  {
    name: 'PATCH value, adding',
    status: 200,
    prepare: async (client, key) => {
      await newValue(client, key)
      const relation = { relationId: 'REL1', relatedValue: 'D1' }
      return patch(values.at(key), 'add', '/relatedValues/-', relation)
    },
  },
  {
    name: 'PATCH customer',
    status: 200,
    prepare: async (client, key) => {
      await newCustomer(client, key)
      return patch(customers.at(key), 'replace', '/aliasName', key, await tagOf(client, customers.at(key)))
    },
  },
  {
    name: 'PATCH relation, to another key',
    status: 200,
    prepare: async (client, key) => {
      await newRelation(client, key)
      return patch(relations.at(key, 'D1'), 'replace', '/relationValue', 'D2')
    },
  },
  {
    name: 'PATCH document',
    status: 200,
    prepare: async (client, key) => {
      const { id } = await newDocument(client, key)
      return patch(documents.at(id), 'replace', '/title', `${key} later`, await tagOf(client, documents.at(id)))
    },
  },
  {
    name: 'DELETE relation',
    status: 200,
    prepare: async (client, key) => {
      await newRelation(client, key)
      return remove(relations.at(key, 'D1'))
    },
  },
  {
    name: 'DELETE customer',
    status: 200,
    prepare: async (client, key) => {
      await newCustomer(client, key)
      return { ...remove(customers.at(key)), headers: { 'if-match': await tagOf(client, customers.at(key)) } }
    },
  },
]

export function equalRequests(running: () => Deployment): void {
  it(
    `C10 does one of ${CLIENTS} equal requests at once, and gives its answer to all`,
    { timeout: RELIABILITY_TIMEOUT_MS },
    () =>
      reliabilityTest('C10', `${CLIENTS} equal requests under one key on ${running().title}`, async () => {
        const rounds = triesOf(ROUNDS)
        for (const processes of [1, undefined]) {
          const work = async (clients: readonly KeepAliveClient[]) => {
            for (let round = 0; round < rounds; round++) {
              for (const [at, repeated] of REPEATED.entries())
                await race(repeated, `C10-${at}-${round}-${processes ?? 'all'}`, clients)
            }
          }
          await running().withClients(CLIENTS, work, processes)
        }
        return `${inThousands(2 * rounds * REPEATED.length)} rounds of ${CLIENTS}, each done once`
      }),
  )
}

async function race(
  { name, status, prepare, seenIn = (text) => text }: Repeated,
  key: string,
  clients: readonly KeepAliveClient[],
): Promise<void> {
  const asked = await prepare(clients[0], key)
  const headers = { ...asked.headers, 'idempotency-key': key }
  const answers = await together(clients, () => ({ ...asked, headers }))
  const [first] = answers
  const seen = answers.map((answer) => seenOf({ ...answer, text: seenIn(answer.text) }))
  expect([name, ...seen]).toEqual([name, ...answers.map(() => seen[0])])
  expect([name, first?.status]).toEqual([name, status])
  const done = answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
  expect([name, done.length]).toEqual([name, 1])
}

/** The parts of an answer that do not depend on the individual request. */
function seenOf({ status, text, headers: { etag, location } }: ReceivedAnswer): string {
  return [status, etag, location, text].join(' ')
}
