// Waits for the next page of the feed. A request that waits holds nothing but a place among those who wait.

import type { ChangeService } from './change-service.ts'
import type { FeedPage } from './feed.ts'
import type { FeedReader, FeedRequester } from './feed-reader.ts'

/**
 * The page after the reader's place, which advances. When there is no change yet, waits for one: at most `waitMs`, and
 * until the client has gone or the service stops. Throws 503 when too many wait already.
 */
export async function nextPage(
  service: ChangeService,
  request: FeedRequester,
  reader: FeedReader,
  waitMs: number,
): Promise<FeedPage> {
  const until = performance.now() + waitMs
  using listening = service.signals.listen(reader.companyId)
  let page = await reader.next()
  if (!isEmpty(page)) return page
  const release = service.waits.acquireNow(request.requester.flow)
  request.leaveFlight()
  const closed = new AbortController()
  request.onClosed(() => closed.abort())
  try {
    while (isEmpty(page)) {
      const ms = until - performance.now()
      if (ms <= 0 || service.isStopping || closed.signal.aborted) return page
      const newest = await listening.after(page.last, ms, closed.signal)
      // The store closes soon.
      if (service.isStopping) return page
      await reader.renew(await request.callerNow())
      page = await reader.readWoken(newest)
      reader.advance(page)
    }
    return page
  } finally {
    release()
  }
}

/** Whether there is nothing to tell until something is written. */
function isEmpty({ changes, isAtEnd }: FeedPage): boolean {
  return changes.length === 0 && isAtEnd
}
