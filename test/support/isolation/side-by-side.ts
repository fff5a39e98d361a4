// One company in two worlds, alone and beside companies with the same keys: both get the same requests, while the others
// write. Its answers must be byte-equal in both worlds: nothing of the others shows.

import { startTrustedIssuers } from '../forgery/signers.ts'
import { IS_LONG } from '../reliability-test.ts'
import type { SqlTap } from '../sql-tap.ts'
import type { Sent, StoreKind } from '../world.ts'
import { COMPANIES, GRANIT, JASPER, KOPPER } from './companies.ts'
import { type Issuers, isConfined, issuersAt, withToken } from './identities.ts'
import { bytesOf, IsolationClient, type ReceivedAnswer, requireEqual } from './isolation-client.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { type Ids, idsOnlyOf, NOWHERE, SHARED, startIsolationWorld } from './records.ts'

const BEGIN = Date.parse('2026-05-04T10:00:00.000Z')
/** The others ask as often as the company itself, but not at every step. */
const OTHERS_ASK = 0.6
const REPEATED = 0.15
const KEYS = Array.from({ length: 12 }, (_, no) => `key-${no}`)
/** Some callers are the same user, authenticated by the service and by two issuers. */
const CALLERS = ['writer-JASPER', 'both', 'reader', 'rsa:both', 'ec:both', 'ec:writer-JASPER'] as const
const OTHERS = ['writer-KOPPER', 'both', 'ec:both', 'rsa:both', 'rsa:writer-KOPPER'] as const

type Random = () => number

export class SideBySide {
  steps = 0
  readonly alone: IsolationClient
  readonly shared: IsolationClient
  /** The number of replayed answers. */
  replays = 0
  readonly #issuers: Issuers
  #now = BEGIN
  /** Acknowledged writes with an idempotency key, each with its answer. */
  readonly #written: { readonly sent: Sent; readonly bytes: string }[] = []

  private constructor(alone: IsolationClient, shared: IsolationClient, issuers: Issuers) {
    this.alone = alone
    this.shared = shared
    this.#issuers = issuers
  }

  static async start(kind: StoreKind, tap?: SqlTap): Promise<SideBySide> {
    const foreign = await startTrustedIssuers()
    const issuers = issuersAt(foreign.address)
    let clock = () => BEGIN
    const options = { issuers, clock: () => new Date(clock()) }
    const alone = new IsolationClient(await startIsolationWorld(kind, { companies: [JASPER], ...options }))
    const shared = new IsolationClient(await startIsolationWorld(kind, { companies: COMPANIES, ...options }), tap)
    await shared.learnSecrets()
    const worlds = new SideBySide(alone, shared, foreign)
    clock = () => worlds.#now
    return worlds
  }

  async stop(): Promise<void> {
    await this.alone.world.stop()
    await this.shared.world.stop()
    await this.#issuers.stop()
  }

  /** Sends the same request to both worlds; throws when the answers differ. */
  async step(sent: Sent): Promise<ReceivedAnswer> {
    this.#now += 1_000
    this.steps += 1
    const id = `eeeeeeee-0000-4000-8000-${String(this.steps).padStart(12, '0')}`
    const withCredentials = withToken(this.#issuers, sent, this.#now)
    const expected = await this.alone.ask(withCredentials, [JASPER], id)
    const answered = await this.shared.ask(withCredentials, [JASPER], id)
    requireEqual(sent, bytesOf(answered), bytesOf(expected))
    this.#requireOwnReplay(sent, answered)
    return answered
  }

  /** An answer may be replayed only to the caller that got it, under its key, and unchanged. */
  #requireOwnReplay(sent: Sent, answered: ReceivedAnswer): void {
    const key = sent.headers?.['idempotency-key']
    const first = this.#written.find(({ sent: one }) => one.as === sent.as && one.headers?.['idempotency-key'] === key)
    if (answered.headers['idempotency-replayed'] !== undefined) {
      this.replays += 1
      requireEqual(sent, bytesOf(withoutReplayed(answered)), first?.bytes ?? 'no answer was given to this caller')
    } else if (key !== undefined && answered.status < 300 && !sent.url.includes('validateOnly')) {
      this.#written.push({ sent, bytes: bytesOf(answered) })
    }
  }

  /** Retries an acknowledged write; or sends the same from another caller, who may be the same user. */
  async again(random: Random): Promise<void> {
    const first = this.#written[Math.floor(random() * this.#written.length)]
    if (!first) return
    const isSame = random() < 0.5
    const as = isSame ? first.sent.as : CALLERS[Math.floor(random() * CALLERS.length)]
    const answered = await this.step({ ...first.sent, ...(as === undefined ? {} : { as }) })
    if (isSame && answered.headers['idempotency-replayed'] === undefined)
      throw new Error(`${first.sent.as} is not given its answer to ${first.sent.url} again: ${answered.status}`)
  }

  /** A request of another company, which may create a record under the same key as the last one. */
  async meanwhile(sent: Sent): Promise<void> {
    const id = `eeeeeeee-0000-4000-8000-${String(this.steps).padStart(12, '0')}`
    const answered = await this.shared.ask(withToken(this.#issuers, sent, this.#now), [KOPPER], id)
    if (isConfined(sent.as) && answered.status < 400)
      throw new Error(`${sent.as} is answered ${answered.status} to ${sent.url}`)
  }

  /**
   * Sends every operation once with each kind of key: reads, writes and deletions, by both companies. The short form has
   * no keys of the company alone, of which another one has nothing to show.
   */
  async sweep(): Promise<void> {
    const kinds = [idsOnlyOf(KOPPER.letter), SHARED, idsOnlyOf(JASPER.letter)].slice(0, IS_LONG ? 3 : 2)
    const order = ['GET', 'HEAD', 'POST', 'PATCH', 'GET', 'DELETE', 'GET'] as const
    for (const method of order) {
      for (const operation of Object.values(OPERATIONS).filter((one) => one.method === method)) {
        for (const ids of kinds) {
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

  /** A step of a random walk by callers of the company, sometimes with one of the other company in between. */
  async randomStep(random: Random): Promise<void> {
    if (random() < OTHERS_ASK) await this.meanwhile(randomSent(random, OTHERS, 'companyId=KOPPER'))
    if (random() < REPEATED) return this.again(random)
    await this.step(randomSent(random, CALLERS, ''))
  }

  /** The rows of the company in which no caller wrote. */
  async rowsOfSilent(): Promise<readonly string[]> {
    return [...(await this.shared.world.dump())].filter((row) => row.includes(`"company_id":"${GRANIT.id}"`)).sort()
  }
}

/** Requests beyond the table of operations: numbers from a series, overlapping relations, growing lists. */
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

function withoutReplayed({
  headers: { 'idempotency-replayed': _replayed, ...headers },
  ...rest
}: ReceivedAnswer): ReceivedAnswer {
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
