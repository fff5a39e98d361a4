// An ERP that speaks the interface, with what real ones do badly. It is made from the specification and from facts
// alone, and shares no code with the product: tests of a mirror load from it. Tests write to it, break it and count
// what it is asked through the same object.
import { Authentication, type ErpClient } from './authentication.ts'
import { canonical, hashOf } from './canonical.ts'
import { type Clock, REAL_CLOCK } from './clock.ts'
import { Company } from './company.ts'
import { type Fault, Faults } from './faults.ts'
import { type ErpFetch, fetchOf } from './fetch.ts'
import type { Habits, Kind, Row } from './kind.ts'
import { type ErpAnswer, type ErpRequest, jsonAnswer, pageAnswer } from './message.ts'
import type { ObjectHabits } from './objects.ts'
import { Refusal } from './refusal.ts'
import { answerRoute, type Routed } from './routes.ts'
import type { Sizes } from './rows/world.ts'
import { kindsWith } from './shapes.ts'
import type { Collation } from './table.ts'
import { type Quotas, Traffic, USUAL_QUOTAS } from './traffic.ts'

export interface ErpOptions {
  readonly seed: number
  readonly sizes: Partial<Sizes>
  readonly companies: readonly string[]
  readonly clients: readonly Partial<Omit<ErpClient, 'hidden'>>[]
  readonly clock: Clock
  readonly basePath: string
  readonly tokenPath: string
  readonly tokenSeconds: number
  /** Whether Basic is accepted beside tokens. */
  readonly hasBasic: boolean
  readonly isDescribed: boolean
  /** Those that single documents have instead of the usual ones. */
  readonly habits: Readonly<Record<string, Partial<Habits>>>
  readonly collation: Collation
  readonly schemaPrefix: string
  readonly hasArraySchema: boolean
  readonly hasLists: boolean
  readonly hasLines: boolean
  readonly tellsState: boolean
  readonly hasGzip: boolean
  /** False: no quotas. */
  readonly quotas: Quotas | false
  readonly quotaHeader: string
  /** What refusals say about when to come again. */
  readonly retryAfter: 'seconds' | 'date' | 'none'
  readonly timeLimitMs: number
  /** How long an answer takes, and each row of it. */
  readonly cost: { readonly requestMs: number; readonly rowMs: number }
}

const USUAL: ErpOptions = {
  seed: 1,
  sizes: {},
  companies: ['EN', 'SE'],
  clients: [{}],
  clock: REAL_CLOCK,
  basePath: '',
  tokenPath: '/oauth/token',
  tokenSeconds: 3600,
  hasBasic: true,
  isDescribed: true,
  habits: {},
  collation: 'code-point',
  schemaPrefix: 'x-erp-',
  hasArraySchema: false,
  hasLists: true,
  hasLines: false,
  tellsState: true,
  hasGzip: false,
  quotas: USUAL_QUOTAS,
  quotaHeader: 'X-RateLimit',
  retryAfter: 'seconds',
  timeLimitMs: 220_000,
  cost: { requestMs: 0, rowMs: 0 },
}

export const SMALL: Sizes = { ledger: 400, customers: 100, values: 200, documents: 40, others: 60 }

/** Members that name a row, or all of the row. */
export type Named = Row

export class Erp {
  readonly options: ErpOptions
  readonly kinds: ReadonlyMap<string, Kind>
  readonly clients: readonly ErpClient[]
  readonly faults: Faults
  readonly traffic: Traffic
  readonly fetch: ErpFetch
  quotas: Quotas | false
  retryAfter: 'seconds' | 'date' | 'none'
  cost: { requestMs: number; rowMs: number }
  /** How far the ERP's clock is before that of others. */
  clockOffsetMs = 0
  readonly #companies: ReadonlyMap<string, Company>
  readonly #routed: Routed
  /** What was hashed since the last write. */
  readonly #hashes = new Map<string, string>()

  constructor(given: Partial<ErpOptions> = {}) {
    const options = { ...USUAL, ...given }
    this.options = options
    this.kinds = kindsWith(options.habits)
    this.clients = options.clients.map((client) => ({
      id: 'mirror',
      secret: 'mirror-secret',
      companies: options.companies.slice(0, 1),
      isRevoked: false,
      ...client,
      hidden: new Set<string>(),
    }))
    this.faults = new Faults(options.seed)
    this.quotas = options.quotas
    this.retryAfter = options.retryAfter
    this.cost = { ...options.cost }
    this.traffic = new Traffic(options.quotas || USUAL_QUOTAS)
    this.fetch = fetchOf((request) => this.answer(request))
    const sizes = { ...SMALL, ...options.sizes }
    const companies = options.companies.map((companyId, at) => {
      const world = { companyId, seed: options.seed + at, sizes: at === 0 ? sizes : SMALL }
      return [companyId, new Company(world, this.kinds, options.collation)] as const
    })
    this.#companies = new Map(companies)
    this.#routed = this.#routedBy(options)
  }

  #routedBy(options: ErpOptions): Routed {
    const { clock, hasBasic, tokenSeconds, basePath, tokenPath, isDescribed } = options
    return {
      kinds: this.kinds,
      companies: this.#companies,
      authentication: new Authentication(this.clients, clock, { hasBasic, tokenSeconds }),
      basePath,
      tokenPath,
      isDescribed,
      habits: () => this.#objectHabits(),
      now: () => this.now(),
    }
  }

  #objectHabits(): ObjectHabits {
    const { schemaPrefix: prefix, hasArraySchema: isArray, hasLists, hasLines, tellsState } = this.options
    return { schema: { prefix, isArray }, hasLists, hasLines, tellsState, mostRows: this.faults.mostRows }
  }

  /** The time that the ERP writes into what is changed now. */
  now(): number {
    return this.options.clock.now() + this.clockOffsetMs
  }

  kind(name: string): Kind {
    return this.kinds.get(name)!
  }

  /** Writes a row as a user of the ERP does; members that are left out are empty. */
  write(kind: string, row: Row, { company = this.#first(), at = this.now(), by = 'USER1' } = {}): Row {
    this.#hashes.clear()
    return this.#company(company).write(kind, row, { at, by })
  }

  /** Changes members of the row that a key names. */
  change(kind: string, named: Named, members: Row, options: { company?: string; at?: number } = {}): Row {
    const row = this.find(kind, named, options.company)
    if (!row) throw new Error(`There is no such row of ${kind}: ${JSON.stringify(named)}`)
    return this.write(kind, { ...row, ...members }, options)
  }

  /** Removes a row for good; says whether there was one. */
  remove(kind: string, named: Named, company = this.#first()): boolean {
    this.#hashes.clear()
    const table = this.#company(company).table(kind)
    return table.remove(table.keyIn(named))
  }

  /** Gives a revision another content, of which nothing else tells. */
  changeContent(named: Named, revisionNo: number, content: string, company = this.#first()): void {
    const row = this.find('document-archive', named, company)
    const revision = row && this.#company(company).revision(row, revisionNo)
    if (!revision) throw new Error(`There is no such revision: ${JSON.stringify(named)}/${revisionNo}`)
    const base64 = Buffer.from(content).toString('base64')
    this.#company(company).keepRevision(String(row.id), revisionNo, { ...revision, content: base64 })
  }

  /** Begins to write a row: it appears when the function that comes back is called, with the time of the beginning. */
  commitLate(kind: string, row: Row, options: { company?: string; by?: string } = {}): () => Row {
    const at = this.now()
    return () => this.write(kind, row, { ...options, at })
  }

  find(kind: string, named: Named, company = this.#first()): Row | undefined {
    const table = this.#company(company).table(kind)
    return table.find(table.keyIn(named))
  }

  /** The number of rows; those that collections do not show too. */
  count(kind: string, company = this.#first()): number {
    return this.#company(company).table(kind).size
  }

  /** Rows in the order of their keys as the object endpoint has them, with their relations. */
  *rows(kind: string, company = this.#first()): Generator<Row> {
    const of = this.#company(company)
    const table = of.table(kind)
    for (const ref of table.between()) yield of.withRelations(kind, table.rowOf(ref))
  }

  /** All rows of a document in the form in which rows of everybody can be compared. */
  records(kind: string, company = this.#first()): Row[] {
    return [...this.rows(kind, company)].map((row) => canonical(this.kind(kind), row))
  }

  /** To be compared with `hashOf` of the rows of a copy. */
  hash(kind: string, { company = this.#first(), without = [] as readonly string[] } = {}): string {
    const key = JSON.stringify([kind, company, without])
    const known = this.#hashes.get(key) ?? hashOf(this.kind(kind), this.rows(kind, company), without)
    this.#hashes.set(key, known)
    return known
  }

  /** Lets a client see a document no longer, or again. */
  hide(kind: string, isHidden = true, client = this.clients[0]!): void {
    if (isHidden) client.hidden.add(kind)
    else client.hidden.delete(kind)
  }

  /** What other programs use up of the quotas. */
  otherTraffic(requests: number, bytes = 0): void {
    const now = this.options.clock.now()
    this.traffic.requests.add(now, requests)
    this.traffic.bytes.add(now, bytes)
  }

  /** Answers a request, as over HTTP. Who sends the body counts it with `sent`. */
  async answer(request: ErpRequest): Promise<ErpAnswer> {
    const { method, target } = request
    const fault = this.faults.isAway ? 'refused' : this.faults.of(method, target)
    if (fault === 'refused') return { ...pageAnswer(502, 'Bad gateway'), breaks: 'before' }
    const answer = await this.#answered(request, fault)
    this.traffic.answered({ method, target, status: answer.status })
    const headers = { Date: new Date(this.now()).toUTCString(), ...answer.headers, ...this.#left() }
    return this.#broken({ ...answer, headers, body: this.#counted(answer.body) }, fault)
  }

  async #answered(request: ErpRequest, fault: Fault | undefined): Promise<ErpAnswer> {
    const { clock, timeLimitMs } = this.options
    const refused = this.#refused(fault)
    if (refused) {
      this.traffic.refused(clock.now())
      return refused
    }
    this.traffic.took(clock.now())
    const answer = this.#routedAnswer(request)
    const slowMs = fault === 'slow' ? this.faults.slowMs : 0
    const costMs = slowMs + this.cost.requestMs + this.cost.rowMs * (answer.rows ?? 0)
    if (costMs > 0) await clock.sleep(Math.min(costMs, timeLimitMs))
    return costMs > timeLimitMs ? pageAnswer(504, 'Gateway time-out') : answer
  }

  #routedAnswer(request: ErpRequest): ErpAnswer {
    try {
      return answerRoute(request, this.#routed)
    } catch (error) {
      if (error instanceof Refusal) return jsonAnswer(error.status, error.body, error.headers)
      throw error
    }
  }

  #refused(fault: Fault | undefined): ErpAnswer | undefined {
    if (fault === '404') return jsonAnswer(404, { code: 1030, message: 'No resource matches the URI.' })
    if (fault === '500') return jsonAnswer(500, { code: 1000, message: 'Internal server error' })
    if (fault === '503') return pageAnswer(503, 'Service unavailable', this.#retryAfter(5000))
    const now = this.options.clock.now()
    const waitMs = fault === '429' ? 2000 : this.#waitMs(now)
    const body = { code: 1020, message: 'Too many requests.' }
    return waitMs > 0 ? jsonAnswer(429, body, this.#retryAfter(waitMs)) : undefined
  }

  /** How long it takes until the quotas leave room for a request. */
  #waitMs(now: number): number {
    if (!this.quotas) return 0
    const { requests, bytes } = this.quotas
    return Math.max(
      this.traffic.requests.msUntilBelow(now, requests) * Number(this.traffic.requests.at(now) >= requests),
      this.traffic.bytes.msUntilBelow(now, bytes) * Number(this.traffic.bytes.at(now) >= bytes),
    )
  }

  #retryAfter(waitMs: number): Record<string, string> {
    if (this.retryAfter === 'none') return {}
    if (this.retryAfter === 'seconds') return { 'Retry-After': String(Math.ceil(waitMs / 1000)) }
    // Whole seconds: rounded up, so that who comes then is not too early.
    return { 'Retry-After': new Date(Math.ceil((this.now() + waitMs) / 1000) * 1000).toUTCString() }
  }

  #left(): Record<string, string> {
    if (!this.quotas) return {}
    const now = this.options.clock.now()
    const { requests, bytes } = this.quotas
    const name = this.options.quotaHeader
    return {
      [`${name}-Limit`]: String(requests),
      [`${name}-Remaining`]: String(Math.max(0, requests - this.traffic.requests.at(now))),
      [`${name}-Remaining-Bytes`]: String(Math.max(0, bytes - this.traffic.bytes.at(now))),
    }
  }

  *#counted(body: Iterable<string>): Generator<string> {
    for (const part of body) {
      this.traffic.sent(this.options.clock.now(), Buffer.byteLength(part))
      yield part
    }
  }

  #broken(answer: ErpAnswer, fault: Fault | undefined): ErpAnswer {
    if (fault === 'lost') return { ...answer, breaks: 'before' }
    if (fault === 'cut') return { ...answer, body: firstHalf(answer.body), breaks: 'within' }
    return fault === 'truncated' ? { ...answer, body: firstHalf(answer.body) } : answer
  }

  #first(): string {
    return this.options.companies[0]!
  }

  #company(id: string): Company {
    const company = this.#companies.get(id)
    if (!company) throw new Error(`The ERP has no company ${id}`)
    return company
  }
}

/** The beginning of a body: half of its first part. */
function* firstHalf(body: Iterable<string>): Generator<string> {
  for (const part of body) {
    yield part.slice(0, Math.floor(part.length / 2))
    return
  }
}
