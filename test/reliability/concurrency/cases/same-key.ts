// C1: of concurrent equal creations exactly one succeeds, and the others are answered that the record exists.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient, ReceivedAnswer, SentRequest } from '../../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, RELIABILITY_TIMEOUT_MS, statusesOf, together } from '../race.ts'
import { customers, get, post, relations, values } from '../records.ts'

const CLIENTS = 64
/** Rounds for each kind of record: 500 in each deployment. */
const ROUNDS = { long: 4, full: 167 }

interface Contested {
  readonly name: string
  /** The prefix of the test's keys. */
  readonly prefix: string
  /** The record names the client, so that it shows who created it. */
  create(key: string, client: number): SentRequest
  at(key: string): string
  readonly refusal: number
  isDuplicate(body: Refusal): boolean
  /** Creates the records that the record refers to. */
  prepare?(client: KeepAliveClient | undefined, key: string): Promise<void>
  readonly table: string
  readonly keyColumn: string
  /** The name of the kind in the journal. */
  readonly entity: string
}

interface Refusal {
  readonly code?: number
  readonly message?: string
  readonly notificationMessages?: { readonly customerId?: readonly { code: number }[] }
}

const CONTESTED: readonly Contested[] = [
  {
    name: 'relation',
    prefix: 'C1R',
    create: (key, client) => post(relations.all, relations.body(key, 'D1', client)),
    at: (key) => relations.at(key, 'D1'),
    refusal: 422,
    isDuplicate: ({ code, message }) => code === 3010 && /is already connected to/.test(message ?? ''),
    prepare: (client, key) => done(client, post(values.all, values.body(key)), 201),
    table: 'attribute_relation',
    keyColumn: 'attribute_value',
    entity: 'attribute-relation',
  },
  {
    name: 'value',
    prefix: 'C1V',
    create: (key, client) => post(values.all, values.body(key, { description: `of client ${client}` })),
    at: values.at,
    refusal: 409,
    isDuplicate: ({ code, message }) => code === 3090 && /already exists/.test(message ?? ''),
    table: 'attribute_value',
    keyColumn: 'attribute_value',
    entity: 'attribute-value',
  },
  {
    name: 'customer',
    prefix: 'C1C',
    create: (key, client) => post(customers.all, customers.body(key, { aliasName: `of client ${client}` })),
    at: customers.at,
    refusal: 400,
    isDuplicate: ({ notificationMessages }) => notificationMessages?.customerId?.[0]?.code === 3010,
    table: 'customer',
    keyColumn: 'customer_id',
    entity: 'customer',
  },
]

export function sameKey(running: () => Deployment): void {
  for (const contested of CONTESTED) {
    it(`C1 creates one ${contested.name} of ${CLIENTS} equal ones at once`, { timeout: RELIABILITY_TIMEOUT_MS }, () =>
      reliabilityTest('C1', `${CLIENTS} equal POSTs of a ${contested.name} on ${running().title}`, async () => {
        const rounds = triesOf(ROUNDS)
        await running().withClients(CLIENTS, async (clients) => {
          for (let round = 0; round < rounds; round++) await raceFor(contested, `${contested.prefix}${round}`, clients)
        })
        expect(await running().rows(countsOf(contested))).toEqual([
          { records: String(rounds), creations: String(rounds) },
        ])
        return `${rounds} rounds, ${inThousands(rounds * CLIENTS)} requests, ${rounds} records`
      }),
    )
  }
}

async function raceFor(contested: Contested, key: string, clients: readonly KeepAliveClient[]): Promise<void> {
  await contested.prepare?.(clients[0], key)
  const answers = await together(clients, (at) => contested.create(key, at))
  expect({ key, ...statusesOf(answers) }).toEqual({ key, 201: 1, [contested.refusal]: CLIENTS - 1 })
  const isExplained = ({ status, text }: ReceivedAnswer) => status === 201 || contested.isDuplicate(JSON.parse(text))
  expect(answers.filter((answer) => !isExplained(answer))).toEqual([])
  // The stored record is the winner's.
  const created = answers.find(({ status }) => status === 201)
  expect(await done(clients.at(-1), get(contested.at(key)), 200)).toEqual(JSON.parse(created?.text ?? ''))
}

/** The test's records, and how often they were created; as texts, because the engines return different numbers. */
function countsOf({ table, keyColumn, entity, prefix }: Contested): string {
  return `select
    (select cast(count(*) as text) from ${table} where company_id = 'EN' and ${keyColumn} like '${prefix}%') as records,
    (select cast(count(*) as text) from audit_entry where company_id = 'EN' and entity = '${entity}'
      and operation = 'create' and record_key like '%"${prefix}%') as creations`
}
