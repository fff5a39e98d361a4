// The routes of records, where a company is a mirror: answers say how old they are, single records can be read through,
// and writes go to the source first, where the setup says so.

import { unavailable } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import { type ApiRequest, type Method, permitOf, type Route, RouteTable } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { requireOwnRecords } from '../records/shared/mirrored.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { type AddressedRecord, documentAt, placeOf } from './addressed-record.ts'
import type { WantedContents } from './archive-contents.ts'
import type { DocumentState } from './document-state.ts'
import { forward, isPassable, passOn } from './forward-routes.ts'
import type { MirrorService } from './mirror-service.ts'
import { SourceFailure } from './source/source.ts'

export class MirroredRoutes extends RouteTable {
  readonly #routes: RouteTable
  readonly #mirror: MirrorService
  readonly #companies: Companies
  readonly #forwards: boolean

  /** `forwards`: whether writes may go to the source. */
  constructor(routes: RouteTable, mirror: MirrorService, companies: Companies, forwards: boolean) {
    super()
    this.#routes = routes
    this.#mirror = mirror
    this.#companies = companies
    this.#forwards = forwards
  }

  override get(path: string, route: Route, head?: Route): void {
    this.#routes.get(path, this.#read(route), head && this.#read(head, 'HEAD'))
  }

  override post(path: string, route: Route): void {
    this.#routes.post(path, this.#write('POST', route))
  }

  override patch(path: string, route: Route): void {
    this.#routes.patch(path, this.#write('PATCH', route))
  }

  override delete(path: string, route: Route): void {
    this.#routes.delete(path, this.#write('DELETE', route))
  }

  override incomplete(methods: readonly Method[], path: string): void {
    this.#routes.incomplete(methods, path)
  }

  protected override declareRoute(): void {
    throw new Error('routes are declared by their methods')
  }

  #read(route: Route, method: 'GET' | 'HEAD' = 'GET'): Route {
    return {
      ...route,
      handle: (request) => {
        const company = this.#companies.find(request.companyId)
        return company?.source ? this.#answer(company, route, request, method) : route.handle(request)
      },
    }
  }

  #write(method: Method, route: Route): Route {
    return {
      ...route,
      handle: (request) => {
        const company = this.#companies.find(request.companyId)
        if (!company?.source) return route.handle(request)
        if (!this.#forwards || company.source.writes === 'refuse') requireOwnRecords(company)
        return forward(this.#mirror, { company, method, permit: permitOf(route, request.params) }, request)
      },
    }
  }

  async #answer(company: CompanyRules, route: Route, request: ApiRequest, method: 'GET' | 'HEAD'): Promise<Reply> {
    const { name: path, key } = placeOf(request)
    const contents = contentsAsked(path, key)
    const name = documentAt(path)
    const document = this.#mirror.documentsOf(company).get(name)
    if (!document || request.accept?.includes('schema+json')) return route.handle(request)
    const isSingle = path !== 'document-revisions' && key.length === document.asked.key.length
    const wantsFresh = isSingle && READ_THROUGH.test(request.header('cache-control') ?? '')
    const readAt = wantsFresh ? await this.#readThrough(company, request, { name, key }) : undefined
    const state = (await this.#mirror.statesOf(company)).get(name)
    if (readAt === undefined && state?.phase !== 'following') {
      const permit = permitOf(route, request.params)
      const isPassed = method === 'GET' && company.source?.whileLoading === 'ask'
      if (isPassed && isPassable(request, company, permit)) return passOn(this.#mirror, company, request)
      throw notComplete(company, name, state)
    }
    if (contents) await this.#fetchContents(company, key[0] ?? '', contents)
    else if (path === 'documents' && key.length === 0) await this.#requireContents(company, request)
    const { validity: _validity, headers, ...answer } = await route.handle(request)
    return { ...answer, headers: { ...headers, ...ageHeaders(this.#mirror.now, readAt ?? state?.asOf ?? '') } }
  }

  /** Returns the moment of the record; undefined: the source cannot give it now, and what is here is answered. */
  async #readThrough(
    company: CompanyRules,
    request: ApiRequest,
    { name, key }: AddressedRecord,
  ): Promise<string | undefined> {
    try {
      const { requestId, caller } = request
      return await this.#mirror.read({ company, name, key, requestId, setupVersion: caller.setupVersion })
    } catch (error) {
      if (error instanceof SourceFailure || error instanceof Problem) return undefined
      throw error
    }
  }

  /** A list answers contents only where it need not wait for each of them. */
  async #requireContents(company: CompanyRules, { query }: ApiRequest): Promise<void> {
    const asksContents = query.some(([name, value]) => /^withfilecontent$/i.test(name) && /^true$/i.test(value))
    if (!asksContents || (await this.#mirror.hasContents(company))) return
    throw unavailable(`Contents are still at ${company.source?.url}: read documents one by one.`, RETRY_SECONDS)
  }

  async #fetchContents(company: CompanyRules, documentId: string, contents: WantedContents): Promise<void> {
    try {
      await this.#mirror.fetchContents(company, documentId.toLowerCase(), contents)
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      throw unavailable(`The content is still at ${company.source?.url}: ${error.message}`, RETRY_SECONDS)
    }
  }
}

/** A document of which the record that was read through is not here, and neither are others. */
function notComplete(company: CompanyRules, name: string, state: DocumentState | undefined): Problem {
  if (state?.phase === 'absent') return unavailable(`${name} is not mirrored: ${state.problem}`, RETRY_SECONDS)
  const { rows = 0, sourceRows = -1 } = state ?? {}
  const all = sourceRows < 0 ? '' : ` of ${sourceRows}`
  return unavailable(
    `${name} is still being loaded from ${company.source?.url}: ${rows}${all} records are here.`,
    RETRY_SECONDS,
  )
}

/** Which contents of a document the answer has. */
function contentsAsked(path: string, [id, part]: readonly string[]): WantedContents | undefined {
  if (id === undefined) return undefined
  if (path === 'documents') return part === 'history' ? undefined : 'newest'
  if (path !== 'document-revisions') return undefined
  return part === undefined ? 'all' : Number(part)
}

const RETRY_SECONDS = 10
/** RFC 9111, 5.2.1: nothing older than this very moment. */
const READ_THROUGH = /(?:^|[\s,])(?:no-cache|max-age=0)(?:$|[\s,])/i

/** `Age` (RFC 9111, 5.1) is in seconds. */
function ageHeaders(now: number, asOf: string): Record<string, string> {
  if (asOf === '') return {}
  const age = Math.max(0, Math.round((now - Date.parse(asOf)) / 1000))
  return { age: String(age), 'mirror-as-of': asOf }
}
