// The figures of the queues of the process. Queues of one name are counted together.
import type { QueueFigures } from '../base/concurrency/waiting-queue.ts'

interface Queue {
  readonly figures: QueueFigures
}

export class QueueMetrics {
  readonly #queues = new Map<string, Queue[]>()

  add(name: string, queue: Queue): void {
    this.#queues.set(name, [...(this.#queues.get(name) ?? []), queue])
  }

  /** A figure of all queues, by name. */
  of(figure: keyof QueueFigures): Readonly<Record<string, number>> {
    const sums = [...this.#queues].map(([name, queues]) => [
      name,
      queues.reduce((sum, { figures }) => sum + figures[figure], 0),
    ])
    return Object.fromEntries(sums)
  }
}
