// What a request with a file is read into: the record, and the content in a file of its own.
import type { JsonValue } from '../../base/strict-json.ts'

/** A content that was received whole. */
export interface ReceivedFile {
  readonly path: string
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
  /** In bytes. */
  readonly size: number
  /** How it begins. */
  readonly head: Buffer
}

/** Takes contents in while they arrive; discarding one that was kept does nothing. */
export interface FileIntake {
  take(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<ReceivedFile>
  discard(file: ReceivedFile): Promise<void>
}

/** The content of a request: none, an empty one, what should have been base64 and is not, or a file. */
export type GivenContent = 'none' | 'empty' | 'not-base64' | ReceivedFile

/** What was read of a body. */
export interface ReadBody {
  readonly body: JsonValue
  readonly content: GivenContent
}

export interface FileBody extends ReadBody {
  /** Puts back the memory of the request, which serves for the answer too: to be called when that is over. */
  release(): void
}

/** Contents are larger than records: 50 MB in any writing (decision 4). */
export const CONTENT_LIMIT_BYTES = 50 * 1024 * 1024

/** What was received before something went wrong must not stay. */
export async function discardContent(intake: FileIntake, content: GivenContent): Promise<void> {
  if (typeof content !== 'string') await intake.discard(content)
}
