// A page of the feed as JSON and as lines. The texts of the changes are not read again.
import type { FeedPage } from '../feed.ts'
import type { FeedReader } from './feed-reader.ts'

export type PageFormat = 'json' | 'ndjson'

/** The text of a page after which the reader has advanced. */
export function pageText(format: PageFormat, reader: FeedReader, page: FeedPage): string {
  const changes = page.changes.map(({ json }) => json)
  const end = endOf(reader, page)
  if (format === 'json') return `${reader.head},"changes":[${changes.join(',')}],${end}}`
  return [`${reader.head}}`, ...changes, `{${end}}`, ''].join('\n')
}

/** `pending`: the numbers of the log after the page. */
function endOf(reader: FeedReader, { isAtEnd, last, next }: FeedPage): string {
  const pending = isAtEnd ? 0 : Math.max(last - next.number, 0)
  return `"next":"${reader.cursor()}","upToDate":${isAtEnd},"pending":${pending}`
}
