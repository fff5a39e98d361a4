// C3: no concurrent addition to one record is lost.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient } from '../../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, RELIABILITY_TIMEOUT_MS, statusesOf, together } from '../race.ts'
import { customers, get, patch, post, values } from '../records.ts'

const CLIENTS = 32
const ROUNDS = { long: 6, full: 300 }

interface WithContactPoints {
  readonly contactPoints: readonly { readonly additionalContactInfo: { readonly eMail: string } }[]
}

/** Records with contact points: a value, created with none, and a customer, created with one. */
const HOLDERS = [
  { create: (key: string) => post(values.all, values.body(key)), at: values.at, first: [] },
  { create: (key: string) => post(customers.all, customers.body(key)), at: customers.at, first: [''] },
]

export function lostUpdates(running: () => Deployment): void {
  it(`C3 loses no contact point that ${CLIENTS} clients add at once`, { timeout: RELIABILITY_TIMEOUT_MS }, () =>
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
  // Each answer showed the record at its turn: the earlier additions and its own.
  const told = answers.map(({ text }) => mailsOf(JSON.parse(text)))
  expect(told.map((mails, client) => mails.at(-1) === eMailOf(client))).not.toContain(false)
  const inTurn = told.sort((one, other) => one.length - other.length)
  expect(inTurn).toEqual(clients.map((_, turn) => found.slice(0, holder.first.length + turn + 1)))
}
