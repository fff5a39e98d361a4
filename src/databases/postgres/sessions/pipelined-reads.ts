// Reads of single records. Those of a company that come while one of them waits for a session share it: they are sent
// together, and the database answers them in turn, each in a transaction of its own, without waiting for the next.
import type { Session } from './session.ts'

/** A slow one delays those behind it. */
const MOST = 4

interface Read {
  /** Asks on the session, and answers whoever waits. Resolves to whether the session has failed. */
  run(session: Session): Promise<boolean>
  failed(reason: unknown): void
}

export class PipelinedReads {
  readonly #connect: (companyId: string) => Promise<Session>
  readonly #faultOf: (error: unknown) => unknown
  /** The reads that wait for the same session, by company. */
  readonly #waiting = new Map<string, Read[]>()
  /** One where the end of a transaction is a statement of its own, or the next one may have another session. */
  #most = 1

  /** `faultOf` returns another error for one of the session. */
  constructor(connect: (companyId: string) => Promise<Session>, faultOf: (error: unknown) => unknown) {
    this.#connect = connect
    this.#faultOf = faultOf
  }

  /** `ask` asks one question, in a transaction of its own, before it returns. */
  read<T>(companyId: string, ask: (session: Session) => Promise<T>): Promise<T> {
    return new Promise<T>((answered, failed) => {
      const run = async (session: Session) => {
        try {
          answered(await ask(session))
          return false
        } catch (error) {
          const fault = this.#faultOf(error)
          failed(fault)
          return fault !== error
        }
      }
      this.#add(companyId, { run, failed })
    })
  }

  #add(companyId: string, read: Read): void {
    const waiting = this.#waiting.get(companyId)
    if (waiting && waiting.length < this.#most) {
      waiting.push(read)
      return
    }
    const reads = [read]
    this.#waiting.set(companyId, reads)
    void this.#run(companyId, reads)
  }

  async #run(companyId: string, reads: readonly Read[]): Promise<void> {
    const close = () => {
      if (this.#waiting.get(companyId) === reads) this.#waiting.delete(companyId)
    }
    try {
      const session = await this.#connect(companyId)
      close()
      this.#most = session.isAlone ? MOST : 1
      const failures = await Promise.all(reads.map(({ run }) => run(session)))
      // A session in an unknown state is discarded.
      session.release(failures.includes(true))
    } catch (error) {
      close()
      for (const { failed } of reads) failed(error)
    }
  }
}
