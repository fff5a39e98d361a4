// The types of a request with a file: the record, and the content in a temporary file.
import type { JsonValue } from '../../base/strict-json.ts'

/** A content that was received completely. */
export interface ReceivedFile {
  readonly path: string
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
  /** In bytes. */
  readonly size: number
  /** Its first bytes. */
  readonly head: Buffer
}

/** Receives contents; discarding one that was stored does nothing. */
export interface FileIntake {
  take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<ReceivedFile>
  discard(file: ReceivedFile): Promise<void>
}

/** The content of a request: absent, empty, invalid base64, or received as a file. */
export type GivenContent = 'none' | 'empty' | 'not-base64' | ReceivedFile

/** The parsed body of a request with a file. */
export interface ReadBody {
  readonly body: JsonValue
  readonly content: GivenContent
}

export interface FileBody extends ReadBody {
  /** Returns the memory reserved for the request; it covers the response too, so call it after that. */
  release(): void
}

/** 50 MB after decoding, whatever the encoding (decision 4). */
export const CONTENT_LIMIT_BYTES = 50 * 1024 * 1024

/** Deletes the received file, if there is one. */
export async function discardContent(intake: FileIntake, content: GivenContent): Promise<void> {
  if (typeof content !== 'string') await intake.discard(content)
}
