// The feed of changes: what has become of records since a number.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Problem } from '#client'
import { fetchJson } from './client.ts'

export interface Change {
  readonly number: number
  readonly entity: string
  readonly operation: string
  readonly key?: unknown
  readonly time?: string
  readonly at?: string
}

export interface ChangePage {
  readonly changes: readonly Change[]
  /** What the next page is since. */
  readonly next: string
}

export const NOW = 'now'
const PAGE_CHANGES = 100

/** At most a hundred changes. `waitSeconds`: how long an answer waits for the first one. */
export function fetchChanges(
  company: string,
  since: string,
  { waitSeconds = 0, signal }: { readonly waitSeconds?: number; readonly signal: AbortSignal },
): Promise<ChangePage> {
  const query = new URLSearchParams({
    companyId: company,
    since,
    limit: String(PAGE_CHANGES),
    wait: String(waitSeconds),
  })
  return fetchJson<ChangePage>(`/v1/changes?${query}`, { signal })
}

const ASKED_MS = 10_000
/** What does not change with records. */
const LASTING: ReadonlySet<unknown> = new Set(['documents', 'schema', 'followed-changes'])

/** Asks for what a page shows again when records have changed, while somebody looks at it. */
export function useLivePage(company: string): void {
  const queries = useQueryClient()
  const queryKey = [company, 'followed-changes']
  useQuery({
    queryKey,
    // A refusal stays one.
    refetchInterval: ({ state: { error } }) => (error instanceof Problem && error.status < 500 ? false : ASKED_MS),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<string> => {
      const { changes, next } = await fetchChanges(company, queries.getQueryData<string>(queryKey) ?? NOW, { signal })
      if (changes.length > 0) {
        const predicate = ({ queryKey: [, what] }: { readonly queryKey: readonly unknown[] }) => !LASTING.has(what)
        void queries.invalidateQueries({ queryKey: [company], predicate })
      }
      return changes.length < PAGE_CHANGES ? next : NOW
    },
  })
}
