// Reads the feed for one request, page by page from the place that it names.
import type { Caller } from '../../access/caller.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { lastChangeNumber } from '../../store/change-number.ts'
import type { QueryCaller } from '../../store/store.ts'
import { ChangesGone } from '../changes-gone.ts'
import { Cursors, type LogPlace } from '../cursor.ts'
import { ALL_PARTS, type Position } from '../record-change.ts'
import type { ChangeService } from './change-service.ts'
import type { FeedPage, FeedRequest, OpenFeed } from './feed.ts'
import type { ChangeOptions } from './options.ts'

const SINCE =
  "The query option since must be 'now', a change number (of the header X-ERP-Change-Number), or the cursor 'next' of an answer to the same request."

export class FeedReader {
  readonly #service: ChangeService
  #request: FeedRequest
  readonly #limit: number
  readonly #cursors: Cursors
  #feed: OpenFeed
  #place: LogPlace

  /**
   * `isShared`: whether its reads may be those of others who wait too, so that none is given up when its client has
   * gone. Throws 400 for wrong options, 403 for entities that the caller may not read, and `ChangesGone`.
   */
  static async open(
    service: ChangeService,
    request: FeedRequester,
    options: ChangeOptions,
    isShared: boolean,
  ): Promise<FeedReader> {
    const { caller, companyId, acceptLanguage, lastEventId } = request
    const { entities, filter, select, latest, limit } = options
    const requester = { flow: request.requester.flow, onAbandoned: isShared ? () => {} : request.requester.onAbandoned }
    const requested = { caller, companyId, entities, filter, select, acceptLanguage, latest, requester }
    const feed = await service.feed.open(requested)
    const { clientId, userId } = caller
    const owner = { clientId, userId, companyId: feed.companyId, entities, filter, select, latest }
    const cursors = new Cursors(await service.cursorKey(), owner)
    const place = await placeOf(lastEventId || options.since, feed, cursors, service)
    return new FeedReader({ service, request: requested, limit, cursors, feed, place })
  }

  private constructor({ service, request, limit, cursors, feed, place }: ReaderParts) {
    this.#service = service
    this.#request = request
    this.#limit = limit
    this.#cursors = cursors
    this.#feed = feed
    this.#place = place
  }

  get companyId(): string {
    return this.#feed.companyId
  }

  /** What an answer tells of itself: a JSON object without its last bracket. */
  get head(): string {
    const { companyId, covers, notCovered } = this.#feed
    return JSON.stringify({ companyId, covers, notCovered }).slice(0, -1)
  }

  /** The cursor of the place, or of a change of the page that was read from there. */
  cursor(position?: Position): string {
    const place = position ? { ...position, base: this.#baseAt(position) } : this.#place
    return this.#cursors.write(place, this.#feed.rights)
  }

  /** The changes after the place, which stays. */
  async read(): Promise<FeedPage> {
    return this.#complete(await this.#read())
  }

  /** The same; the place is then after them. */
  async next(): Promise<FeedPage> {
    const page = await this.read()
    this.advance(page)
    return page
  }

  /** The changes after the place up to the newest one at least, read together with the others who waited for it. */
  async readWoken(newest: number): Promise<FeedPage> {
    const { caller, requester: _, ...question } = this.#request
    const key = JSON.stringify([question, caller.rights, this.#feed.rights, this.#limit, this.#place, newest])
    return this.#complete(await this.#service.readShared(key, () => this.#read(newest)))
  }

  /** The next page is read from after this one. */
  advance({ next, isAtEnd }: FeedPage): void {
    this.#place = { ...next, base: isAtEnd ? next.number : this.#baseAt(next) }
  }

  /** Goes on with the same caller under the rights that it has now. Throws `ChangesGone` if they have changed. */
  async renew(caller: Caller): Promise<void> {
    if (caller === this.#request.caller) return
    const request = { ...this.#request, caller }
    const feed = await this.#service.feed.open(request)
    if (feed.rights !== this.#feed.rights) throw new ChangesGone(feed.covers)
    this.#request = request
    this.#feed = feed
  }

  /** A replica that does not have the place yet would be taken for a log that was replaced. */
  #read(newest = 0): Promise<FeedPage> {
    const { number, part, base } = this.#place
    return this.#service.readWith(Math.max(number, newest), () =>
      this.#feed.read({ number, part }, this.#limit, this.#request.latest ? base : undefined),
    )
  }

  /** A place beyond the end is one of a log that was replaced by an older backup. */
  #complete(page: FeedPage): FeedPage {
    if (this.#place.number > page.last) throw new ChangesGone(this.#feed.covers)
    return page
  }

  #baseAt({ number }: Position): number {
    return this.#request.latest ? this.#place.base : number
  }
}

interface ReaderParts {
  readonly service: ChangeService
  readonly request: FeedRequest
  readonly limit: number
  readonly cursors: Cursors
  readonly feed: OpenFeed
  readonly place: LogPlace
}

async function placeOf(
  since: string | undefined,
  { companyId, rights, covers }: OpenFeed,
  cursors: Cursors,
  { store }: ChangeService,
): Promise<LogPlace> {
  if (since === undefined) throw invalidOption(SINCE)
  if (since.toLowerCase() === 'now') return after(await lastChangeNumber(store.reading(companyId)))
  if (/^\d{1,16}$/.test(since) && Number.isSafeInteger(Number(since))) return after(Number(since))
  const cursor = cursors.read(since)
  if (!cursor) throw invalidOption(SINCE)
  if (!cursor.hasRights(rights)) throw new ChangesGone(covers)
  return cursor
}

function after(number: number): LogPlace {
  return { number, part: ALL_PARTS, base: number }
}

/** Who asks for changes: a request, as far as the feed needs to know it. */
export interface FeedRequester {
  readonly caller: Caller
  readonly companyId: string
  readonly acceptLanguage: string | undefined
  /** The cursor of the last event that a client of a stream has got. */
  readonly lastEventId: string | undefined
  readonly requester: QueryCaller
  /** The caller as it is now. Throws when it may no longer ask. */
  callerNow(): Promise<Caller>
  /** Called before it waits. */
  leaveFlight(): void
  onClosed(listener: () => void): void
}
