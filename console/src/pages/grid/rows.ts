// The rows that can be seen, read in windows as they come into view.
import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { addressOf, type Question, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'

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

/** The sums of all rows that the filter leaves, by path; undefined until they are there, a dash where there are none. */
export function useSums(company: string, question: Question, paths: readonly string[]) {
  const aggregate = paths.map((path, at) => `sum(${path}) as sum${at}`).join(',')
  const address = addressOf(company, { document: question.document, filter: question.filter, aggregate })
  const { data, error } = useQuery({
    queryKey: [company, 'sums', address],
    enabled: paths.length > 0,
    queryFn: async ({ signal }) =>
      parseExact<Record<string, unknown>[]>(await (await fetchService(address, { signal })).text())[0] ?? {},
  })
  return (path: string): string | undefined => {
    if (error) return '–'
    return data && String(data[`sum${paths.indexOf(path)}`] ?? '–')
  }
}

/** The rows by their place; those that are still to come are undefined. */
/** `isPassing`: the rows are scrolled just now, and may be out of sight again at once. */
export function useWindows(company: string, question: Question, from: number, to: number, isPassing: boolean) {
  const queries = useQueryClient()
  const first = Math.floor(from / WINDOW)
  const numbers = Array.from({ length: Math.max(0, Math.floor(to / WINDOW) - first + 1) }, (_, index) => first + index)
  const queryOf = (number: number, isLate: boolean) => {
    const address = addressOf(company, { ...question, offset: number * WINDOW, limit: WINDOW })
    return {
      queryKey: [company, 'rows', address],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        if (isLate) await linger(signal)
        return parseExact<Row[]>(await (await fetchService(address, { signal })).text())
      },
      gcTime: KEPT_MS,
    }
  }
  const windows = useQueries({ queries: numbers.map((number) => queryOf(number, isPassing)) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another window is seen
  useEffect(() => forgetWindows(queries, company), [queries, company, first])
  const error = windows.find((window) => window.error)?.error ?? null
  const rowAt = (place: number): Row | undefined => windows[Math.floor(place / WINDOW) - first]?.data?.[place % WINDOW]
  /** All from one place to another, also those that are not seen. */
  const rowsBetween = async (start: number, end: number): Promise<readonly Row[]> => {
    const one = Math.floor(start / WINDOW)
    const all = Array.from({ length: Math.floor(end / WINDOW) - one + 1 }, (_, index) =>
      queries.fetchQuery({ ...queryOf(one + index, false), staleTime: KEPT_MS }),
    )
    return (await Promise.all(all)).flat().slice(start - one * WINDOW, end - one * WINDOW + 1)
  }
  return { rowAt, rowsBetween, error }
}

/** What is passed faster is not asked for. */
const LINGER_MS = 100

function linger(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, LINGER_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Windows that are kept, however far one scrolls in a minute. */
const MOST_WINDOWS = 40

/** Forgets those that were seen longest ago. */
function forgetWindows(queries: QueryClient, company: string): void {
  const cache = queries.getQueryCache()
  const left = cache.findAll({ queryKey: [company, 'rows'], type: 'inactive' })
  const oldestFirst = left.toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
  for (const query of oldestFirst.slice(0, Math.max(0, left.length - MOST_WINDOWS))) cache.remove(query)
}

/** The fields of the key without the company; none where the document has no key, or not all of it. */
export function keyFields({ keys, fields }: Pick<DocumentInfo, 'keys' | 'fields'>): readonly FieldInfo[] {
  const parts = keys.filter((path) => path !== 'companyId').map((path) => fields.find((field) => field.path === path))
  return parts.every((part) => part !== undefined) ? parts : []
}

export const keyOf = (parts: readonly FieldInfo[], row: Row): string[] =>
  parts.map((field) => String(valueIn(row, field).value ?? ''))

/** As an address has it; undefined where the document has none. */
function keyTextOf(document: DocumentInfo, row: Row): string | undefined {
  const parts = keyFields(document)
  return parts.length === 0 ? undefined : recordKeyText(keyOf(parts, row))
}

/** As many rows are printed or copied. */
export const MOST_READ = 5_000

/** The first rows, of one moment. */
export async function readRows(company: string, question: Question): Promise<readonly Row[]> {
  return parseExact<Row[]>(await (await fetchService(addressOf(company, { ...question, limit: MOST_READ }))).text())
}

export type PageOfRow =
  | { to: '/$company/voucher/$document/$number'; params: { company: string; document: string; number: string } }
  | { to: '/$company/record/$document/$key'; params: { company: string; document: string; key: string } }

/** The page that a row leads to: that of its voucher, or of the record; undefined where it has none. */
export function pageOf(company: string, document: DocumentInfo, row: Row): PageOfRow | undefined {
  const voucher = document.record['x-erp-voucher']?.number
  const number = document.fields.find(({ path }) => path === voucher)
  if (number) {
    const params = { company, document: document.name, number: String(valueIn(row, number).value ?? '') }
    return { to: '/$company/voucher/$document/$number', params }
  }
  const key = keyTextOf(document, row)
  const params = { company, document: document.name, key: key ?? '' }
  return key === undefined ? undefined : { to: '/$company/record/$document/$key', params }
}
