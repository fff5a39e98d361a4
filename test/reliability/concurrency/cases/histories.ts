// C7: clients create, change, read and delete the same records concurrently; the history of each record is
// linearizable.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient } from '../../../support/keep-alive-client.ts'
import { explain, formatHistory, type Operation } from '../../../support/linearizable.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../../support/reliability-test.ts'
import { CONTESTED_RECORDS, type ContestedRecord, type Input } from '../contested-records.ts'
import { inThousands, RELIABILITY_TIMEOUT_MS, served } from '../race.ts'

const RECORDS = 10
/** More than 10,000 histories over all deployments. */
const ROUNDS = { long: 8, full: 350 }
const CLIENTS_OF_A_RECORD = 3
const OPERATIONS_OF_A_CLIENT = 3

export function histories(running: () => Deployment): void {
  it(
    'C7 answers races of POST, PATCH, GET and DELETE as if they came one by one',
    { timeout: RELIABILITY_TIMEOUT_MS },
    () =>
      reliabilityTest('C7', `histories of contested records on ${running().title}`, async () => {
        const random = randomNumbers(SEED)
        const rounds = triesOf(ROUNDS)
        const answers = new Set<string>()
        await running().withClients(RECORDS * CLIENTS_OF_A_RECORD, async (clients) => {
          for (let round = 0; round < rounds; round++) {
            const kind = CONTESTED_RECORDS[round % CONTESTED_RECORDS.length] as ContestedRecord
            const keys = await kind.prepare(clients[0], `C7-${round}-`, RECORDS)
            const contests = keys.map((key, at) => {
              const first = at * CLIENTS_OF_A_RECORD
              return contend(kind, key, clients.slice(first, first + CLIENTS_OF_A_RECORD), random)
            })
            for (const history of await Promise.all(contests)) {
              for (const { input, output } of history) answers.add(`${kind.name} ${input.op} ${output.slice(0, 3)}`)
              if (!explain(history, kind))
                expect.fail(`no serial explanation of a ${kind.name}:\n${formatHistory(history)}`)
            }
          }
        })
        return `${inThousands(rounds * RECORDS)} histories of ${CLIENTS_OF_A_RECORD * OPERATIONS_OF_A_CLIENT} operations, ${answers.size} kinds of answers`
      }),
  )
}

async function contend(
  kind: ContestedRecord,
  key: string,
  clients: readonly KeepAliveClient[],
  random: () => number,
): Promise<readonly Operation<Input>[]> {
  const history: Operation<Input>[] = []
  let moment = 0
  let written = 0
  const work = async (client: KeepAliveClient) => {
    for (let count = 0; count < OPERATIONS_OF_A_CLIENT; count++) {
      const op = kind.ops[Math.floor(random() * kind.ops.length)] ?? 'get'
      const input = { op, text: String(++written) }
      const calledAt = moment++
      const output = kind.outputOf(await served(client, kind.ask(key, input)))
      history.push({ input, output, calledAt, returnedAt: moment++ })
    }
  }
  await Promise.all(clients.map(work))
  return history
}
