// The main loop of a job process: report that it is ready, then read a job, answer it, and read the next. The channel
// is read and written synchronously, so that the process ends as soon as it is idle and the service is gone.
import { readSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { AnswerKind, answerHeader, CHANNEL, JOB_HEADER_BYTES, type JobDescription } from './frames.ts'

/** Performs jobs of one kind. The service receives a thrown error as `JobFailed`. */
export type JobWork = (content: Buffer, options: JobDescription['options']) => Promise<Uint8Array>

/** Garbage of earlier jobs is collected at this size, so that a large content fits into the memory limit. */
const MAX_GARBAGE_BYTES = 16 * 1024 * 1024

/** Runs jobs of these kinds until the service closes the channel. */
export async function runJobs(kinds: Readonly<Record<string, JobWork>>): Promise<never> {
  // Jobs are slow anyway, so requests for records get the CPU first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  send(AnswerKind.ready, new Uint8Array())
  for (let garbageBytes = 0; ; ) {
    garbageBytes += await runNextJob(kinds)
    if (garbageBytes < MAX_GARBAGE_BYTES) continue
    globalThis.gc?.()
    garbageBytes = 0
  }
}

/** Returns the number of bytes that the job has left to the garbage collector. */
async function runNextJob(kinds: Readonly<Record<string, JobWork>>): Promise<number> {
  const header = readExactly(JOB_HEADER_BYTES)
  const { kind, options } = JSON.parse(readExactly(header.readUInt32LE()).toString()) as JobDescription
  const content = readExactly(header.readUInt32LE(4))
  try {
    const work = kinds[kind]
    if (!work) throw new Error(`there are no jobs of the kind ${kind}`)
    const answer = await work(content, options)
    send(AnswerKind.done, answer)
    return content.length + answer.length
  } catch (error) {
    send(AnswerKind.failed, Buffer.from(error instanceof Error ? error.message : String(error)))
    return content.length
  }
}

/** Exits the process when the service has closed the channel. */
function readExactly(length: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(length)
  for (let read = 0; read < length; ) {
    const count = readSync(CHANNEL, buffer, read, length - read, null)
    if (count === 0) process.exit(0)
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
