// Documents for the tests: archives on both databases, in the long form on both file stores, valid bodies, and contents.
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { IS_LONG } from './reliability-test.ts'
import { S3_ENVIRONMENT, type S3Service, startS3 } from './s3.ts'
import type { Scenario } from './scenario.ts'
import { type Answer, STORE_KINDS, type StoreKind, startWorld, type World, type WorldOptions } from './world.ts'

export const DOCUMENTS = '/v1/documents'
export const REVISIONS = '/v1/document-revisions'

/** The same with files in S3 on PostgreSQL, for what is about the contents of files. */
export function onEachFileStore(title: string, declare: (world: () => World) => void): void {
  onEachArchive(title, declare, {}, STORE_KINDS, true)
}

/**
 * Declares the tests once per kind of archive, each with a world of its own. The S3 of the tests is slow: by default it
 * is there in the long form.
 */
export function onEachArchive(
  title: string,
  declare: (world: () => World) => void,
  options: WorldOptions = {},
  kinds: readonly StoreKind[] = STORE_KINDS,
  isOnS3 = IS_LONG,
): void {
  const archives = kinds.map((kind) => ({ kind, fileStore: kind === 'postgres' && isOnS3 ? 'S3' : 'folder' }))
  describe.each(archives)(`${title} on $kind with files in $fileStore`, ({ kind, fileStore }) => {
    let world: Awaited<ReturnType<typeof startWorld>> | undefined
    let s3: S3Service | undefined
    beforeAll(async () => {
      if (fileStore === 'S3') {
        Object.assign(process.env, S3_ENVIRONMENT)
        s3 = await startS3()
      }
      const files = s3 ? { files: s3.url() } : {}
      world = await startWorld(kind, 'test/fixtures/documents.yaml', '', { ...files, ...options })
    })
    afterAll(async () => {
      await world?.stop()
      await s3?.stop()
    })
    declare(() => {
      if (!world) throw new Error('the world has not started')
      return world
    })
  })
}

export const base64 = (content: Buffer | string): string => Buffer.from(content).toString('base64')

/** A picture of one colour; the smallest valid PNG. */
export function pngOf(width: number, height: number, colour = 0x7f): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(name), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + width * 3), colour)
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

export const PNG = pngOf(4, 2)
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')

type Body = Record<string, unknown>

/** A note requires nothing but a file and a title. */
export function noteOf(title: string, changes: Body = {}): Body {
  return { docType: 'NOTE', title, fileName: 'note.txt', fileContent: base64(`Content of ${title}`), ...changes }
}

export const INDEXES = [
  { sequenceNo: 1, indexValue: 'CC100' },
  { sequenceNo: 2, indexValue: '4711' },
]

export function invoiceOf(title: string, changes: Body = {}): Body {
  return {
    docType: 'INVOICE',
    title,
    fileName: 'invoice.pdf',
    fileContent: base64(PDF),
    indexes: INDEXES,
    ...changes,
  }
}

export const post = (body: unknown, rest: Partial<Scenario> = {}) =>
  ({ method: 'POST', url: DOCUMENTS, body, ...rest }) as const

export const postRevision = (body: unknown, rest: Partial<Scenario> = {}) =>
  ({ method: 'POST', url: REVISIONS, body, ...rest }) as const

export const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

/** Creates a document that a test continues with; returns the answer's record. */
export async function create(world: World, body: Body, as = 'integration'): Promise<Answer['json']> {
  return made(await world.send({ as, ...post(body) }))
}

/** Adds a revision. */
export async function revise(world: World, id: string, body: Body = {}): Promise<Answer['json']> {
  const whole = { id, comment: 'Changed', fileName: 'note.txt', fileContent: base64('Changed'), ...body }
  return made(await world.send({ as: 'integration', ...postRevision(whole) }))
}

function made(answer: Answer): Answer['json'] {
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
  return answer.json
}

export const urlOf = (id: string, more = ''): string => `${DOCUMENTS}/${id}${more}`

/** The body of a rejection in the information shape. */
export const information = (message: string) => ({ message, messageType: 'Information', code: null, path: null })

export const NOT_BASE64 =
  'The input is not a valid Base-64 string as it contains a non-base 64 character, more than two padding characters, or an illegal character among the padding characters.'
