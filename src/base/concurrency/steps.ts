// Long work in the thread that serves everybody is done in short steps. Between two of them the event loop has a turn
// of its own, so that other requests and health checks never wait for more than one step, whatever else is at work.
import { setImmediate } from 'node:timers/promises'
import type { OnAbandoned } from './admission-queue.ts'

/** A step is about this long, in milliseconds. */
export const STEP_MS = 10

/** Ends when all long work that came before has had its turn. */
let turns: Promise<unknown> = Promise.resolve()

/** Resolves in a turn of the event loop in which no other long work goes on. */
function ownTurn(): Promise<unknown> {
  turns = turns.then(() => setImmediate())
  return turns
}

/** The steps of one piece of work. */
export class Steps {
  #startedAt = performance.now()
  #stopped: Error | undefined

  /** `abandoned` makes the error for work that nobody waits for any more. */
  constructor(onAbandoned: OnAbandoned = () => {}, abandoned: () => Error = () => new Error('nobody waits')) {
    onAbandoned(() => (this.#stopped = abandoned()))
  }

  /** Lets all others have their turn if the step was long enough. Throws when nobody waits for the work any more. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedAt >= STEP_MS) {
      await ownTurn()
      this.#startedAt = performance.now()
    }
    if (this.#stopped) throw this.#stopped
  }
}
