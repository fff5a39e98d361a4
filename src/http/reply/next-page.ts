import type { QueryPairs } from '../query-string.ts'

/** Headers for a request without a limit whose list was truncated: that there is more, and its URL (decision 6). */
export function truncated(path: string, query: QueryPairs, nextOffset: number): Record<string, string> {
  const others = query.filter(([name]) => !/^\$?(offset|skip)$/i.test(name))
  const next = new URLSearchParams([
    ...others.map(([name, value]): [string, string] => [name, value]),
    ['$offset', String(nextOffset)],
  ])
  return { link: `<${path}?${next}>; rel="next"`, 'x-erp-truncated': 'true' }
}
