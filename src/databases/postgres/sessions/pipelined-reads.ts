// Short reads. Those of a kind that come while one of them waits for a session share it: they are sent together, and
// the database answers them in turn, each in a transaction of its own, without waiting for the next. Waking up for each
// of them costs both sides more than the reads do.
import { type Flow, flowKey } from '../../../base/concurrency/fair-queue.ts'
import { FadingMarks } from './fading-marks.ts'
import type { Session } from './session.ts'

/** A slow one delays those behind it. */
const MOST = 4
/** Those of a kind that take longer have sessions of their own. */
const QUICK_MS = 25

/** Asks one question, in a transaction of its own, before it returns. `isShared`: others are asked on the session. */
type Ask<T> = (session: Session, isShared: boolean) => Promise<T>

interface Read {
  /** Asks on the session, and answers whoever waits. Resolves to whether the session has failed. */
  run(session: Session, isShared: boolean): Promise<boolean>
  failed(reason: unknown): void
}

/** Reads that wait for the same session. */
interface Waiting {
  readonly flow: Flow
  readonly reads: Read[]
}

export class PipelinedReads {
  readonly #connect: (flow: Flow) => Promise<Session>
  readonly #faultOf: (error: unknown) => unknown
  /** By kind. */
  readonly #waiting = new Map<string, Waiting>()
  /** Kinds of which the last reads together were slow. */
  readonly #slow = new FadingMarks()
  /** One where the end of a transaction is a statement of its own, or the next one may have another session. */
  #most = 1

  /** `faultOf` returns another error for one of the session. */
  constructor(connect: (flow: Flow) => Promise<Session>, faultOf: (error: unknown) => unknown) {
    this.#connect = connect
    this.#faultOf = faultOf
  }

  /** Reads of the same flow and kind may share a session. */
  read<T>(flow: Flow, kind: string, ask: Ask<T>): Promise<T> {
    return new Promise<T>((answered, failed) => {
      const run = async (session: Session, isShared: boolean) => {
        try {
          answered(await ask(session, isShared))
          return false
        } catch (error) {
          const fault = this.#faultOf(error)
          failed(fault)
          return fault !== error
        }
      }
      this.#add(flow, kind, { run, failed })
    })
  }

  #add(flow: Flow, kind: string, read: Read): void {
    const waiting = this.#waiting.get(kind)
    if (waiting && this.#mayShare(waiting, flow, kind)) {
      waiting.reads.push(read)
      return
    }
    const first = { flow, reads: [read] }
    this.#waiting.set(kind, first)
    void this.#run(kind, first)
  }

  #mayShare({ reads, ...waiting }: Waiting, flow: Flow, kind: string): boolean {
    return reads.length < this.#most && flowKey(waiting.flow) === flowKey(flow) && !this.#slow.has(kind)
  }

  async #run(kind: string, waiting: Waiting): Promise<void> {
    const { flow, reads } = waiting
    const close = () => {
      if (this.#waiting.get(kind) === waiting) this.#waiting.delete(kind)
    }
    try {
      const session = await this.#connect(flow)
      close()
      this.#most = session.isAlone ? MOST : 1
      const ended: number[] = []
      const failures = await Promise.all(
        reads.map(({ run }) => run(session, reads.length > 1).finally(() => ended.push(performance.now()))),
      )
      if (millisEach(ended) > QUICK_MS) this.#slow.add(kind)
      // A session in an unknown state is discarded.
      session.release(failures.includes(true))
    } catch (error) {
      close()
      for (const { failed } of reads) failed(error)
    }
  }
}

/** How long each took after the one before it: how long the first one had to wait says little of what it took. */
function millisEach(ended: readonly number[]): number {
  return ((ended.at(-1) ?? 0) - (ended[0] ?? 0)) / Math.max(1, ended.length - 1)
}
