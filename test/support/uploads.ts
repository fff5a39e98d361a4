// Uploads over a real socket, hand-written forms, and the staged files that a rejection must not leave behind.
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { stagingFolder } from '../../src/files/folder.ts'
import type { World } from './world.ts'

export const FORM_BOUNDARY = '----form-of-the-tests'
export const FORM_TYPE = { 'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}` }

/** Contents that were received and neither stored nor discarded. */
export function stagedIn({ folder }: Pick<World, 'folder'>): string[] {
  return readdirSync(stagingFolder(join(folder, 'files')))
}

/** Listens on a free port, once; returns the address. */
export async function listen({ application: { server } }: World): Promise<string> {
  const address = server.server.address()
  if (address && typeof address === 'object') return `http://127.0.0.1:${address.port}`
  return server.listen({ host: '127.0.0.1', port: 0 })
}

export interface FormPart {
  readonly name?: string
  /** Present: the part is a file. */
  readonly fileName?: string
  readonly type?: string
  readonly transferEncoding?: string
  readonly value: string | Buffer
}

export const field = (name: string, value: string): FormPart => ({ name, value })

export const file = (fileName: string, value: string | Buffer, name = 'file'): FormPart => ({ name, fileName, value })

/** The bytes of a multipart form. */
export function formOf(parts: readonly FormPart[], end = `--${FORM_BOUNDARY}--\r\n`): Buffer {
  const written = parts.flatMap(({ name, fileName, type, transferEncoding, value }) => {
    const named = name === undefined ? '' : `; name="${name}"`
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`
    const coded = transferEncoding === undefined ? '' : `Content-Transfer-Encoding: ${transferEncoding}\r\n`
    const head = `--${FORM_BOUNDARY}\r\nContent-Disposition: form-data${named}${file}\r\n${typed}${coded}\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  return Buffer.concat([...written, Buffer.from(end)])
}

/** A connection on which a test writes its own bytes. */
export interface RawConnection {
  readonly socket: Socket
  /** The bytes received so far. */
  received(): string
  /** Resolves when the received text matches, or the connection has ended. */
  until(pattern: RegExp): Promise<string>
}

export async function connectTo(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text) && !socket.destroyed) await new Promise((resolve) => setTimeout(resolve, 5))
    return text
  }
  return { socket, received: () => text, until }
}

/** Polls until the condition holds; the test's timeout is the limit. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
