// Checks a database whose last service was not shut down cleanly, in a separate process while the service runs.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { startProgram } from '../../../base/process/start-program.ts'
import type { Observe } from '../../../observe/observation.ts'
import type { CheckResult } from './check-process.ts'
import { noteIntegrity, readIntegrity } from './integrity-record.ts'

export class BackgroundCheck {
  readonly #folder: string
  readonly #observe: Observe
  readonly #process: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #startedAt = performance.now()
  #isOver = false

  /** Starts the check. An interrupted check leaves the database unchecked. */
  constructor(file: string, observe: Observe) {
    this.#folder = dirname(file)
    this.#observe = observe
    const { isChecking: _, ...known } = readIntegrity(this.#folder)
    noteIntegrity(this.#folder, { ...known, isChecking: true })
    observe({ kind: 'database-check-begun' })
    this.#process = startProgram('check-process', import.meta.url, [file], ['ignore', 'ignore', 'inherit', 'ipc'])
    this.#process.on('message', (result: CheckResult) => this.#finish(result))
    this.#process.on('error', () => this.#giveUp())
    this.#ended = once(this.#process, 'exit').then(
      () => this.#giveUp(),
      () => {},
    )
  }

  /** Stops the check at any point. */
  async stop(): Promise<void> {
    this.#isOver = true
    this.#process.kill('SIGKILL')
    await this.#ended
  }

  #finish({ faults }: CheckResult): void {
    if (this.#isOver) return
    this.#isOver = true
    const seconds = Math.round(performance.now() - this.#startedAt) / 1000
    const [first] = faults
    noteIntegrity(this.#folder, {
      condition: first === undefined ? 'sound' : 'damaged',
      isChecking: false,
      lastCheck: { endedAt: new Date().toISOString(), seconds, faults: faults.length, ...(first ? { first } : {}) },
    })
    if (first === undefined) this.#observe({ kind: 'database-checked', seconds })
    else this.#observe({ kind: 'database-damaged', faults: faults.length, first })
  }

  #giveUp(): void {
    if (this.#isOver) return
    this.#isOver = true
    noteIntegrity(this.#folder, { ...readIntegrity(this.#folder), isChecking: false })
    const message = 'the database could not be checked: its process has ended; the next start tries again'
    this.#observe({ kind: 'store-warning', message })
  }
}
