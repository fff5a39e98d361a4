// One company twice: alone in its world, and in a world with others that have the same keys, are asked the same and are
// written at the same time. What it is answered must be the same in both, byte by byte: nothing of the others shows.

import { foreignIssuers } from '../forgery/signers.ts'
import type { SqlTap } from '../sql-tap.ts'
import type { Sent, StoreKind } from '../world.ts'
import { type Asked, Asker, bytesOf, requireEqual } from './asker.ts'
import { COMPANIES, GRANIT, JASPER, KOPPER } from './companies.ts'
import { type Issuers, isConfined, issuersAt, withToken } from './identities.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { type Ids, idsOnlyOf, NOWHERE, SHARED, startApart } from './records.ts'

const BEGIN = Date.parse('2026-05-04T10:00:00.000Z')
/** The others ask as often as the company itself, but not at every step. */
const OTHERS_ASK = 0.6
const REPEATED = 0.15
const KEYS = Array.from({ length: 12 }, (_, no) => `key-${no}`)
/** Some of them are the same user, named by itself and by two issuers. */
const CALLERS = ['writer-JASPER', 'both', 'reader', 'rsa:both', 'ec:both', 'ec:writer-JASPER'] as const
const OTHERS = ['writer-KOPPER', 'both', 'ec:both', 'rsa:both', 'rsa:writer-KOPPER'] as const

type Random = () => number

export class SideBySide {
  steps = 0
  readonly alone: Asker
  readonly crowd: Asker
  /** How many answers were given again. */
  replays = 0
  readonly #issuers: Issuers
  #now = BEGIN
  /** Acknowledged writes under a key, each with its answer. */
  readonly #written: { readonly sent: Sent; readonly bytes: string }[] = []

  private constructor(alone: Asker, crowd: Asker, issuers: Issuers) {
    this.alone = alone
    this.crowd = crowd
    this.#issuers = issuers
  }

  static async start(kind: StoreKind, tap?: SqlTap): Promise<SideBySide> {
    const foreign = await foreignIssuers()
    const issuers = issuersAt(foreign.address)
    let clock = () => BEGIN
    const options = { issuers, clock: () => new Date(clock()) }
    const alone = new Asker(await startApart(kind, { companies: [JASPER], ...options }))
    const crowd = new Asker(await startApart(kind, { companies: COMPANIES, ...options }), tap)
    await crowd.learnSecrets()
    const worlds = new SideBySide(alone, crowd, foreign)
    clock = () => worlds.#now
    return worlds
  }

  async stop(): Promise<void> {
    await this.alone.world.stop()
    await this.crowd.world.stop()
    await this.#issuers.stop()
  }

  /** The same question in both worlds; throws when the answers differ. */
  async step(sent: Sent): Promise<Asked> {
    this.#now += 1_000
    this.steps += 1
    const id = `eeeeeeee-0000-4000-8000-${String(this.steps).padStart(12, '0')}`
    const withCredentials = withToken(this.#issuers, sent, this.#now)
    const expected = await this.alone.ask(withCredentials, [JASPER], id)
    const answered = await this.crowd.ask(withCredentials, [JASPER], id)
    requireEqual(sent, bytesOf(answered), bytesOf(expected))
    this.#requireOwnReplay(sent, answered)
    return answered
  }

  /** An answer is given again to who had it, under its key, as it was. */
  #requireOwnReplay(sent: Sent, answered: Asked): void {
    const key = sent.headers?.['idempotency-key']
    const first = this.#written.find(({ sent: one }) => one.as === sent.as && one.headers?.['idempotency-key'] === key)
    if (answered.headers['idempotency-replayed'] !== undefined) {
      this.replays += 1
      requireEqual(sent, bytesOf(withoutReplayed(answered)), first?.bytes ?? 'no answer was given to this caller')
    } else if (key !== undefined && answered.status < 300 && !sent.url.includes('validateOnly')) {
      this.#written.push({ sent, bytes: bytesOf(answered) })
    }
  }

  /** A write that was acknowledged, once more; or the same by another caller, who may have the same user. */
  async again(random: Random): Promise<void> {
    const first = this.#written[Math.floor(random() * this.#written.length)]
    if (!first) return
    const isSame = random() < 0.5
    const as = isSame ? first.sent.as : CALLERS[Math.floor(random() * CALLERS.length)]
    const answered = await this.step({ ...first.sent, ...(as === undefined ? {} : { as }) })
    if (isSame && answered.headers['idempotency-replayed'] === undefined)
      throw new Error(`${first.sent.as} is not given its answer to ${first.sent.url} again: ${answered.status}`)
  }

  /** A question of another company, which may make a record under the same key as the last one. */
  async meanwhile(sent: Sent): Promise<void> {
    const id = `eeeeeeee-0000-4000-8000-${String(this.steps).padStart(12, '0')}`
    const answered = await this.crowd.ask(withToken(this.#issuers, sent, this.#now), [KOPPER], id)
    if (isConfined(sent.as) && answered.status < 400)
      throw new Error(`${sent.as} is answered ${answered.status} to ${sent.url}`)
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
    if (random() < OTHERS_ASK) await this.meanwhile(randomSent(random, OTHERS, 'companyId=KOPPER'))
    if (random() < REPEATED) return this.again(random)
    await this.step(randomSent(random, CALLERS, ''))
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

function withoutReplayed({ headers: { 'idempotency-replayed': _replayed, ...headers }, ...rest }: Asked): Asked {
  return { ...rest, headers }
}

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
