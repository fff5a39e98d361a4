// The changes of a company as one caller is told of them: what it may see, of the records that its filter leaves.
import type { Caller } from '../access/caller.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { QueryCaller, Store } from '../store/store.ts'
import type { Position } from './record-change.ts'

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
  readonly asker?: QueryCaller | undefined
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
  readOne(position: Position): Promise<ToldChange | undefined>
}

export interface FeedPage {
  readonly changes: readonly ToldChange[]
  /** The position after the page. */
  readonly next: Position
  readonly isAtEnd: boolean
  /** The number of the newest change of the company. */
  readonly last: number
}

export type ToldOperation = 'created' | 'updated' | 'deleted' | 'entered' | 'left'

export interface ToldChange {
  readonly position: Position
  /** The same for every reader, and in every repetition. */
  readonly id: string
  readonly entity: string
  /** The parts of the key, as a JSON array. */
  readonly recordKey: string
  readonly operation: ToldOperation
  readonly time: string
  /** The change as readers get it: a JSON object. */
  readonly json: string
}

export interface FeedParts {
  readonly store: Store
  readonly companies: Companies
  /** The Enterprise Documents that are served now. */
  readonly documents: () => Iterable<EnterpriseDocument>
}

export class ChangeFeed {
  readonly parts: FeedParts

  constructor(parts: FeedParts) {
    this.parts = parts
  }

  /** Throws 400 for unknown entities and wrong queries, and 403 for named entities that the caller may not read. */
  async open(_request: FeedRequest): Promise<OpenFeed> {
    throw new Error(`the feed of ${this.parts.companies.size} companies is not written yet`)
  }
}
