import type { Caller } from '../../access/caller.ts'
import type { QueryCaller } from '../../store/store.ts'

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
