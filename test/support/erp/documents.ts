// The document archive: documents with their contents, and their revisions.

import { type Row, stamp } from './kind.ts'
import { type ErpAnswer, type ErpRequest, emptyAnswer, jsonAnswer } from './message.ts'
import { operationsOf, patched } from './patch.ts'
import type { Options } from './query.ts'
import { mixed } from './random.ts'
import { bodyOf, required, type Writer } from './records.ts'
import { atField, coded, notFound, Refusal } from './refusal.ts'
import { singleDocument, sorted } from './single.ts'

export function answerDocuments(
  request: ErpRequest,
  path: readonly string[],
  options: Options,
  writer: Writer,
): ErpAnswer {
  const { method } = request
  if (path.length === 0) {
    if (method === 'GET') return jsonAnswer(200, listed(options, writer))
    if (method === 'POST') return jsonAnswer(201, create(request, writer))
    throw coded(405, 1030, 'The method is not allowed.', { Allow: 'GET, POST' })
  }
  if (path.length > 1) throw coded(404, 1030, 'No resource matches the URI.')
  const row = found(path[0]!, writer)
  if (method === 'GET') return jsonAnswer(200, withContent(row, writer))
  if (method === 'DELETE') {
    write({ ...row, status: 'T' }, writer)
    return emptyAnswer(200)
  }
  if (method !== 'PATCH') throw coded(405, 1030, 'The method is not allowed.', { Allow: 'GET, PATCH, DELETE' })
  const operations = operationsOf(request.body, 400)
  for (const [index, { path: to }] of operations.entries()) {
    if (/^(title|description|indexes)$/i.test(to[0] ?? '')) continue
    throw coded(400, 4020, `PatchOperation index ${index}: Provided path /${to.join('/')} is invalid`)
  }
  write(patched(row, operations, 400), writer)
  return emptyAnswer(200)
}

function found(id: string, { company }: Writer): Row {
  checkId(id)
  const row = company.table('document-archive').find([company.table('document-archive').collated(id.toLowerCase())])
  if (!row) throw notFound({ id, companyId: company.id })
  return row
}

function checkId(id: string): void {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return
  const message = id.length === 36 ? 'Unrecognised Guid format.' : 'Guid should contain 32 digits with 4 dashes'
  throw new Refusal(400, { message, messageType: 'Information', code: null, path: null })
}

function withContent(row: Row, { company }: Writer): Row {
  const fileContent = company.revision(row, Number(row.revisionNo))!.content
  return singleDocument({ ...row, fileContent })
}

function write(row: Row, { company, at, by }: Writer): Row {
  return company.write('document-archive', row, { at, by })
}

function listed(options: Options, writer: Writer): object {
  const table = writer.company.table('document-archive')
  const limit = whole(options.get('limit') ?? '10', 'Limit value must be between 0 and 50000')
  const start = Math.max(0, whole(options.get('start') ?? '0', 'Start must be an integer'))
  if (limit < 0 || limit > 50_000) throw coded(400, 1020, 'Limit value must be between 0 and 50000')
  const title = (options.get('title') ?? '').toLowerCase()
  const type = options.get('doctype')
  const indexes = options.get('indexes')?.toLowerCase().split(';')
  const matches = [...table.between()]
    .map((ref) => table.rowOf(ref))
    .filter((row) => row.status !== 'T' && (!type || row.docType === type))
    .filter((row) => String(row.title).toLowerCase().startsWith(title))
    .filter(({ indexes: of }) => !indexes || indexes.every((value, at) => value === indexValue(of as Row[], at)))
    .sort((a, b) => (updatedAt(a) < updatedAt(b) ? 1 : updatedAt(a) > updatedAt(b) ? -1 : a.id! < b.id! ? -1 : 1))
  const isWhole = options.get('withfilecontent')?.toLowerCase() === 'true'
  const items = matches.slice(start, start + limit).map((row) => {
    const { docSize: _, ...item } = isWhole ? withContent(row, writer) : singleDocument(row)
    return item
  })
  return { count: items.length, items, limit, start, total: matches.length }
}

const updatedAt = (row: Row) => String((row.lastUpdated as Row).updatedAt)
const indexValue = (indexes: readonly Row[], at: number) => indexes[at] && String(indexes[at].indexValue).toLowerCase()

function whole(text: string, message: string): number {
  if (!/^-?\d+$/.test(text)) throw coded(400, 1020, message)
  return Number(text)
}

function create(request: ErpRequest, writer: Writer): Row {
  const sent = bodyOf(request)
  for (const name of ['fileName', 'docType', 'fileContent', 'title']) if (!sent[name]) throw required(sent, name, 400)
  const { fileContent, fileName, docType, title, description = '', indexes = [] } = sent
  const content = decoded(String(fileContent))
  const row = write(
    {
      id: newId(writer),
      docType: docType!,
      title: title!,
      description,
      indexes,
      fileName: fileName!,
      mimeType: mimeTypeOf(String(fileName)),
      status: 'N',
      revisionNo: 1,
      docSize: content.length,
      expiryDate: sent.expiryDate ?? '2099-12-31',
    },
    writer,
  )
  keep(row, String(fileContent), 'Created', writer)
  return withContent(row, writer)
}

let created = 0

/** Not in the order of the others, as ids are that nobody chooses. */
function newId({ at }: Writer): string {
  const hex = (salt: number) =>
    mixed(at & 0x7fffffff, created * 4 + salt)
      .toString(16)
      .padStart(8, '0')
  created += 1
  const [a, b, c, d] = [hex(0), hex(1), hex(2), hex(3)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}

function decoded(base64: string): Buffer {
  if (/^[A-Za-z\d+/]*={0,2}$/.test(base64) && base64.length % 4 === 0) return Buffer.from(base64, 'base64')
  throw new Refusal(400, { message: 'The content is not base64.', messageType: 'Information', code: null, path: null })
}

function mimeTypeOf(fileName: string): string {
  const known: Readonly<Record<string, string>> = { txt: 'text/plain', pdf: 'application/pdf', png: 'image/png' }
  return known[fileName.split('.').at(-1)!.toLowerCase()] ?? 'application/octet-stream'
}

function keep(row: Row, content: string, comment: string, { company, at }: Writer): void {
  const revision = { comment, content, fileName: String(row.fileName), updatedAt: stamp(at, '') }
  company.keepRevision(String(row.id), Number(row.revisionNo), revision)
}

/** Revisions that nobody has sent keep what they are called. */
function keepAll(row: Row, { company }: Writer): void {
  for (let number = 1; number <= Number(row.revisionNo); number++) {
    company.keepRevision(String(row.id), number, company.revision(row, number)!)
  }
}

export function answerRevisions(
  request: ErpRequest,
  path: readonly string[],
  options: Options,
  writer: Writer,
): ErpAnswer {
  if (request.method === 'POST') return jsonAnswer(201, createRevision(request, path[0], writer))
  if (request.method !== 'GET') throw coded(405, 1030, 'The method is not allowed.', { Allow: 'GET, POST' })
  const [id = '', number] = path
  if (number === undefined) return jsonAnswer(200, revisions(id, options, writer))
  const row = found(id, writer)
  const revision = revisionOf(row, Number(number), writer)
  if (!revision) throw notFound({ id, revisionNo: number, companyId: writer.company.id })
  return jsonAnswer(200, revision)
}

function revisions(id: string, options: Options, writer: Writer): object {
  checkId(id)
  const row = writer.company.table('document-archive').find([id.toLowerCase()])
  const limit = whole(options.get('limit') ?? '10', 'Limit must be an integer')
  const start = whole(options.get('start') ?? '0', 'Start must be an integer')
  if (limit < 0) throw coded(400, 1020, 'Value may not be negative')
  const total = row ? Number(row.revisionNo) : 0
  const numbers = Array.from({ length: total }, (_, at) => at + 1).slice(start, start + limit)
  const items = numbers.map((number) => revisionOf(row!, number, writer)!)
  return { count: items.length, items, limit, start, total }
}

function revisionOf(row: Row, number: number, { company }: Writer): Row | undefined {
  const revision = company.revision(row, number)
  if (!revision) return undefined
  const { comment, content, fileName, updatedAt: at } = revision
  const lastUpdate = { updatedAt: at, updatedBy: (row.lastUpdated as Row).updatedBy! }
  const mimeType = mimeTypeOf(fileName)
  return sorted({ comment, fileContent: content, fileName, id: row.id!, lastUpdate, mimeType, revisionNo: number })
}

function createRevision(request: ErpRequest, pathId: string | undefined, writer: Writer): Row {
  const sent = bodyOf(request)
  const row = found(pathId ?? String(sent.id ?? ''), writer)
  for (const name of ['comment', 'fileContent', 'fileName']) if (!sent[name]) throw required(sent, name, 400)
  const { fileContent, fileName, comment } = sent as Record<string, string>
  if (!fileName!.includes('.')) throw atField(400, sent, 'fileName', 3010, 'File name must include an extension')
  const revisionNo = Number(row.revisionNo) + 1
  keepAll(row, writer)
  const docSize = decoded(fileContent!).length
  const next = write({ ...row, fileName: fileName!, mimeType: mimeTypeOf(fileName!), revisionNo, docSize }, writer)
  keep(next, fileContent!, comment!, writer)
  return revisionOf(next, revisionNo, writer)!
}
