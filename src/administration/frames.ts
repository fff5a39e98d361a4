// A command as it is sent to a service, and the answer: frames of what it prints and how far it is, the files that it
// has written, and at the end its exit code. A frame has the header of those between the processes of a service.
import { HEADER_BYTES, headerOf } from '../process-pool/frames.ts'

/** Sent as JSON in the field `command` of a form, beside the input files. */
export interface CommandRequest {
  readonly args: readonly string[]
  /** The variables of the client's environment that the command reads. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether the client shows progress. */
  readonly showsProgress: boolean
}

export const CommandFrame = {
  stdout: 0,
  stderr: 1,
  /** JSON of a `ProgressReport`. */
  progress: 2,
  /** The name of a file, whose content follows in frames of its own. */
  file: 3,
  content: 4,
  /** JSON of an `Exit`; the last frame. */
  exit: 5,
} as const

/** How far a piece of work is; `done` is absent at its end. */
export interface ProgressReport {
  readonly what: string
  readonly total: number
  readonly done?: number
}

export interface Exit {
  readonly code: number
}

/** No sender makes larger frames, so a receiver needs no more memory. */
const MAX_FRAME_BYTES = 1024 * 1024

export function frameOf(kind: number, body: Uint8Array | string): Buffer {
  const bytes = Buffer.from(body as Uint8Array)
  return Buffer.concat([headerOf(kind, bytes.length), bytes])
}

export interface ReadFrame {
  readonly kind: number
  readonly body: Buffer
}

/** Reads the frames of a stream. Throws when it ends within one. */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<ReadFrame, void, void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= HEADER_BYTES) {
      const length = rest.readUInt32LE()
      if (length > MAX_FRAME_BYTES) throw new Error('the answer of the service cannot be read')
      if (rest.length < HEADER_BYTES + length) break
      yield { kind: rest.readUInt8(4), body: rest.subarray(HEADER_BYTES, HEADER_BYTES + length) }
      rest = rest.subarray(HEADER_BYTES + length)
    }
  }
  if (rest.length > 0) throw new Error('the answer of the service ends too early')
}
