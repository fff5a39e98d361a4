// C3: what each of many clients adds to one record at the same moment is there afterwards.
import { expect, it } from 'vitest'
import type { Arrangement } from '../../../support/arrangements.ts'
import type { KeepAliveClient } from '../../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, statusesOf, TRIAL_TIMEOUT_MS, together } from '../race.ts'
import { customers, get, patch, post, values } from '../records.ts'

const CLIENTS = 32
const ROUNDS = { short: 6, full: 300 }

interface WithContactPoints {
  readonly contactPoints: readonly { readonly additionalContactInfo: { readonly eMail: string } }[]
}

/** Records that have contact points: a value, which begins with none, and a customer, who begins with one. */
const HOLDERS = [
  { create: (key: string) => post(values.all, values.body(key)), at: values.at, first: [] },
  { create: (key: string) => post(customers.all, customers.body(key)), at: customers.at, first: [''] },
]

export function lostUpdates(running: () => Arrangement): void {
  it(`C3 loses no contact point that ${CLIENTS} clients add at once`, { timeout: TRIAL_TIMEOUT_MS }, () =>
    reliabilityTest('C3', `${CLIENTS} clients add to one record on ${running().title}`, async () => {
      const rounds = triesOf(ROUNDS)
      await running().withClients(CLIENTS, async (clients) => {
        for (let round = 0; round < rounds; round++) await addTogether(round, clients)
      })
      return `${rounds} rounds, ${inThousands(rounds * CLIENTS)} contact points added, none lost`
    }),
  )
}

async function addTogether(round: number, clients: readonly KeepAliveClient[]): Promise<void> {
  const holder = HOLDERS[round % HOLDERS.length] as (typeof HOLDERS)[number]
  const key = `C3-${round}`
  await done(clients[0], holder.create(key), 201)
  const eMailOf = (client: number) => `client-${client}@example.com`
  const answers = await together(clients, (at) => {
    const point = { contactPointType: '2', additionalContactInfo: { eMail: eMailOf(at) } }
    return patch(holder.at(key), 'add', '/contactPoints/-', point)
  })
  expect({ key, ...statusesOf(answers) }).toEqual({ key, 200: CLIENTS })

  const mailsOf = (record: WithContactPoints) => record.contactPoints.map((one) => one.additionalContactInfo.eMail)
  const found = mailsOf(await done(clients.at(-1), get(holder.at(key)), 200))
  expect([...found].sort()).toEqual([...holder.first, ...clients.map((_, at) => eMailOf(at))].sort())
  // Each was told the record as it was in its turn: what the ones before had added, and its own.
  const told = answers.map(({ text }) => mailsOf(JSON.parse(text)))
  expect(told.map((mails, client) => mails.at(-1) === eMailOf(client))).not.toContain(false)
  const inTurn = told.sort((one, other) => one.length - other.length)
  expect(inTurn).toEqual(clients.map((_, turn) => found.slice(0, holder.first.length + turn + 1)))
}
