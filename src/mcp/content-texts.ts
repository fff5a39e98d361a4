// The text of contents, read in a process of its own: a content is what a stranger has sent.
import type { Flow } from '../base/concurrency/fair-queue.ts'
import { JobFailed, JobKilled } from '../files/processes/job-faults.ts'
import { type JobContent, JobPool } from '../files/processes/job-pool.ts'
import { mayHoldText } from '../files/text/text-types.ts'
import { ToolError } from './tools/tool.ts'

const TIMEOUT_MS = 20_000
const MEMORY_BYTES = 256 * 1024 * 1024
const WAITING = 16
/** A company uses one of them. */
const PROCESSES = 2

export class ContentTexts {
  readonly #pool = new JobPool({ processes: PROCESSES, memoryBytes: MEMORY_BYTES, queue: WAITING })

  /** Undefined for a type without text. Throws a `ToolError` for a content that cannot be read. */
  async of(flow: Flow, mimeType: string, content: JobContent): Promise<string | undefined> {
    if (!mayHoldText(mimeType)) return undefined
    const job = { kind: 'text', options: { mimeType }, timeoutMs: TIMEOUT_MS }
    try {
      const text = await this.#pool.run(flow, job, content)
      return Buffer.from(text).toString()
    } catch (error) {
      if (error instanceof JobFailed || error instanceof JobKilled) throw new ToolError('The content cannot be read.')
      throw error
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
