// A company that fills itself from an ERP system: how fresh each of its documents is.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { languageOfWords, t } from '../words/words.ts'
import { fetchJson } from './client.ts'
import { useCompany } from './session.ts'

export interface MirroredDocument {
  readonly name: string
  /** `absent`: the source does not show it. */
  readonly phase: 'loading' | 'following' | 'absent'
  readonly rows: number
  /** Absent: the source has not told. */
  readonly sourceRows?: number
  readonly asOf?: string
  readonly ageSeconds?: number
  /** The last complete look for removed records. */
  readonly sweptAt?: string
  /** Records with something that could not be kept as it came. */
  readonly misfits: number
  /** Empty: nothing is wrong. */
  readonly problem: string
}

export interface Mirror {
  readonly url: string
  readonly writes: 'refuse' | 'forward'
  /** Absent while nothing fills the company. */
  readonly quota?: {
    readonly requests: number
    readonly requestsAllowed: number
    readonly bytes: number
    readonly bytesAllowed: number
  }
  readonly documents: readonly MirroredDocument[]
}

/** Where the records of a company come from, and whether they are written here. */
export type CompanySource = Pick<Mirror, 'url' | 'writes'>

/** What is wrong with a record: an empty member stands for all of it. */
export interface Misfit {
  readonly key: readonly (string | number)[]
  readonly findings: readonly { readonly member: string; readonly message: string }[]
}

const REFRESH_MS = 10_000
const LOADING_REFRESH_MS = 2_000

export const mirrorQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'mirror'],
    queryFn: () => fetchJson<Mirror>(`/v1/mirror?companyId=${encodeURIComponent(company)}`),
    refetchInterval: ({ state: { data } }) =>
      data?.documents.some(({ phase }) => phase === 'loading') ? LOADING_REFRESH_MS : REFRESH_MS,
  })

export const misfitsQuery = (company: string, document: string) =>
  queryOptions({
    queryKey: [company, 'misfits', document],
    queryFn: () =>
      fetchJson<Misfit[]>(`/v1/mirror/${encodeURIComponent(document)}?companyId=${encodeURIComponent(company)}`),
  })

/** The mirror that the company in the address is; undefined where it is none, and until it is known. */
export function useMirror(): Mirror | undefined {
  const { id, source } = useCompany()
  return useQuery({ ...mirrorQuery(id), enabled: source !== undefined }).data
}

export const useMirrored = (document: string): MirroredDocument | undefined =>
  useMirror()?.documents.find(({ name }) => name === document)

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
const JUST_NOW_SECONDS = 5

/** Such as `2 minutes ago`. */
export function agoText(seconds: number): string {
  if (seconds < JUST_NOW_SECONDS) return t('just now')
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(languageOfWords()).format(-Math.floor(seconds / length), unit)
}
