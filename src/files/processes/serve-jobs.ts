// The main loop of a job process: report that it is ready, then read a job, load what it needs, report that, read the
// content, answer, and read the next. The time of a job counts from when its content has come.
import { FrameKind, receiveFrame, sendFrame } from '../../process-pool/frames.ts'

/** The kind of a job and its parameters; its content follows as another frame. */
export interface JobDescription {
  readonly kind: string
  readonly options: Readonly<Record<string, string | number>>
}

/** Loads the libraries for jobs of one kind. */
export type LoadWork = () => JobWork | Promise<JobWork>

/** Performs jobs of one kind. The service receives a thrown error as `JobFailed`. */
export type JobWork = (content: Buffer, options: JobDescription['options']) => Promise<Uint8Array>

/** Garbage of earlier jobs is collected at this size, so that a large content fits into the memory limit. */
const MAX_GARBAGE_BYTES = 16 * 1024 * 1024

/** Runs jobs of these kinds until the service closes the channel. */
export async function runJobs(kinds: Readonly<Record<string, LoadWork>>): Promise<never> {
  sendFrame(FrameKind.ready, '')
  for (let garbageBytes = 0; ; ) {
    garbageBytes += await runNextJob(kinds)
    if (garbageBytes < MAX_GARBAGE_BYTES) continue
    globalThis.gc?.()
    garbageBytes = 0
  }
}

/** Returns the number of bytes that the job has left to the garbage collector. */
async function runNextJob(kinds: Readonly<Record<string, LoadWork>>): Promise<number> {
  const description = receiveFrame()
  if (!description) process.exit(0)
  let contentBytes = 0
  try {
    const { kind, options } = JSON.parse(description.toString()) as JobDescription
    const load = kinds[kind]
    if (!load) throw new Error(`there are no jobs of the kind ${kind}`)
    const work = await load()
    sendFrame(FrameKind.ready, '')
    const content = receiveFrame()
    if (!content) process.exit(0)
    contentBytes = content.length
    const answer = await work(content, options)
    sendFrame(FrameKind.end, answer)
    return contentBytes + answer.length
  } catch (error) {
    sendFrame(FrameKind.failure, error instanceof Error ? error.message : String(error))
    return contentBytes
  }
}
