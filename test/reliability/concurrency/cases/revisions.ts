// C5: concurrent revisions are numbered consecutively, and each retains its content.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient } from '../../../support/keep-alive-client.ts'
import { reliabilityTest, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, RELIABILITY_TIMEOUT_MS, statusesOf, together } from '../race.ts'
import { base64, documents, get, post, REVISIONS } from '../records.ts'

const CLIENTS = 64
const ROUNDS = { long: 2, full: 100 }

interface Revision {
  readonly revisionNo: number
  readonly comment: string
  readonly fileContent: string
}

export function revisions(running: () => Deployment): void {
  it(`C5 numbers ${CLIENTS} revisions that come at once without gap or twin`, { timeout: RELIABILITY_TIMEOUT_MS }, () =>
    reliabilityTest('C5', `${CLIENTS} revisions of one document on ${running().title}`, async () => {
      const rounds = triesOf(ROUNDS)
      await running().withClients(CLIENTS, async (clients) => {
        for (let round = 0; round < rounds; round++) await reviseTogether(round, clients)
      })
      return `${rounds} documents, ${inThousands(rounds * CLIENTS)} revisions, no gap, no twin, each with its content`
    }),
  )
}

async function reviseTogether(round: number, clients: readonly KeepAliveClient[]): Promise<void> {
  const { id } = await done(clients[0], post(documents.all, documents.body(`C5-${round}`)), 201)
  const answers = await together(clients, (at) =>
    post(REVISIONS, { id, comment: `by ${at}`, fileName: 'note.bin', fileContent: contentOf(round, at) }),
  )
  expect({ id, ...statusesOf(answers) }).toEqual({ id, 201: CLIENTS })

  const told = answers.map(({ text }) => JSON.parse(text) as Revision)
  const numbers = told.map(({ revisionNo }) => revisionNo).sort((one, other) => one - other)
  expect(numbers).toEqual(clients.map((_, at) => at + 2))
  expect(told.map(({ comment, fileContent }) => [comment, fileContent])).toEqual(
    clients.map((_, at) => [`by ${at}`, contentOf(round, at)]),
  )

  const list = await done(clients.at(-1), get(`${REVISIONS}/${id}?limit=${CLIENTS + 1}`), 200)
  const inOrder = told.sort((one, other) => one.revisionNo - other.revisionNo)
  expect(list.items.slice(1)).toEqual(inOrder)
  // The document shows the newest revision.
  const { revisionNo, fileContent } = inOrder.at(-1) as Revision
  expect(await done(clients[1], get(documents.at(id)), 200)).toMatchObject({ revisionNo, fileContent })
}

function contentOf(round: number, client: number): string {
  return base64(`round ${round}, client ${client}: ${'content '.repeat(20)}`)
}
