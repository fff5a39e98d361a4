// The rows that can be seen, read in windows as they come into view.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import { addressOf, type Question } from '../../service/question.ts'

export const WINDOW = 200
/** Windows that are not seen are forgotten. */
const KEPT_MS = 60_000

export type Row = Readonly<Record<string, unknown>>

/** How many rows the filter leaves. */
export function useCount(company: string, question: Question) {
  const { select: _select, orderBy: _orderBy, ...counted } = question
  const address = addressOf(company, counted)
  return useQuery({
    queryKey: [company, 'count', address],
    queryFn: async ({ signal }) => {
      const answer = await fetchService(address, { method: 'HEAD', signal }).catch(async (problem: unknown) => {
        // An answer to HEAD says that something is wrong; only one to GET says what.
        await fetchService(addressOf(company, { ...counted, limit: 1 }), { signal })
        throw problem
      })
      return Number(answer.headers.get('x-erp-total-count'))
    },
    placeholderData: keepPreviousData,
  })
}

/** The rows by their place; those that are still to come are undefined. */
export function useWindows(company: string, question: Question, from: number, to: number) {
  const first = Math.floor(from / WINDOW)
  const numbers = Array.from({ length: Math.max(0, Math.floor(to / WINDOW) - first + 1) }, (_, index) => first + index)
  const windows = useQueries({
    queries: numbers.map((number) => {
      const address = addressOf(company, { ...question, offset: number * WINDOW, limit: WINDOW })
      return {
        queryKey: [company, 'rows', address],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          parseExact<Row[]>(await (await fetchService(address, { signal })).text()),
        gcTime: KEPT_MS,
      }
    }),
  })
  const error = windows.find((window) => window.error)?.error ?? null
  const rowAt = (place: number): Row | undefined => windows[Math.floor(place / WINDOW) - first]?.data?.[place % WINDOW]
  return { rowAt, error }
}
