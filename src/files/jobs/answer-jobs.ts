// The life of a job process: say that it is ready, take a job, answer it, take the next. It reads and writes its
// channel without the event loop, so that it ends as soon as it is idle and the service is gone.
import { readSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { AnswerKind, answerHeader, CHANNEL, JOB_HEADER_BYTES, type JobDescription } from './frames.ts'

/** Does the work of one kind. What it throws is told to the service as `JobFailed`. */
export type Work = (content: Buffer, options: JobDescription['options']) => Promise<Uint8Array>

/** What jobs have left is swept up when it is so much: a large content would find no room beside it. */
const MOST_LEFT_BYTES = 16 * 1024 * 1024

/** Answers jobs of these kinds until the service closes the channel. */
export async function answerJobs(kinds: Readonly<Record<string, Work>>): Promise<never> {
  // Whoever waits for a job waits for long anyway; who asks the service for a record does not.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  send(AnswerKind.ready, new Uint8Array())
  for (let leftBytes = 0; ; ) {
    leftBytes += await answerNext(kinds)
    if (leftBytes < MOST_LEFT_BYTES) continue
    globalThis.gc?.()
    leftBytes = 0
  }
}

/** When it is done, nothing of the job is held any more. Gives how much that was. */
async function answerNext(kinds: Readonly<Record<string, Work>>): Promise<number> {
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

/** Ends the process when the service is gone. */
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
