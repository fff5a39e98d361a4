// How the service and a reader process talk: a length, a kind and a body, one question at a time.
import type { SqlValue } from '../../../statement.ts'
import type { CollectionQuery } from '../../../store.ts'

/** The stream beside standard input, output and error. */
export const CHANNEL = 3

/** Length of the body (4 bytes, little-endian) and kind. */
export const HEADER_BYTES = 5

export const Kind = { question: 1, piece: 2, end: 3, failure: 4 } as const

export interface ReaderQuery extends Pick<CollectionQuery, 'format' | 'cells'> {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** The statement answers one value, which is sent as one piece. */
  readonly isWhole: boolean
  /** All pieces together take no longer than a query may; otherwise each of them. */
  readonly isBounded?: boolean
}

/** A failure; of SQLite with its extended result code, so that it can be told apart on the other side. */
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
