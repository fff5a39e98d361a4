// The protocol between the service and a reader process: frames of length, kind and body; one query at a time.

import type { CollectionQuery } from '../../../store.ts'
import type { SqlValue } from '../../dialect.ts'

/** The file descriptor of the pipe, after standard input, output and error. */
export const CHANNEL = 3

/** The length of the body (4 bytes, little-endian) and the kind (1 byte). */
export const HEADER_BYTES = 5

export const Kind = { query: 1, chunk: 2, end: 3, failure: 4 } as const

export interface ReaderQuery extends Pick<CollectionQuery, 'format' | 'cells'> {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** The statement returns one value, which is sent as one chunk. */
  readonly isSingleValue: boolean
  /** True: all chunks together must be produced within the query timeout; otherwise each of them. */
  readonly isBounded?: boolean
}

/** An error; an SQLite error has its extended result code, so that the service can classify it. */
export interface Failure {
  readonly errcode?: number
  readonly message: string
}

export function headerOf(kind: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeUInt32LE(length)
  header.writeUInt8(kind, 4)
  return header
}
