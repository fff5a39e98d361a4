// Documents of a floor. The content is written to a file and synced, then its row is committed; nothing is checked.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { Commit } from './database.ts'
import type { Answer, Body, Handler } from './handler.ts'
import { documentRow } from './rows.ts'

interface Given {
  readonly docType: string
  readonly title: string
  readonly fileName: string
  readonly content: Buffer
  /** The content in base64. */
  readonly fileContent: string
}

const COLUMNS = 13
const PIECE = 256 * 1024

export function documentHandlers(db: DatabaseSync, commit: Commit, folder: string): Handler[] {
  mkdirSync(folder, { recursive: true })
  const insert = db.prepare(`insert into document values (${Array(COLUMNS).fill('?').join(', ')})`)
  const newest = db.prepare('select file_hash, doc_size from document order by rowid desc limit 1')
  const upload = async (body: Body): Promise<Answer> => {
    const given = await givenIn(body)
    const hash = await keep(given.content, folder)
    const [id, now] = [randomUUID(), new Date().toISOString().slice(0, -1)]
    const row = documentRow(id, given, given.content.length, hash)
    const text = await commit(() => {
      insert.run(...row)
      return JSON.stringify(answered(id, given, now))
    })
    return { status: 201, text }
  }
  const download = (): Answer => {
    const { file_hash: hash = '' } = (newest.get() ?? {}) as { file_hash?: string }
    const stream = createReadStream(join(folder, hash), { highWaterMark: PIECE })
    return { status: 200, type: 'application/octet-stream', stream }
  }
  return [
    { method: 'POST', path: '/v1/documents', segments: 0, answer: (_, body) => upload(body) },
    { method: 'GET', path: '/newest/content', segments: 0, answer: download },
  ]
}

async function givenIn({ type, bytes }: Body): Promise<Given> {
  if (type.startsWith('multipart/')) return formOf(type, bytes)
  const record = JSON.parse(bytes.toString()) as Omit<Given, 'content'>
  return { ...record, content: Buffer.from(record.fileContent, 'base64') }
}

function formOf(type: string, bytes: Buffer): Promise<Given> {
  return new Promise((resolve, reject) => {
    const form = new Busboy({ headers: { 'content-type': type } as BusboyHeaders })
    const fields: Record<string, string> = {}
    const chunks: Buffer[] = []
    form.on('field', (name, value) => {
      fields[name] = value
    })
    form.on('file', (_name, stream, fileName) => {
      fields.fileName = fileName
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    })
    form.on('finish', () => {
      const content = Buffer.concat(chunks)
      const { docType = '', title = '', fileName = '' } = fields
      resolve({ docType, title, fileName, content, fileContent: content.toString('base64') })
    })
    form.on('error', reject)
    form.end(bytes)
  })
}

/** Resolves when the content and its folder are on disk. The hash of the content names the file. */
async function keep(content: Buffer, folder: string): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex')
  const waiting = join(folder, `${randomUUID()}.tmp`)
  const file = await open(waiting, 'wx')
  await file.write(content)
  await synced(file)
  await rename(waiting, join(folder, hash))
  await synced(await open(folder))
  return hash
}

async function synced(file: FileHandle): Promise<void> {
  await file.sync()
  await file.close()
}

function answered(id: string, { docType, title, fileName, content, fileContent }: Given, now: string): unknown {
  return {
    id,
    companyId: 'EN',
    docType,
    mimeType: 'application/octet-stream',
    status: 'N',
    expiryDate: '2099-12-31T00:00:00.000',
    revisionNo: 1,
    fileContent,
    fileName,
    checkoutUserId: '',
    lastUpdate: { updatedAt: now, updatedBy: 'bench' },
    indexes: [],
    title,
    description: '',
    docSize: content.length,
    notificationMessages: {},
  }
}
