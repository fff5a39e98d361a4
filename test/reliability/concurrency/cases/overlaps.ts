// C2: a relation that takes one value at a time never has two, however many clients request overlapping periods, and no
// request is rejected without a reason. A validity includes its last day: periods that share a day overlap.
import { expect, it } from 'vitest'
import type { Deployment } from '../../../support/deployments.ts'
import type { KeepAliveClient, SentRequest } from '../../../support/keep-alive-client.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../../support/reliability-test.ts'
import { done, inThousands, RELIABILITY_TIMEOUT_MS, served } from '../race.ts'
import { patch, post, relations, values } from '../records.ts'

const CLIENTS = 32
const INSERTS = 40
const ROUNDS = { long: 6, full: 300 }
const DAYS = 120
const LONGEST = 12
const RELATED_VALUES = 30

interface Wanted {
  readonly related: string
  readonly from: string
  readonly to: string
}

/** The outcome; times come from one clock, and no two events share a time. */
interface Tried extends Wanted {
  readonly status: number
  readonly text: string
  readonly calledAt: number
  readonly returnedAt: number
}

export function overlaps(running: () => Deployment): void {
  it(`C2 keeps periods apart that ${CLIENTS} clients ask for at once`, { timeout: RELIABILITY_TIMEOUT_MS }, () =>
    reliabilityTest('C2', `${INSERTS} random periods by ${CLIENTS} clients on ${running().title}`, async () => {
      const random = randomNumbers(SEED)
      const rounds = triesOf(ROUNDS)
      let stored = 0
      await running().withClients(CLIENTS, async (clients) => {
        for (let round = 0; round < rounds; round++) {
          const subject = `C2-${round}`
          await done(clients[0], post(values.all, values.body(subject)), 201)
          const wanted = Array.from({ length: INSERTS }, () => randomPeriod(random))
          const tried = await tryAll(subject, clients, wanted)
          const rows = (await running().rows(rowsOf(subject))) as unknown as Wanted[]
          expect({ subject, ...faultsOf(rows, tried) }).toEqual({
            subject,
            clashes: [],
            addressLimits: [],
            unexplained: [],
          })
          stored += rows.length
        }
      })
      const refused = rounds * INSERTS - stored
      return `${rounds} rounds, ${inThousands(stored)} periods stored, ${inThousands(refused)} refused with a reason`
    }),
  )
}

function randomPeriod(random: () => number): Wanted {
  const first = Math.floor(random() * DAYS)
  const last = first + Math.floor(random() * LONGEST)
  return { related: `S${Math.floor(random() * RELATED_VALUES)}`, from: dayOf(first), to: dayOf(last) }
}

function dayOf(day: number): string {
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
}

/** Each client takes the next period until none is left. */
async function tryAll(
  subject: string,
  clients: readonly KeepAliveClient[],
  wanted: readonly Wanted[],
): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  const queue = wanted.entries()
  let moment = 0
  const work = async (client: KeepAliveClient) => {
    for (const [at, one] of queue) {
      const calledAt = moment++
      const { status, text } = await served(client, askedFor(subject, one, at))
      tried.push({ ...one, status, text, calledAt, returnedAt: moment++ })
    }
  }
  await Promise.all(clients.map(work))
  return tried
}

/** Two ways to the same rows: as a relation, and as a related value of the value. */
function askedFor(subject: string, { related, from, to }: Wanted, at: number): SentRequest {
  const validity = { dateFrom: from, dateTo: to }
  if (at % 2 === 0) {
    const key = { attributeId: 'C1', attributeValue: subject, relatedAttributeId: 'C3', relationValue: related }
    return post(relations.all, { ...key, ...validity })
  }
  return patch(values.at(subject), 'add', '/relatedValues/-', {
    relationId: 'REL2',
    relatedValue: related,
    ...validity,
  })
}

/** The rows, read directly from the database. */
function rowsOf(subject: string): string {
  return `select relation_value as related, date_from as "from", date_to as "to" from attribute_relation
    where company_id = 'EN' and attribute_id = 'C1' and attribute_value = '${subject}'`
}

const accepted = (tried: readonly Tried[]) => tried.filter(({ status }) => status < 300)

/**
 * Conflicting rows, rows that were not acknowledged, acknowledged rows that are missing, and unexplained rejections.
 */
function faultsOf(rows: readonly Wanted[], tried: readonly Tried[]) {
  const keysOf = (some: readonly Wanted[]) => new Set(some.map(({ related, from, to }) => `${related} ${from} ${to}`))
  return {
    clashes: clashesOf(rows),
    addressLimits: [...keysOf(rows).symmetricDifference(keysOf(accepted(tried)))],
    unexplained: tried.filter((one) => !isExplained(one, tried)),
  }
}

function clash(one: Wanted, other: Wanted): boolean {
  return one.related === other.related || (one.from <= other.to && one.to >= other.from)
}

/** Compares every pair of rows. */
function clashesOf(rows: readonly Wanted[]): unknown[] {
  return rows.flatMap((one, at) => rows.slice(at + 1).flatMap((other) => (clash(one, other) ? [[one, other]] : [])))
}

/**
 * A rejection names a conflicting row that may have existed: it was requested before the rejection returned.
 * That suffices for a serial order: let each accepted request take effect when it was called, each rejected one when it
 * returned.
 */
function isExplained(one: Tried, tried: readonly Tried[]): boolean {
  if (one.status < 300) return true
  const named = /is already connected to SITE ?: (\S+) on client EN/.exec(one.text)?.[1]
  const wasThere = (other: Tried) => other.related === named && other.calledAt < one.returnedAt
  return one.status === 422 && accepted(tried).some((other) => wasThere(other) && clash(one, other))
}
