// The main loop of a job process: report that it is ready, then read a job, answer it, and read the next.
import { constants, setPriority } from 'node:os'
import { FrameKind, receiveFrame, sendFrame } from '../../process-pool/frames.ts'

/** The kind of a job and its parameters; its content follows as another frame. */
export interface JobDescription {
  readonly kind: string
  readonly options: Readonly<Record<string, string | number>>
}

/** Performs jobs of one kind. The service receives a thrown error as `JobFailed`. */
export type JobWork = (content: Buffer, options: JobDescription['options']) => Promise<Uint8Array>

/** Garbage of earlier jobs is collected at this size, so that a large content fits into the memory limit. */
const MAX_GARBAGE_BYTES = 16 * 1024 * 1024

/** Runs jobs of these kinds until the service closes the channel. */
export async function runJobs(kinds: Readonly<Record<string, JobWork>>): Promise<never> {
  // Jobs are slow anyway, so requests for records get the CPU first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  sendFrame(FrameKind.ready, '')
  for (let garbageBytes = 0; ; ) {
    garbageBytes += await runNextJob(kinds)
    if (garbageBytes < MAX_GARBAGE_BYTES) continue
    globalThis.gc?.()
    garbageBytes = 0
  }
}

/** Returns the number of bytes that the job has left to the garbage collector. */
async function runNextJob(kinds: Readonly<Record<string, JobWork>>): Promise<number> {
  const description = receiveFrame()
  const content = receiveFrame()
  if (!description || !content) process.exit(0)
  try {
    const { kind, options } = JSON.parse(description.toString()) as JobDescription
    const work = kinds[kind]
    if (!work) throw new Error(`there are no jobs of the kind ${kind}`)
    const answer = await work(content, options)
    sendFrame(FrameKind.end, answer)
    return content.length + answer.length
  } catch (error) {
    sendFrame(FrameKind.failure, error instanceof Error ? error.message : String(error))
    return content.length
  }
}
