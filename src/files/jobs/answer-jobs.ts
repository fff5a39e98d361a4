// The life of a job process: say that it is ready, take a job, answer it, take the next. It reads and writes its channel
// without the event loop, so that it ends as soon as it is idle and the service is gone.
import { readSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { AnswerKind, answerHeader, CHANNEL, JOB_HEADER_BYTES, type JobDescription } from './frames.ts'

/** Does the work of one kind. What it throws is told to the service as `JobFailed`. */
export type Work = (content: Buffer, options: JobDescription['options']) => Promise<Uint8Array>

/** Answers jobs of these kinds until the service closes the channel. */
export async function answerJobs(kinds: Readonly<Record<string, Work>>): Promise<never> {
  // Whoever waits for a job waits for long anyway; who asks the service for a record does not.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  send(AnswerKind.ready, new Uint8Array())
  for (let job = nextJob(); job; job = nextJob()) {
    const { kind, options } = job.description
    try {
      const work = kinds[kind]
      if (!work) throw new Error(`there are no jobs of the kind ${kind}`)
      send(AnswerKind.done, await work(job.content, options))
    } catch (error) {
      send(AnswerKind.failed, Buffer.from(error instanceof Error ? error.message : String(error)))
    }
  }
  process.exit(0)
}

/** Nothing when the service is gone. */
function nextJob(): { description: JobDescription; content: Buffer } | undefined {
  const header = readExactly(JOB_HEADER_BYTES)
  const description = header && readExactly(header.readUInt32LE())
  const content = header && readExactly(header.readUInt32LE(4))
  return description && content && { description: JSON.parse(description.toString()) as JobDescription, content }
}

function readExactly(length: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length; ) {
    const count = readSync(CHANNEL, buffer, read, length - read, null)
    if (count === 0) return undefined
    read += count
  }
  return buffer
}

function send(kind: number, bytes: Uint8Array): void {
  writeAll(answerHeader(kind, bytes.length))
  writeAll(bytes)
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(CHANNEL, bytes, written)
}
