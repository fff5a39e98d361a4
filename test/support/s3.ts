// An S3 service of our own for tests: s3rver with one bucket in a temporary folder, and a faulty line in front of it.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const BUCKET = 'papers'

/** What s3rver knows as its one account. */
export const S3_ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** The package has no types. */
type S3rver = new (
  options: object,
) => { run(): Promise<AddressInfo>; close(): Promise<void>; httpServer: Server; store: S3rverStore }

interface S3rverStore {
  putObject(object: S3rverObject): Promise<{ size: number }>
  getResourcePath(bucket: string, key: string, resource: string): string
}

interface S3rverObject {
  readonly bucket: string
  readonly key: string
}

export interface S3Service {
  /** `http://127.0.0.1:PORT`. */
  readonly endpoint: string
  /** For `openS3Store`, by default straight to the service. */
  url(endpoint?: string, prefix?: string): string
  stop(): Promise<void>
}

/** Starts an empty service on a free port. */
export async function startS3(): Promise<S3Service> {
  const directory = mkdtempSync(join(tmpdir(), 'tabularium-s3-'))
  mkdirSync(join(directory, BUCKET))
  const Server = createRequire(import.meta.url)('s3rver') as S3rver
  const service = new Server({ address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false })
  putAtOnce(service.store)
  const { port } = await service.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    url: (at = endpoint, prefix = 'archive') => s3Url(BUCKET, at, prefix),
    stop: async () => {
      service.httpServer.closeAllConnections()
      await service.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * s3rver writes over an object that is there, and answers before it has written all. S3 does neither: an object that was
 * acknowledged is there as a whole, and until then the old one is.
 */
function putAtOnce(store: S3rverStore): void {
  const put = store.putObject.bind(store)
  let puts = 0
  store.putObject = async (object) => {
    const coming = { ...object, bucket: 'coming', key: `${puts++}` }
    const answer = await put(coming)
    const pathOf = ({ bucket, key }: S3rverObject, resource: string) => store.getResourcePath(bucket, key, resource)
    while ((await sizeOf(pathOf(coming, 'object'))) < answer.size) await setTimeout(1)
    await mkdir(dirname(pathOf(object, 'object')), { recursive: true })
    for (const resource of ['metadata.json', 'object']) await rename(pathOf(coming, resource), pathOf(object, resource))
    return answer
  }
}

/** Less than nothing when there is no file. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? -1
}

/** The setting for a bucket at an endpoint. */
export function s3Url(bucket: string, endpoint: string, prefix = ''): string {
  return `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`
}

/** What the line does to one request instead of carrying it; `undefined` carries it. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code: string }
  /** The request is cut when so many bytes of its body have passed. */
  | { readonly kind: 'cut-request'; readonly afterBytes: number }
  /** The answer is cut, or stops, when so many bytes of its body have passed. */
  | { readonly kind: 'cut-answer' | 'stall-answer'; readonly afterBytes: number }
  /** The request is done, and nothing is answered. */
  | { readonly kind: 'silent' }
  /** The answer is lost after the request was done. */
  | { readonly kind: 'lost-answer' }
  /** Something else answers 200. */
  | { readonly kind: 'answer'; readonly text: string }

export interface SeenRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** The checksum that it told, and that of the body that came, both in base64. */
  readonly toldSha256: string | undefined
  bodySha256: string | undefined
}

export interface FaultyLine {
  readonly endpoint: string
  /** All requests that came, with or without a fault. */
  readonly seen: SeenRequest[]
  /** Asked for every request. */
  chooseFault: (request: SeenRequest) => Fault | undefined
  stop(): Promise<void>
}

/** Starts a line to the service that fails as it is told. */
export async function startFaultyLine(target: string): Promise<FaultyLine> {
  const seen: SeenRequest[] = []
  const server = createServer((incoming, answer) => {
    const one = seenOf(incoming)
    const fault = line.chooseFault(one)
    seen.push(one)
    incoming.on('error', () => {})
    answer.on('error', () => {})
    fail(fault, target, incoming, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const line: FaultyLine = {
    endpoint: `http://127.0.0.1:${port}`,
    seen,
    chooseFault: () => undefined,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return line
}

function seenOf(incoming: IncomingMessage): SeenRequest {
  const told = incoming.headers['x-amz-checksum-sha256']
  const toldSha256 = typeof told === 'string' ? told : undefined
  const one: SeenRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    toldSha256,
    bodySha256: undefined,
  }
  const sum = createHash('sha256')
  incoming.on('data', (chunk: Buffer) => sum.update(chunk))
  incoming.once('end', () => (one.bodySha256 = sum.digest('base64')))
  return one
}

function fail(fault: Fault | undefined, target: string, incoming: IncomingMessage, answer: ServerResponse): void {
  if (!fault) {
    carry(target, incoming, (reply) => reply.pipe(passed(reply, answer)))
  } else if (fault.kind === 'status') {
    incoming.resume()
    answer.writeHead(fault.status, { 'content-type': 'application/xml' })
    answer.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>told</Message></Error>`)
  } else if (fault.kind === 'answer') {
    incoming.resume()
    answer.writeHead(200, { 'content-type': 'application/xml' }).end(fault.text)
  } else if (fault.kind === 'cut-request') {
    whenBytesPassed(incoming, fault.afterBytes, () => incoming.socket.destroy())
  } else if (fault.kind === 'silent') {
    carry(target, incoming, (reply) => reply.resume())
  } else if (fault.kind === 'lost-answer') {
    carry(target, incoming, (reply) => reply.resume().once('end', () => incoming.socket.destroy()))
  } else {
    carry(target, incoming, (reply) => passPart(fault.kind, fault.afterBytes, reply, answer))
  }
}

function carry(target: string, incoming: IncomingMessage, onReply: (reply: IncomingMessage) => void): void {
  const { hostname, port } = new URL(target)
  const { method, url: path, headers } = incoming
  const outgoing = request({ hostname, port, method, path, headers }, onReply)
  outgoing.on('error', () => incoming.socket.destroy())
  incoming.once('aborted', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

function passed(reply: IncomingMessage, answer: ServerResponse): ServerResponse {
  return answer.writeHead(reply.statusCode ?? 500, reply.headers)
}

function passPart(kind: string, bytes: number, reply: IncomingMessage, answer: ServerResponse): void {
  passed(reply, answer).flushHeaders()
  let left = bytes
  reply.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, left)
    left -= part.length
    if (part.length > 0) answer.write(part)
  })
  if (kind === 'cut-answer') reply.once('end', () => setImmediate(() => answer.destroy()))
}

function whenBytesPassed(incoming: IncomingMessage, bytes: number, then: () => void): void {
  let passedBytes = 0
  incoming.on('data', (chunk: Buffer) => {
    passedBytes += chunk.length
    if (passedBytes >= bytes) then()
  })
}
