// The frames between the service and the processes of its pools: length, kind, body. A process reads and writes them
// synchronously, so that a full pipe blocks it, and it ends as soon as it is idle and the service is gone.

import { readSync, writeSync } from 'node:fs'
import { codeOf } from '../base/thrown.ts'

/** The file descriptor of the channel, after standard input, output and error. */
export const CHANNEL = 3

/** The length of the body (4 bytes, little-endian) and the kind (1 byte). */
export const HEADER_BYTES = 5

/**
 * A process may report first that it is ready. It answers each request with chunks, before them a head where there is
 * one, and at last an end or a failure.
 */
export const FrameKind = { ready: 0, request: 1, chunk: 2, end: 3, failure: 4, head: 5 } as const

export function headerOf(kind: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(length)
  header.writeUInt8(kind, 4)
  return header
}

/** In a process: the body of the next frame. Undefined when the service has closed the channel. */
export function receiveFrame(): Buffer | undefined {
  return receiveKindedFrame()?.body
}

/** As `receiveFrame`, where the service sends frames of several kinds. */
export function receiveKindedFrame(): { readonly kind: number; readonly body: Buffer } | undefined {
  const header = readExactly(HEADER_BYTES)
  const body = header && readExactly(header.readUInt32LE())
  return body && { kind: header.readUInt8(4), body }
}

/** In a process: sends a frame. */
export function sendFrame(kind: number, body: Uint8Array | string): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  writeAll(headerOf(kind, bytes.length))
  writeAll(bytes)
}

function readExactly(length: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length; ) {
    const count = orGone(() => readSync(CHANNEL, buffer, read, length - read, null))
    if (count === 0) return undefined
    read += count
  }
  return buffer
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += orGone(() => writeSync(CHANNEL, bytes, written))
}

/** The process ends when the service is gone, and nobody waits for what is left. */
function orGone(transfer: () => number): number {
  try {
    return transfer()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EPIPE' || code === 'ECONNRESET') process.exit()
    throw error
  }
}
