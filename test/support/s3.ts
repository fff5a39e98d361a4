// An S3 service for tests: s3rver with one bucket in a temporary folder, and a proxy in front of it that injects
// faults.
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

/** The credentials of s3rver's only account. */
export const S3_ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** The package has no type declarations. */
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
  /** The setting for `openS3Store`, by default with the address of the service itself. */
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
 * s3rver overwrites an existing object in place and answers before it has written everything. S3 does neither: an
 * acknowledged object is complete, and until then the old one is.
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

/** -1 when there is no file. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? -1
}

/** The setting for a bucket at an endpoint. */
export function s3Url(bucket: string, endpoint: string, prefix = ''): string {
  return `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`
}

/** The fault that the proxy injects into a request; `undefined` forwards the request. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code: string }
  /** The connection is cut after this many bytes of the request body. */
  | { readonly kind: 'cut-request'; readonly afterBytes: number }
  /** The answer is cut, or stalls, after this many bytes of its body. */
  | { readonly kind: 'cut-answer' | 'stall-answer'; readonly afterBytes: number }
  /** The request is executed and never answered. */
  | { readonly kind: 'silent' }
  /** The request is executed, and the connection is closed without an answer. */
  | { readonly kind: 'lost-answer' }
  /** The proxy answers 200 with this text. */
  | { readonly kind: 'answer'; readonly text: string }

export interface RecordedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  /** The checksum that the request declares, and that of the received body, both in base64. */
  readonly declaredSha256: string | undefined
  bodySha256: string | undefined
}

export interface FaultyProxy {
  readonly endpoint: string
  /** All requests, with or without a fault. */
  readonly seen: RecordedRequest[]
  /** Called for every request. */
  chooseFault: (request: RecordedRequest) => Fault | undefined
  stop(): Promise<void>
}

/** Starts a proxy in front of the service that injects the chosen faults. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: RecordedRequest[] = []
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
  const line: FaultyProxy = {
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

function seenOf(incoming: IncomingMessage): RecordedRequest {
  const told = incoming.headers['x-amz-checksum-sha256']
  const declaredSha256 = typeof told === 'string' ? told : undefined
  const one: RecordedRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    declaredSha256,
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
