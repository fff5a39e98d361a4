// One company twice: alone in its world, and in a world with others that have the same keys, are asked the same and are
// written at the same time. What it is answered must be the same in both, byte by byte: nothing of the others shows.
import type { SqlTap } from '../sql-tap.ts'
import type { Sent, StoreKind } from '../world.ts'
import { Asker, bytesOf, requireEqual } from './asker.ts'
import { COMPANIES, GRANIT, JASPER, KOPPER } from './companies.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { type Ids, idsOnlyOf, NOWHERE, SHARED, startApart } from './records.ts'

const BEGIN = Date.parse('2026-05-04T10:00:00.000Z')
/** The others ask as often as the company itself, but not at every step. */
const OTHERS_ASK = 0.6
const KEYS = ['key-1', 'key-2', 'key-3'] as const

type Random = () => number

export class SideBySide {
  steps = 0
  readonly alone: Asker
  readonly crowd: Asker
  readonly #tick: () => void

  private constructor(alone: Asker, crowd: Asker, tick: () => void) {
    this.alone = alone
    this.crowd = crowd
    this.#tick = tick
  }

  static async start(kind: StoreKind, tap?: SqlTap): Promise<SideBySide> {
    let now = BEGIN
    const clock = () => new Date(now)
    const alone = new Asker(await startApart(kind, { companies: [JASPER], clock }))
    const crowd = new Asker(await startApart(kind, { companies: COMPANIES, clock }), tap)
    await crowd.learnSecrets()
    return new SideBySide(alone, crowd, () => (now += 1_000))
  }

  async stop(): Promise<void> {
    await this.alone.world.stop()
    await this.crowd.world.stop()
  }

  /** The same question in both worlds; throws when the answers differ. */
  async step(sent: Sent): Promise<void> {
    this.#tick()
    this.steps += 1
    const id = `eeeeeeee-0000-4000-8000-${String(this.steps).padStart(12, '0')}`
    const expected = await this.alone.ask(sent, [JASPER], id)
    const answered = await this.crowd.ask(sent, [JASPER], id)
    requireEqual(sent, bytesOf(answered), bytesOf(expected))
  }

  /** A question of another company, which may make a record under the same key as the last one. */
  async meanwhile(sent: Sent): Promise<void> {
    await this.crowd.ask(sent, [KOPPER], `eeeeeeee-0000-4000-8000-${String(this.steps).padStart(12, '0')}`)
  }

  /** Every operation once with each kind of key: reading, writing and taking away, by both companies. */
  async sweep(): Promise<void> {
    const order = ['GET', 'HEAD', 'POST', 'PATCH', 'GET', 'DELETE', 'GET'] as const
    for (const method of order) {
      for (const operation of Object.values(OPERATIONS).filter((one) => one.method === method)) {
        for (const ids of [idsOnlyOf(KOPPER.letter), SHARED, idsOnlyOf(JASPER.letter)]) {
          for (const query of optionsOf(operation, ids)) {
            await this.meanwhile(sentOf(operation, ids, query, 'writer-KOPPER'))
            await this.step(sentOf(operation, ids, query, 'writer-JASPER'))
          }
        }
      }
      for (const { method: further, url, body } of method === 'POST' || method === 'PATCH' ? FURTHER : []) {
        if (further !== method) continue
        await this.step({ as: 'writer-JASPER', method, url, body })
      }
    }
  }

  /** A step of a random walk by callers of the company, and perhaps one of another in between. */
  async randomStep(random: Random): Promise<void> {
    if (random() < OTHERS_ASK) await this.meanwhile(randomSent(random, ['writer-KOPPER', 'both'], 'companyId=KOPPER'))
    await this.step(randomSent(random, ['writer-JASPER', 'writer-JASPER', 'both', 'reader'], ''))
  }

  /** The rows of the company that nobody wrote in. */
  async rowsOfSilent(): Promise<readonly string[]> {
    return [...(await this.crowd.world.dump())].filter((row) => row.includes(`"company_id":"${GRANIT.id}"`)).sort()
  }
}

/** What no row of the table of operations asks: numbers from a series, relations that overlap, lists that grow. */
const FURTHER: readonly Sent[] = [
  { method: 'POST', url: '/v1/attribute-values', body: { attributeId: 'C5', description: 'numbered' } },
  { method: 'POST', url: '/v1/attribute-values', body: { attributeId: 'C5', description: 'numbered' } },
  {
    method: 'POST',
    url: '/v1/attribute-relations',
    body: { attributeId: 'C1', attributeValue: 'SAME', relatedAttributeId: 'CG', relationValue: '10' },
  },
  {
    method: 'PATCH',
    url: '/v1/attribute-values/C1/TWIN/0',
    body: [{ op: 'add', path: '/relatedValues/-', value: { relationId: 'REL1', relatedValue: '200' } }],
  },
  {
    method: 'PATCH',
    url: '/v1/customers/TWIN',
    body: [{ op: 'remove', path: '/relatedValues/0' }],
  },
  {
    method: 'PATCH',
    url: `/v1/documents/${idsOnlyOf('J').document}`,
    body: [{ op: 'replace', path: '/indexes/1/indexValue', value: 'TWIN' }],
  },
]

function optionsOf({ asks = [], method }: Operation, ids: Ids): string[] {
  const named = asks.map((ask) => new URLSearchParams(ask(ids, KOPPER.id)).toString())
  return method === 'GET' || method === 'HEAD' ? ['', ...named] : ['']
}

function sentOf({ method, path, body, needs }: Operation, ids: Ids, query: string, client: string): Sent {
  const company = client === 'writer-KOPPER' ? KOPPER : JASPER
  const options = [needs, query].filter(Boolean).join('&')
  const record = body ? { body: body(ids, company) } : {}
  return { as: client, method, url: path(ids) + (options ? `?${options}` : ''), ...record }
}

function randomSent(random: Random, clients: readonly string[], company: string): Sent {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const operation = pick(Object.values(OPERATIONS))
  const kinds = [SHARED, SHARED, idsOnlyOf(JASPER.letter), idsOnlyOf(KOPPER.letter), idsOnlyOf(NOWHERE)]
  const mixed = Object.fromEntries(
    Object.keys(SHARED).map((key) => [key, pick(kinds)[key as keyof Ids]]),
  ) as unknown as Ids
  const fresh = `NEW${Math.floor(random() * 9)}`
  const ids: Ids = random() < 0.5 ? { ...SHARED, fresh } : { ...mixed, fresh }
  const client = company === '' ? pick(clients) : pick(clients)
  const isOther = company !== ''
  const query = [pick(optionsOf(operation, ids)), isOther ? company : '', random() < 0.1 ? 'validateOnly=true' : '']
  const sent = sentOf(operation, ids, query.filter(Boolean).join('&'), isOther ? 'writer-KOPPER' : 'writer-JASPER')
  const isWrite = operation.method !== 'GET' && operation.method !== 'HEAD'
  const headers: Record<string, string> = {}
  if (isWrite && random() < 0.4) headers['idempotency-key'] = pick(KEYS)
  if (isWrite && random() < 0.2) headers['if-match'] = `"${Math.floor(random() * 40)}"`
  return { ...sent, as: client, headers }
}
