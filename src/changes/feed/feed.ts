// The changes of a company as one caller is told of them: what it may see, of the records that its filter leaves.
import type { Caller } from '../../access/caller.ts'
import { Steps } from '../../base/concurrency/steps.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { languagesOf } from '../../query/collection-format.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { INTERNAL_CALLER, type QueryCaller, type Store } from '../../store/store.ts'
import { queryAbandoned } from '../../store/store-fault.ts'
import { ChangesGone } from '../changes-gone.ts'
import { inSteps, type LogSource } from '../log-source.ts'
import type { LongWork } from '../long-work.ts'
import { readChangeAt, readChanges } from '../read-changes.ts'
import type { Position, RecordChange } from '../record-change.ts'
import { type EntityView, entityView } from './entity-view.ts'
import { type FeedEntities, feedEntities, hashOfRights } from './feed-entities.ts'
import { NewestStates } from './newest-states.ts'
import type { VisibleChange } from './visible-change.ts'
import { visibleChanges } from './visible-changes.ts'

export interface FeedRequest {
  readonly caller: Caller
  readonly companyId: string
  /** Default: all that the caller may read. */
  readonly entities?: readonly string[] | undefined
  /** In the query language; valid for every named entity. */
  readonly filter?: string | undefined
  readonly select?: string | undefined
  readonly acceptLanguage?: string | undefined
  /** Whether only the newest state of each record is told. */
  readonly latest?: boolean | undefined
  /** Default: the service itself. */
  readonly requester?: QueryCaller | undefined
}

export interface OpenFeed {
  readonly companyId: string
  /** The entities that it tells of. */
  readonly covers: readonly string[]
  /** The Enterprise Documents that the caller may read and no feed covers. */
  readonly notCovered: readonly string[]
  /** A hash of what the caller may see of the entities: positions are of no use when it has changed. */
  readonly rights: string
  /**
   * The changes after a position, at most `limit`. `base`: the number from which the newest states are told, with
   * `latest`; by default that of the position. Throws `ChangesGone` when not all of them are kept.
   */
  read(from: Position, limit: number, base?: number): Promise<FeedPage>
  /** The change at a position; undefined when the caller is not told of it, or when it is gone. */
  readOne(position: Position): Promise<VisibleChange | undefined>
}

export interface FeedPage {
  readonly changes: readonly VisibleChange[]
  /** The position after the page. */
  readonly next: Position
  readonly isAtEnd: boolean
  /** The number of the newest change of the company. */
  readonly last: number
}

export interface FeedParts {
  readonly store: Store
  readonly companies: Companies
  /** The Enterprise Documents that are served now. */
  readonly documents: () => Iterable<EnterpriseDocument>
  readonly work: LongWork
}

export class ChangeFeed {
  readonly #parts: FeedParts

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** Throws 400 for unknown entities and wrong queries, and 403 for named entities that the caller may not read. */
  async open(request: FeedRequest): Promise<OpenFeed> {
    const { store, companies, documents, work } = this.#parts
    const { caller, filter, select, acceptLanguage } = request
    const company = companies.require(request.companyId)
    const entities = feedEntities([...documents()], caller, company, request.entities)
    const language = company.valueLists.languageFor(languagesOf(acceptLanguage))
    const views = entities.covered.map(({ kind, document, rules }) =>
      entityView(kind, document, company, rules, { filter, select, language }),
    )
    return new CallerFeed({ store, work }, company, entities, views, request)
  }
}

/** So much of the log is looked at for one page, however little of it is told. */
const PAGE_LOOKS = { changes: 8_000, numbers: 100_000 }
/** A page with something to go on with ends after so long, in milliseconds: requests have a deadline. */
const PAGE_MS = 5_000
/** Records that are told with up to a thousand lines each are asked for a few at a time, to end the page in between. */
const WITH_LINES_AT_ONCE = 20
/** Read at once where little is told. Finding out whether a change is the newest of its record takes longer. */
const MOST_AT_ONCE = { all: 4_000, latest: 200 }
/** Characters of what is told, after which a page ends. */
const PAGE_LENGTH = 16 * 1024 * 1024

class CallerFeed implements OpenFeed {
  readonly companyId: string
  readonly covers: readonly string[]
  readonly notCovered: readonly string[]
  readonly rights: string
  readonly #store: Store
  readonly #work: LongWork
  readonly #company: CompanyRules
  readonly #views: ReadonlyMap<string, EntityView>
  readonly #isLatest: boolean
  readonly #requester: QueryCaller

  constructor(
    { store, work }: Pick<FeedParts, 'store' | 'work'>,
    company: CompanyRules,
    entities: FeedEntities,
    views: readonly EntityView[],
    { latest = false, requester = internalCaller(company.id) }: FeedRequest,
  ) {
    this.companyId = company.id
    this.covers = views.map(({ kind }) => kind.name)
    this.notCovered = entities.notCovered
    this.rights = hashOfRights(entities.covered)
    this.#store = store
    this.#work = work
    this.#company = company
    this.#views = new Map(views.map((view) => [view.kind.name, view]))
    this.#isLatest = latest
    this.#requester = requester
  }

  read(from: Position, limit: number, base = from.number): Promise<FeedPage> {
    return this.#naming(() => this.#work.run(this.#requester, (steps) => this.#readInSteps(steps, from, limit, base)))
  }

  async #readInSteps(steps: Steps, from: Position, limit: number, base: number): Promise<FeedPage> {
    const source = inSteps(this.#store, steps)
    const newest = this.#isLatest ? new NewestStates(source, this.#company, this.#kinds) : undefined
    const mostAtOnce = this.#isLatest ? MOST_AT_ONCE.latest : MOST_AT_ONCE.all
    const until = performance.now() + PAGE_MS
    const changes: VisibleChange[] = []
    let [next, looks, length] = [from, 0, 0]
    for (;;) {
      // Where little is told, reads become longer, because each takes something by itself.
      const atOnce = Math.max(limit - changes.length, Math.min(looks, mostAtOnce))
      const page = await readChanges(source, this.#company, next, atOnce, this.#kinds)
      const wanted = newest ? await newest.of(page.changes, base) : page.changes
      const { last } = page
      for (const [start, some] of this.#inParts(wanted)) {
        const told = await this.#visibleChanges(source, some)
        const taken = told.slice(0, limit - changes.length)
        for (const change of taken) {
          changes.push(change)
          length += change.json.length
        }
        const isMore = start + some.length < wanted.length && (length > PAGE_LENGTH || changes.length === limit)
        const end = taken.length < told.length ? taken.at(-1)?.position : isMore ? some.at(-1) : undefined
        if (end) return { changes, next: { number: end.number, part: end.part }, isAtEnd: false, last }
      }
      next = page.next
      looks += page.changes.length
      const isEnough = looks >= PAGE_LOOKS.changes || next.number - from.number >= PAGE_LOOKS.numbers
      const isLong = length > PAGE_LENGTH || performance.now() > until
      // A nearly full page is not filled with small reads.
      if (page.isAtEnd || isEnough || isLong || changes.length >= limit / 2)
        return { changes, next, isAtEnd: page.isAtEnd, last }
    }
  }

  /** With the place of each part. */
  *#inParts(changes: readonly RecordChange[]): Generator<readonly [number, readonly RecordChange[]]> {
    const hasLines = this.#views.values().some(({ members }) => members?.hasLines)
    const size = hasLines ? WITH_LINES_AT_ONCE : Math.max(changes.length, 1)
    for (let start = 0; start < changes.length; start += size) yield [start, changes.slice(start, start + size)]
  }

  readOne(position: Position): Promise<VisibleChange | undefined> {
    return undefinedIfGone(async () => {
      const source = inSteps(this.#store, new Steps(this.#requester.onAbandoned, queryAbandoned))
      const change = await readChangeAt(source, this.#company, position, this.#kinds)
      return change && (await this.#visibleChanges(source, [change]))[0]
    })
  }

  get #kinds(): readonly JournaledKind[] {
    return [...this.#views.values()].map(({ kind }) => kind)
  }

  #visibleChanges(store: LogSource, changes: readonly RecordChange[]): Promise<VisibleChange[]> {
    const source = { store, company: this.#company, companyId: this.companyId, requester: this.#requester }
    return visibleChanges(source, changes, ({ kind }) => {
      const view = this.#views.get(kind.name)
      if (!view) throw new Error(`a change of ${kind.name} was read that nobody asked for`)
      return view
    })
  }

  /** Names all entities of the feed to a reader that has to start over. */
  async #naming<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof ChangesGone ? new ChangesGone(this.covers) : error
    }
  }
}

/** The service itself, which reads for each company in its turn. */
function internalCaller(companyId: string): QueryCaller {
  return { ...INTERNAL_CALLER, flow: { group: companyId, member: '' } }
}

async function undefinedIfGone<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChangesGone) return undefined
    throw error
  }
}
