// Where a record is read and written, and what has become of it.
import { filter } from '#client'
import { t } from '../words/words.ts'
import { fetchService } from './client.ts'
import { parseExact } from './exact-json.ts'
import { type DocumentInfo, type FieldInfo, itemOf, type ListInfo, versionPath } from './metadata.ts'
import { addressOf, selectItem } from './question.ts'

/** Documents whose records have no address of their own. */
const READ_ONLY = [
  'attributes',
  'audit-entries',
  'companies',
  'general-ledger-transactions',
  'value-list',
  'document-archive',
]

/** The permission that writing needs, such as `customers:update`; undefined where records are only read. */
export const permissionFor = (document: string, operation: 'create' | 'read' | 'update' | 'delete') =>
  READ_ONLY.includes(document) ? undefined : `${document}:${operation}`

/** `/v1/customers/100000`. Throws for what browsers take for steps in a path, to the address of another record. */
export function recordPath(document: string, key: readonly string[]): string {
  const step = key.find((part) => part === '.' || part === '..')
  if (step !== undefined) throw new Error(t('No record has the key {{key}}.', { key: step }))
  const name = document === 'document-archive' ? 'documents' : document
  return `${versionPath(name)}/${[name, ...key].map(encodeURIComponent).join('/')}`
}

export interface MemberChange {
  /** JSON Pointer; empty for the whole record. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface RecordChangeEntry {
  readonly number: number
  readonly time: string
  readonly userId: string
  readonly clientId?: string
  readonly operation: string
  readonly changes: readonly MemberChange[]
}

export interface History {
  readonly changes: readonly RecordChangeEntry[]
  /** Where earlier changes begin; empty at the end. */
  readonly next: string | number
}

export async function fetchHistory(
  company: string,
  document: string,
  key: readonly string[],
  before: string | number,
): Promise<History> {
  const earlier = before === '' ? '' : `&before=${before}`
  const answer = await fetchService(
    `${recordPath(document, key)}/history?companyId=${encodeURIComponent(company)}&limit=50${earlier}`,
  )
  return parseExact<History>(await answer.text())
}

/** The record with its lists, now or at an instant; undefined if there was none. */
export async function fetchRow(
  company: string,
  document: DocumentInfo,
  key: readonly string[],
  asOf: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const address = addressOf(company, {
    document: document.name,
    select: [...document.fields.map(selectItem), ...document.lists.map((list) => listSelect(document, list))].join(','),
    filter: keyFilter(document, key),
    limit: 1,
    asOf,
  })
  const answer = await fetchService(address)
  return parseExact<Record<string, unknown>[]>(await answer.text())[0]
}

/** Codes of items come with what they mean. */
function listSelect(document: DocumentInfo, list: ListInfo): string {
  const { fields, lists } = itemOf(document, list)
  if (!fields.some(({ schema }) => schema['x-erp-describable'])) return list.path
  return `${list.path}(${[...fields.map(selectItem), ...lists.map(({ path }) => path)].join(',')})`
}

/** Throws unless the key names one record: a part too few would find another one. */
export function keyFilter({ keys, fields }: DocumentInfo, key: readonly string[]): string {
  const members = keys.filter((path) => path !== 'companyId')
  if (members.length === 0 || members.length !== key.length) {
    throw new Error(t('This address names no record: its key does not fit the document.'))
  }
  return members
    .map((path, at) => {
      const field = fields.find((one) => one.path === path)
      if (!field) throw new Error(t('You may not see {{field}}, which is a part of the key.', { field: path }))
      return `${path} eq ${literalOf(field, key[at] ?? '')}`
    })
    .join(' and ')
}

const LITERALS = /^(?:-?\d+(?:\.\d+)?|true|false|\d{4}-[\w.:+-]+)$/

function literalOf({ kind }: FieldInfo, text: string): string {
  if (kind === 'text') return String(filter`${text}`)
  if (!LITERALS.test(text)) throw new Error(t('No record has the key {{key}}.', { key: text }))
  return text
}
