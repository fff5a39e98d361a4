// C6: numbers of a series are unique and without gaps, also when the service is killed meanwhile: a write that is
// rejected, validation-only or lost consumes none.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient, SentRequest } from '../../../support/keep-alive-client.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../../support/reliability-test.ts'
import { inThousands, RELIABILITY_TIMEOUT_MS, served } from '../race.ts'
import { customers, post, values } from '../records.ts'

const CLIENTS = 64
const ROUNDS = { long: 2, full: 100 }
const RECORDS_A_ROUND = 2
/** Every tenth round ends with a kill. */
const KILL_EVERY = 10
const KILL_WITHIN_MS = 200
/** Every fifth request is validation-only and releases its number. */
const TRIAL_EVERY = 5

/** Numbered records, each identified by a mark. */
interface Series {
  create(mark: string): SentRequest
  /** The member that holds the number. */
  readonly member: string
  readonly first: number
  /** All records with their numbers and marks. */
  readonly rows: string
}

const { customerId: _, ...NUMBERED } = customers.body('')

const SERIES: readonly Series[] = [
  {
    create: (mark) => post(values.all, { attributeId: 'C5', description: mark }),
    member: 'attributeValue',
    first: 1_000_001,
    rows: `select substr(attribute_value, 2) as number, description as mark from attribute_value
      where company_id = 'EN' and attribute_id = 'C5' order by attribute_value`,
  },
  {
    create: (mark) => post(customers.all, { ...NUMBERED, companyId: 'NU', aliasName: mark }),
    member: 'customerId',
    first: 100_001,
    rows: `select customer_id as number, alias_name as mark from customer where company_id = 'NU' order by customer_id`,
  },
]

/** The answers that clients received, for one series. */
class Ledger {
  readonly series: Series
  /** Marks by their numbers. */
  readonly told = new Map<number, string>()
  readonly wrong: string[] = []
  readonly unanswered: string[] = []
  #marks = 0

  constructor(series: Series) {
    this.series = series
  }

  /** Creates a record, or validates only; returns false when the service is gone. */
  async create(client: KeepAliveClient): Promise<boolean> {
    const mark = `record ${this.#marks++}`
    const validateOnly = this.#marks % TRIAL_EVERY === 0
    const { path, ...rest } = this.series.create(mark)
    const asked = { ...rest, path: validateOnly ? `${path}?validateOnly=true` : path }
    try {
      const { status, text } = await served(client, asked)
      if (status !== (validateOnly ? 200 : 201)) this.wrong.push(`${mark}: ${status} ${text}`)
      else if (!validateOnly) this.#note(mark, Number(JSON.parse(text)[this.series.member].replace(/^P/, '')))
      return true
    } catch {
      if (!validateOnly) this.unanswered.push(mark)
      return false
    }
  }

  #note(mark: string, number: number): void {
    const twin = this.told.get(number)
    if (twin !== undefined) this.wrong.push(`${number} was given to ${twin} and to ${mark}`)
    this.told.set(number, mark)
  }
}

export function numbering(running: () => Deployment): void {
  it(
    `C6 gives ${CLIENTS} clients numbers without gap or twin, killed in between`,
    { timeout: RELIABILITY_TIMEOUT_MS },
    () =>
      reliabilityTest('C6', `numbers for ${CLIENTS} clients on ${running().title}`, async () => {
        const random = randomNumbers(SEED)
        const rounds = triesOf(ROUNDS)
        const ledgers = SERIES.map((series) => new Ledger(series))
        let kills = 0
        for (let round = 0; round < rounds; round++) {
          if (round % KILL_EVERY !== 1) await createAll(running(), ledgers)
          else {
            await createUntilKilled(running(), ledgers, random() * KILL_WITHIN_MS)
            kills += 1
            await running().start()
          }
        }
        const given = await Promise.all(ledgers.map((ledger) => requireSound(running(), ledger)))
        const lost = ledgers.reduce((sum, { unanswered }) => sum + unanswered.length, 0)
        const numbers = given.reduce((sum, count) => sum + count)
        return `${rounds} rounds, ${inThousands(numbers)} numbers without gap or twin, ${kills} kills, ${lost} answers lost by them`
      }),
  )
}

function createAll(deployment: Deployment, ledgers: readonly Ledger[]): Promise<unknown> {
  return deployment.withClients(CLIENTS, (clients) =>
    Promise.all(
      clients.map(async (client, at) => {
        for (let count = 0; count < RECORDS_A_ROUND; count++) {
          expect(await ledgers[(at + count) % ledgers.length]?.create(client)).toBe(true)
        }
      }),
    ),
  )
}

async function createUntilKilled(deployment: Deployment, ledgers: readonly Ledger[], afterMs: number): Promise<void> {
  await deployment.withClients(CLIENTS, async (clients) => {
    const working = clients.map(async (client, at) => {
      while (await ledgers[at % ledgers.length]?.create(client));
    })
    await new Promise((resume) => setTimeout(resume, afterMs))
    await deployment.kill()
    await Promise.all(working)
  })
}

/** Numbers are consecutive from the first; acknowledged ones exist, and any others were never answered. */
async function requireSound(deployment: Deployment, { series, told, wrong, unanswered }: Ledger): Promise<number> {
  expect(wrong).toEqual([])
  const rows = (await deployment.rows(series.rows)).map(({ number, mark }) => [Number(number), String(mark)] as const)
  expect(rows.map(([number]) => number)).toEqual(rows.map((_, at) => series.first + at))
  const stored = new Map(rows)
  expect([...told].filter(([number, mark]) => stored.get(number) !== mark)).toEqual([])
  const doubtful = new Set(unanswered)
  expect(rows.filter(([number, mark]) => !told.has(number) && !doubtful.has(mark))).toEqual([])
  return rows.length
}
