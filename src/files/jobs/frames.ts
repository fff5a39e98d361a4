// The protocol between the service and a job process: the process reports that it is ready, then answers each job with
// one frame.

/** File descriptor of the channel; 0 to 2 are standard input, output and error. */
export const CHANNEL = 3

/** Header of a job: lengths of its description and of its content, 4 bytes each, little-endian. */
export const JOB_HEADER_BYTES = 8
/** Header of an answer: its kind (1 byte) and its length (4 bytes, little-endian). */
export const ANSWER_HEADER_BYTES = 5

export const AnswerKind = { ready: 0, done: 1, failed: 2 } as const

/** The kind of a job and its parameters. */
export interface JobDescription {
  readonly kind: string
  readonly options: Readonly<Record<string, string | number>>
}

export function jobHeader(descriptionBytes: number, contentBytes: number): Buffer {
  const header = Buffer.alloc(JOB_HEADER_BYTES)
  header.writeUInt32LE(descriptionBytes)
  header.writeUInt32LE(contentBytes, 4)
  return header
}

export function answerHeader(kind: number, length: number): Buffer {
  const header = Buffer.alloc(ANSWER_HEADER_BYTES)
  header.writeUInt8(kind)
  header.writeUInt32LE(length, 1)
  return header
}
