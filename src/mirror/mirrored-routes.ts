// The routes of records, where a company is a mirror: answers say how old they are, single records can be read through,
// and writes go to the source first, where the setup says so.

import { unavailable } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import { type ApiRequest, type Method, pathIn, type Route, RouteTable } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { requireOwnRecords } from '../records/shared/mirrored.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { WantedContents } from './archive-contents.ts'
import type { DocumentState } from './document-state.ts'
import { forward, type Place, passOn } from './forward.ts'
import type { MirrorService } from './mirror-service.ts'
import { ARCHIVE } from './mirrored-documents.ts'
import { SourceFailure } from './source/source.ts'

export class MirroredRoutes extends RouteTable {
  readonly #routes: RouteTable
  readonly #mirror: MirrorService
  readonly #companies: Companies
  /** A batch has a write of its own, which others would wait for. */
  readonly #forwards: boolean

  /** `forwards`: whether writes may go to the source; those of a batch cannot be one there. */
  constructor(routes: RouteTable, mirror: MirrorService, companies: Companies, forwards: boolean) {
    super()
    this.#routes = routes
    this.#mirror = mirror
    this.#companies = companies
    this.#forwards = forwards
  }

  override get(path: string, route: Route, head?: Route): void {
    this.#routes.get(path, this.#read(route), head && this.#read(head))
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

  #read(route: Route): Route {
    return {
      ...route,
      handle: (request) => {
        const company = this.#companies.find(request.companyId)
        return company?.source ? this.#answer(company, route, request) : route.handle(request)
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
        return forward(this.#mirror, company, method, request, placeOf(request))
      },
    }
  }

  async #answer(company: CompanyRules, route: Route, request: ApiRequest): Promise<Reply> {
    const { name: path, key } = placeOf(request)
    const contents = contentsAsked(path, key)
    const name = path === 'documents' || path === 'document-revisions' ? ARCHIVE : path
    const document = this.#mirror.documentsOf(company).get(name)
    if (!document || request.accept?.includes('schema+json')) return route.handle(request)
    const isSingle = path !== 'document-revisions' && key.length === document.asked.key.length
    const wantsFresh = this.#forwards && isSingle && READ_THROUGH.test(request.header('cache-control') ?? '')
    const readAt = wantsFresh ? await this.#readThrough(company, name, key) : undefined
    const state = (await this.#mirror.statesOf(company)).get(name)
    if (readAt === undefined && state?.phase !== 'following') {
      const passed = await this.#whileLoading(company, request, name, state)
      if (passed) return passed
    }
    if (contents) await this.#fetchContents(company, key[0] ?? '', contents)
    else if (path === 'documents' && key.length === 0) await this.#requireContents(company, request)
    const { validity: _validity, headers, ...answer } = await route.handle(request)
    return { ...answer, headers: { ...headers, ...ageHeaders(this.#mirror.now, readAt ?? state?.asOf ?? '') } }
  }

  /**
   * Returns the moment of the record. What the source cannot give now is answered from here, and says how old it is.
   */
  async #readThrough(company: CompanyRules, name: string, key: readonly string[]): Promise<string | undefined> {
    const at = new Date(this.#mirror.now).toISOString()
    try {
      await this.#mirror.refresh(company, name, key)
      return at
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
    if (!this.#forwards) {
      if (await this.#mirror.hasContents(company, documentId.toLowerCase())) return
      throw unavailable(`The content is still at ${company.source?.url}: read it outside a batch.`, RETRY_SECONDS)
    }
    try {
      await this.#mirror.fetchContents(company, documentId.toLowerCase(), contents)
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      throw unavailable(`The content is still at ${company.source?.url}: ${error.message}`, RETRY_SECONDS)
    }
  }

  /** Undefined where the record that was read through, or what is here, may be answered. */
  async #whileLoading(
    company: CompanyRules,
    request: ApiRequest,
    name: string,
    state: DocumentState | undefined,
  ): Promise<Reply | undefined> {
    const api = name === ARCHIVE ? 'documents' : name
    const seesAll = request.caller.rulesFor(company.id, `${api}:read`) === undefined
    if (company.source?.whileLoading === 'ask' && seesAll) return passOn(this.#mirror, company, request)
    if (state?.phase === 'absent') throw unavailable(`${name} is not mirrored: ${state.problem}`, RETRY_SECONDS)
    const { rows = 0, sourceRows = -1 } = state ?? {}
    const all = sourceRows < 0 ? '' : ` of ${sourceRows}`
    throw unavailable(
      `${name} is still being loaded from ${company.source?.url}: ${rows}${all} records are here.`,
      RETRY_SECONDS,
    )
  }
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

function placeOf({ path }: ApiRequest): Place {
  const at = /\/v\d+\/(?:objects\/)?/.exec(path)
  const [name = '', ...key] = pathIn(path.slice(at ? at.index + at[0].length : 0))
    .split('/')
    .map(decoded)
  return { name, key }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
