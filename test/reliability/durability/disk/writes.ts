// Three kinds of writes, named so that each can be found again regardless of its answer: completely, not at all, or
// partially, which is a fault.
import { join } from 'node:path'
import { DOCUMENTS, REVISIONS } from '../../../support/documents.ts'
import { call, integrityOf, rowsOf } from '../../../support/process.ts'
import { contentsIn, tornFiles } from '../content-files.ts'
import { fetchWhole, sendFile, sha256 } from '../document-client.ts'

export const VALUES = '/v1/attribute-values'
export const SETUP = ['--setup', 'test/fixtures/documents.yaml']

export const WRITE_KINDS = ['document', 'revision', 'record'] as const
export type WriteKind = (typeof WRITE_KINDS)[number]

export interface Attempt {
  readonly kind: WriteKind
  readonly name: string
  /** Absent: the connection broke before an answer arrived. */
  readonly status?: number
  readonly retryAfter?: number
  readonly text?: string
}

/** Ids of documents of which only some of the rows exist. */
const HALVES = `
  select d.document_id from document d
  where d.revision_no <> (select count(*) from document_revision r where r.document_id = d.document_id)
    or 1 <> (select count(*) from document_text t where t.document_id = d.document_id)
    or 1 <> (select count(*) from audit_entry j
      where j.entity = 'document' and j.operation = 'create' and j.record_key ->> 0 = d.document_id)
    or d.revision_no - 1 <> (select count(*) from audit_entry j
      where j.entity = 'document-revision' and j.record_key ->> 0 = d.document_id)
  union all select * from (
    select document_id from document_revision union select document_id from document_text
    union select record_key ->> 0 from audit_entry where entity in ('document', 'document-revision')
    except select document_id from document)
  union all select attribute_value from attribute_value v where attribute_value like 'W%'
    and not exists (select 1 from audit_entry j where j.entity = 'attribute-value' and j.record_key ->> 1 = v.attribute_value)`

const contentOf = (name: string): Buffer => Buffer.from(`content of ${name},`.repeat(400))

/** Sends a write; `base` is the document that revisions are added to. */
export async function attempt(address: string, kind: WriteKind, base: string, name: string): Promise<Attempt> {
  try {
    const { status, headers, text } = await send(address, kind, base, name)
    return { kind, name, status, retryAfter: Number(headers.get('retry-after') ?? 0), text }
  } catch {
    return { kind, name }
  }
}

function send(address: string, kind: WriteKind, base: string, name: string) {
  const file = { fileName: 'data.bin' }
  switch (kind) {
    case 'document':
      return sendFile(address + DOCUMENTS, { docType: 'NOTE', title: name, ...file }, contentOf(name))
    case 'revision':
      return sendFile(`${address}${REVISIONS}/${base}`, { comment: name, ...file }, contentOf(name))
    case 'record': {
      const body = { attributeId: 'C1', attributeValue: name, description: `made ${name}` }
      return call(address + VALUES, { method: 'POST', body })
    }
  }
}

/** Creates the document that revisions are added to. */
export async function makeBase(address: string): Promise<string> {
  const { text } = await sendFile(
    address + DOCUMENTS,
    { docType: 'NOTE', title: 'Base', fileName: 'a.bin' },
    contentOf('Base'),
  )
  return JSON.parse(text).id
}

/** `all`, `nothing`, or a description of the fault; the service runs on the folder. */
export async function foundOf(address: string, folder: string, { kind, name }: Attempt): Promise<string> {
  if (kind === 'record') {
    const { status, text } = await call(`${address}${VALUES}/C1/${name}/0`)
    if (status === 404) return 'nothing'
    return status === 200 && text.includes(`made ${name}`) ? 'all' : `${name}: ${status} ${text}`
  }
  const rows = rowsOf(
    folder,
    `select r.document_id as id, r.revision_no as no from document_revision r join document d using (document_id)
      where ${kind === 'document' ? 'd.title' : 'r.comment'} = '${name}'`,
  )
  if (rows.length === 0) return 'nothing'
  if (rows.length > 1) return `${name} is there ${rows.length} times`
  const { status, bytes } = await fetchWhole(`${address}${REVISIONS}/${rows[0]?.id}/${rows[0]?.no}/content`)
  return status === 200 && sha256(bytes) === sha256(contentOf(name))
    ? 'all'
    : `${name}: ${status}, ${bytes.length} bytes`
}

/** The faults in a data folder. */
export function faultsOf(folder: string): string[] {
  const files = join(folder, 'files')
  const there = new Set(contentsIn(files).map(({ hash }) => hash))
  const referred = rowsOf(folder, 'select distinct file_hash as hash from document_revision').map(({ hash }) =>
    String(hash),
  )
  return [
    ...[integrityOf(folder)].filter((reported) => reported !== 'ok'),
    ...rowsOf(folder, 'pragma foreign_key_check').map((row) => `refers to nothing: ${JSON.stringify(row)}`),
    ...rowsOf(folder, HALVES).map((row) => `half there: ${JSON.stringify(row)}`),
    ...tornFiles(files).map((path) => `not what its name says: ${path}`),
    ...referred.filter((hash) => !there.has(hash)).map((hash) => `a row without its content: ${hash}`),
  ]
}
