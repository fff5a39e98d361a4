// Rows that are read, checked, stored and taken back by the service, as the page of imports shows them.
import type { BatchOperation, Client, RejectedRow } from '#client'
import { fetchJson } from './client.ts'
import { versionPath } from './metadata.ts'

/** What the service has found in a file. */
export interface FilePreview {
  readonly readWith: ReadWith
  /** What the file leaves in doubt. */
  readonly message: string
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly columns: readonly ImportColumn[]
  /** The attributes whose missing codes the person may have added. */
  readonly addableCodes: readonly string[]
}

export interface ReadWith {
  readonly encoding: string
  readonly separator: string
  readonly decimal: string
  readonly dates: string
}

export interface ImportColumn {
  readonly path: string
  readonly isRequired: boolean
  /** The heading that probably means it. */
  readonly heading: string
}

/** What the person says of the file, instead of having it found; empty as found. */
export type Reading = Readonly<Record<'encoding' | 'separator' | 'decimal' | 'dates', string>>

export const AS_FOUND: Reading = { encoding: '', separator: '', decimal: '', dates: '' }

const batchPath = (document: string): string => `${versionPath(document)}/${encodeURIComponent(document)}/batch`

function queryOf(values: Readonly<Record<string, string>>): string {
  return String(new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')))
}

export function previewFile(company: string, document: string, file: Blob, reading: Reading): Promise<FilePreview> {
  return fetchJson(`${batchPath(document)}/preview?${queryOf({ companyId: company, ...reading })}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: file,
  })
}

export interface SentRows {
  readonly csv: string
  readonly map: string
  readonly reading: Reading
  readonly validateOnly: boolean
  readonly update: boolean
  readonly keepIds: boolean
  readonly addCodes: readonly string[]
}

export interface ImportOperation extends BatchOperation {
  readonly readWith: ReadWith
  readonly update: boolean
  /** Whether its rows are changes of records that exist. */
  readonly patch: boolean
  readonly validateOnly: boolean
  readonly userId: string
}

/** Begins a batch operation. */
function sendRows(company: string, document: string, sent: SentRows): Promise<BatchOperation> {
  const { csv, map, reading, validateOnly, update, keepIds, addCodes } = sent
  const body = new FormData()
  body.append('rows', new Blob([csv], { type: 'text/csv' }))
  body.append('map', new Blob([map], { type: 'application/yaml' }))
  const flags = { validateOnly, update, keepIds }
  const query = queryOf({
    companyId: company,
    ...reading,
    encoding: 'utf-8',
    addCodes: addCodes.join(','),
    ...Object.fromEntries(Object.entries(flags).map(([name, is]) => [name, is ? 'true' : ''])),
  })
  return fetchJson(`${batchPath(document)}?${query}`, { method: 'POST', body })
}

export interface RowsDone {
  readonly operation: ImportOperation
  readonly rejected: readonly RejectedRow[]
}

const LOOK_MS = 250

/** Sends rows and waits for their end. Throws for those that could not be read at all. */
export async function runRows(
  service: Client,
  company: string,
  document: string,
  sent: SentRows,
  onProgress: (line: number) => void,
): Promise<RowsDone> {
  return ended(service, await sendRows(company, document, sent), onProgress)
}

export interface SentChanges {
  /** An object a line: the key of a record, and its operations. */
  readonly lines: string
  /** The number of the last change that the person has seen: what has changed since is rejected. */
  readonly unchangedSince: string
  readonly validateOnly: boolean
}

/** Sends changes of records, and waits for their end. */
export async function runChanges(
  service: Client,
  company: string,
  document: string,
  { lines, unchangedSince, validateOnly }: SentChanges,
  onProgress: (line: number) => void,
): Promise<RowsDone> {
  const query = queryOf({ companyId: company, unchangedSince, validateOnly: validateOnly ? 'true' : '' })
  const sent = await fetchJson<BatchOperation>(`${batchPath(document)}/patches?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines,
  })
  return ended(service, sent, onProgress)
}

async function ended(service: Client, { id }: BatchOperation, onProgress: (line: number) => void): Promise<RowsDone> {
  const operation = await service.batchOperations.wait(id, {
    pollMs: LOOK_MS,
    onProgress: ({ line }) => onProgress(line),
  })
  if (operation.status !== 'C') throw new Error(operation.message)
  const rejected: RejectedRow[] = []
  if (operation.rejected > 0) for await (const row of service.batchOperations.results(id)) rejected.push(row)
  return { operation: operation as ImportOperation, rejected }
}

/** `isPatch`: what has changed records, instead of what has created them. */
export async function listImports(
  company: string,
  document: string,
  isPatch: boolean,
): Promise<readonly ImportOperation[]> {
  const all = await fetchJson<ImportOperation[]>(
    `/v1/batch-operations?${queryOf({ companyId: company, limit: '100' })}`,
  )
  return all.filter((one) => one.document === document && one.patch === isPatch && !one.validateOnly && one.written > 0)
}

export interface TakenBack {
  readonly removed: number
  /** Those that have their values from before again. */
  readonly restored: number
  /** Those that somebody has changed since, or that something needs. */
  readonly kept: number
}

/** Only these are taken back as a whole. */
export const isTakenBack = ({ document, patch }: ImportOperation): boolean =>
  patch || !document.startsWith('attribute-')

export const neededToTakeBack = ({ update, patch }: ImportOperation): readonly ('update' | 'delete')[] => [
  ...(patch ? [] : (['delete'] as const)),
  ...(patch || update ? (['update'] as const) : []),
]

/** Removes what an operation has created, or gives what it has changed its values back, some dozens at a time. */
export async function takeBack(
  company: string,
  { id }: ImportOperation,
  onProgress: (done: number) => void,
): Promise<TakenBack> {
  const sum = { removed: 0, restored: 0, kept: 0 }
  for (let from = 0; ; ) {
    const query = queryOf({ companyId: company, from: String(from) })
    const path = `/v1/batch-operations/${encodeURIComponent(id)}/records?${query}`
    const taken = await fetchJson<TakenBack & { readonly from: number }>(path, { method: 'DELETE' })
    sum.removed += taken.removed
    sum.restored += taken.restored
    sum.kept += taken.kept
    onProgress(sum.removed + sum.restored + sum.kept)
    if (taken.from === 0) return sum
    from = taken.from
  }
}

/** What a grid hands over to be imported: a block that was pasted there. */
let pasted: string | undefined

export function handOver(block: string): void {
  pasted = block
}

export function takePasted(): string | undefined {
  const block = pasted
  pasted = undefined
  return block
}
