// A question to an object endpoint, and its address.
import { type Association, type DocumentInfo, type FieldInfo, requiredParameters, versionPath } from './metadata.ts'

export interface Question {
  readonly document: string
  readonly select?: string | undefined
  readonly filter?: string | undefined
  readonly orderBy?: string | undefined
  readonly groupBy?: string | undefined
  readonly aggregate?: string | undefined
  readonly having?: string | undefined
  readonly validAt?: string | undefined
  readonly asOf?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

const OPTIONS = {
  select: '$select',
  filter: '$filter',
  orderBy: '$orderby',
  groupBy: '$groupby',
  aggregate: '$aggregate',
  having: '$having',
  validAt: '$validAt',
  asOf: '$asOf',
  limit: '$limit',
  offset: '$offset',
} as const

/** The path and query, from the service's root. */
export function addressOf(company: string, question: Question): string {
  const pairs = Object.entries(OPTIONS).flatMap(([member, option]) => {
    const value = question[member as keyof typeof OPTIONS]
    return value === undefined || value === '' ? [] : [`${option}=${readable(String(value))}`]
  })
  const query = [`companyId=${readable(company)}`, ...pairs].join('&')
  const { document } = question
  return `${versionPath(document)}/objects/${encodeURIComponent(document)}?${query}${requiredParameters(document)}`
}

/** Only what an address cannot hold is encoded, so that people can read it. */
const readable = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:24|2C|2F|3A|5B|5D|3B|40)/g, (code) => decodeURIComponent(code))

/** The question of an address that was pasted; undefined if it is none of an object endpoint. */
export function questionIn(text: string): { question: Question; company: string | undefined } | undefined {
  // In a command line the address stands in quotes.
  const [, quoted = text.trim()] = /(?:^|\s)'((?:https?:|\/)[^']*)'/.exec(text) ?? []
  const [, document, query = ''] = /\/v\d+\/objects\/([^/?#\s]+)(?:\?([^\n#]*))?/.exec(quoted) ?? []
  if (document === undefined) return undefined
  const given = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]))
  const found = Object.entries(OPTIONS).flatMap(([member, option]) => {
    const value = given.get(option.toLowerCase())
    return value === undefined ? [] : [[member, member === 'limit' || member === 'offset' ? Number(value) : value]]
  })
  return { question: { document, ...Object.fromEntries(found) }, company: given.get('companyid') }
}

/** The item of a select for a field, with the text of its code. */
export const selectItem = ({ path, schema }: FieldInfo): string => (schema['x-erp-describable'] ? `${path}[C;T]` : path)

/** The fields of the select of a grid: the key is always there, and that of each associated record that is shown. */
export function selectOf({ fields }: DocumentInfo, shown: readonly FieldInfo[]): string {
  const shownIn = new Set(shown.flatMap(({ association }) => keyPathsOf(association)))
  const keys = fields.filter(({ isKey, path }) => isKey || shownIn.has(path))
  return [...new Set([...keys, ...shown])].map(selectItem).join(',')
}

const keyPathsOf = (association: Association | undefined): string[] =>
  association?.keys.map((key) => [...association.names, key].join('/')) ?? []

/** The key of the associated record in a row; undefined where there is none. */
export function associatedKey(row: unknown, { names, keys }: Association): string[] | undefined {
  const key = keys.map((name) => String(memberAt(row, [...names, name]) ?? ''))
  return key.length === 0 || key.includes('') ? undefined : key
}

/** The value of a field in a row, and what its code means. */
export function valueIn(
  row: unknown,
  { names, schema }: FieldInfo,
): { value: unknown; description: string | undefined } {
  const above = memberAt(row, names.slice(0, -1))
  const name = names.at(-1) ?? ''
  const value = memberOf(above, name)
  const description = memberOf(above, `${name}(description)`) ?? schema['x-erp-codeTitles']?.[String(value)]
  return { value, description: typeof description === 'string' ? description : undefined }
}

/** What stands in a row under these names, each within the one before it. */
export const memberAt = (row: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((object, name) => memberOf(object, name), row)

function memberOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined
}
