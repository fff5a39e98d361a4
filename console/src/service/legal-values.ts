// Where the legal values of a code stand, and what they mean: in a value list, among the values of an attribute, or as
// the records of another document.
import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, filter } from '#client'
import { languageOfTag } from '../words/words.ts'
import { fetchJson } from './client.ts'
import { documentQuery, type FieldInfo } from './metadata.ts'
import { wantedLanguages } from './preferences.ts'
import { addressOf, selectItem, valueIn } from './question.ts'
import { useCompany, useService } from './session.ts'

const OFFERED = 20
const KEPT_MS = 60_000
/** So many codes fit an address. */
const MOST_ASKED = 200

/** One of them. */
export interface ValueSource {
  /** Name of a value list. */
  readonly list?: string | undefined
  /** Code -> what it means, where the service itself has the codes. */
  readonly titles?: Readonly<Record<string, string>> | undefined
  /** What the list is called, and what it means; empty where the setup does not say it. */
  readonly words?: string
  readonly attributeId?: string | undefined
  /** A document, and the name of its key. */
  readonly reference?: { readonly document: string; readonly key: string } | undefined
}

export interface Offer {
  readonly code: string
  /** Empty where nothing tells what the code means. */
  readonly name: string
}

/** Undefined where any value may be. */
export function sourceOf({ schema }: Pick<FieldInfo, 'schema'>): ValueSource | undefined {
  const { valueList: list, title, description } = schema['x-erp-valueList'] ?? {}
  const words = [title, description].filter((text) => text !== undefined).join(': ')
  // Where it is empty, another member says of which attribute it is a value.
  const attributeId = schema['x-erp-attribute']?.attributeId || undefined
  const reference = schema['x-erp-reference']
  const titles = schema['x-erp-codeTitles']
  if (list === undefined && attributeId === undefined && !reference && !titles) return undefined
  return { list, words, titles, attributeId, reference }
}

const quoted = (text: string): string => String(filter`${text}`)

/** Those that begin with what is typed, and then those whose names contain it. */
export function useOffers(source: ValueSource, typed: string, enabled: boolean): readonly Offer[] {
  const lookUp = useLookUp()
  const { id: company } = useCompany()
  const { data = [] } = useQuery({
    queryKey: [company, 'offers', source, typed],
    enabled,
    staleTime: KEPT_MS,
    // An arrow and Enter take what is offered, also while the next letter is looked up.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => lookUp(source, { typed }, { limit: OFFERED, signal }),
  })
  const begins = ({ code }: Offer) => code.toLowerCase().startsWith(typed.toLowerCase())
  return [...data.filter(begins), ...data.filter((one) => !begins(one))]
}

export interface CodesOf {
  readonly source: ValueSource
  readonly codes: readonly string[]
  /** Where rows have the codes: they tell the texts to who may not read the list. */
  readonly rows?: { readonly document: string; readonly field: FieldInfo } | undefined
}

/** What codes mean, for each source in its place. Those that nothing is known of are left out. */
export function useCodeNames(wanted: readonly CodesOf[]): readonly ReadonlyMap<string, string>[] {
  const lookUp = useLookUp()
  const { id: company } = useCompany()
  return useQueries({
    queries: wanted.map(({ source, codes, rows }) => ({
      queryKey: [company, 'code-names', source, codes, rows?.document, rows?.field.path],
      enabled: codes.length > 0,
      staleTime: KEPT_MS,
      retry: false,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const listed = Promise.all(
          Array.from({ length: Math.ceil(codes.length / MOST_ASKED) }, (_, part) => {
            const some = codes.slice(part * MOST_ASKED, (part + 1) * MOST_ASKED)
            return lookUp(source, { codes: some }, { limit: some.length, signal })
          }),
        ).then((parts) => parts.flat())
        return rows ? listed.catch(() => offersIn(company, rows, codes, signal)) : listed
      },
    })),
    combine: (answers) => answers.map(({ data = [] }) => new Map(data.map(({ code, name }) => [code, name]))),
  })
}

/** What the first row with each code says of it. */
async function offersIn(
  company: string,
  { document, field }: NonNullable<CodesOf['rows']>,
  codes: readonly string[],
  signal: AbortSignal,
): Promise<Offer[]> {
  const select = selectItem(field)
  const offers = codes.map(async (code): Promise<Offer | undefined> => {
    const filter = `${field.path} eq ${field.kind === 'text' ? quoted(code) : code}`
    const [row] = await fetchJson<unknown[]>(addressOf(company, { document, select, filter, limit: 1 }), { signal })
    const { description } = valueIn(row, field)
    return description === undefined ? undefined : { code, name: description }
  })
  return (await Promise.all(offers)).filter((one) => one !== undefined)
}

interface Asked {
  readonly limit: number
  readonly signal: AbortSignal
}

/** Codes that begin so, or whose names contain it; or these codes. */
type Wanted = { readonly typed: string } | { readonly codes: readonly string[] }

function conditionOf(wanted: Wanted, code: string, name: string | undefined): string {
  if ('codes' in wanted) return `${code} in (${wanted.codes.map(quoted).join(',')})`
  const typed = quoted(wanted.typed)
  const begins = `startswith(${code},${typed})`
  return name === undefined ? begins : `${begins} or contains(${name},${typed})`
}

function isWanted({ code, name }: Offer, wanted: Wanted): boolean {
  if ('codes' in wanted) return wanted.codes.includes(code)
  const typed = wanted.typed.toLowerCase()
  return code.toLowerCase().startsWith(typed) || name.toLowerCase().includes(typed)
}

function useLookUp() {
  const { id: company } = useCompany()
  const service = useService()
  const queries = useQueryClient()
  return async (source: ValueSource, wanted: Wanted, asked: Asked): Promise<readonly Offer[]> => {
    const { list, titles, attributeId = '', reference } = source
    if (reference) return recordsWhere(company, queries, reference, wanted, asked)
    if (list === undefined && !titles) return valuesWhere(service, attributeId, wanted, asked)
    const offers = titles
      ? Object.entries(titles).map(([code, name]) => ({ code, name }))
      : await queries.fetchQuery({
          queryKey: [company, 'value-list', list],
          staleTime: KEPT_MS,
          queryFn: () => offersOf(service, list ?? ''),
        })
    return offers.filter((one) => isWanted(one, wanted)).slice(0, asked.limit)
  }
}

/** A setup has the codes, each in one language or several. */
const MOST_IN_LIST = 10_000

/** The codes of a list, each in the language of the reader, or else in English, or else in any. */
async function offersOf(service: Client, list: string): Promise<readonly Offer[]> {
  const rows = await service.objects['value-list']?.list({
    select: 'description,language,title',
    orderBy: 'description',
    filter: `name eq ${quoted(list)}`,
    limit: MOST_IN_LIST,
  })
  const languages = [...wantedLanguages().split(','), 'en'].map(languageOfTag)
  const rank = ({ language }: { readonly language?: unknown }) => {
    const at = languages.indexOf(languageOfTag(String(language)))
    return at < 0 ? languages.length : at
  }
  const best = Map.groupBy(rows ?? [], ({ description }) => String(description))
  return [...best].map(([code, titled]) => ({
    code,
    name: String(titled.toSorted((one, other) => rank(one) - rank(other))[0]?.title ?? ''),
  }))
}

async function valuesWhere(service: Client, attributeId: string, wanted: Wanted, asked: Asked): Promise<Offer[]> {
  const rows = await service.valuesOf(attributeId).list({
    select: 'attributeValue,description',
    filter: conditionOf(wanted, 'attributeValue', 'description'),
    ...asked,
  })
  return rows.map(({ attributeValue, description }) => ({ code: String(attributeValue), name: String(description) }))
}

/** What people call a record: its description, title or subject, or else the first name in it. */
export const nameAmong = (names: readonly string[]): string | undefined =>
  names.find((name) => /^(?:description|title|subject)$/i.test(name)) ?? names.find((name) => /name$/i.test(name))

/** What people call this record; empty if it has no name. */
export function nameIn(record: Readonly<Record<string, unknown>> | null | undefined): string {
  const filled = Object.keys(record ?? {}).filter((member) => record?.[member] !== '')
  const name = record?.[nameAmong(filled) ?? '']
  return typeof name === 'string' ? name : ''
}

async function recordsWhere(
  company: string,
  queries: QueryClient,
  { document, key }: NonNullable<ValueSource['reference']>,
  wanted: Wanted,
  { limit, signal }: Asked,
): Promise<Offer[]> {
  const { fields } = await queries.ensureQueryData(documentQuery(company, document))
  const name = nameAmong(
    fields.filter(({ kind, names }) => kind === 'text' && names.length === 1).map(({ path }) => path),
  )
  const rows = await fetchJson<Record<string, unknown>[]>(
    addressOf(company, {
      document,
      select: [key, ...(name === undefined ? [] : [name])].join(','),
      filter: conditionOf(wanted, key, name),
      limit,
    }),
    { signal },
  )
  return rows.map((row) => ({ code: String(row[key]), name: name === undefined ? '' : String(row[name] ?? '') }))
}
