// Renders the built-in icons in a separate process. An icon is the response when the processes for contents are busy or
// have failed, so it must not wait for them. The process for icons never handles untrusted input.
import { LRUCache } from 'lru-cache'
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import { unavailable } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import type { IconName } from './icons.ts'
import { JobPool } from './job-pool.ts'
import type { Size } from './size.ts'

const MEMORY_BYTES = 256 * 1024 * 1024
/** Far more than rendering one takes. */
export const ICON_TIMEOUT_MS = 5_000
const MAX_ATTEMPTS = 2
/** The number of sizes of three icons. Equal icons are rendered once, so the queue cannot grow beyond it. */
const MAX_WAITING = 3 * 2_048
/** Cache size: some hundreds of icons of the usual sizes. */
const CACHE_BYTES = 4 * 1024 * 1024

export class IconDrawer {
  readonly #timeoutMs: number
  readonly #pool = new JobPool({ processes: 1, memoryBytes: MEMORY_BYTES, queue: MAX_WAITING })
  readonly #cache = new LRUCache<string, Uint8Array, Flow>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (png) => png.length,
    fetchMethod: (key, _stale, { context }) => this.#tryToDraw(context, key),
  })

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /**
   * The largest square icon that fits, as PNG. `flow` identifies the caller for fair scheduling. Throws a Problem
   * (503).
   */
  async draw(flow: Flow, icon: IconName, { width, height }: Size): Promise<Uint8Array> {
    const png = await this.#cache.fetch(`${icon} ${Math.min(width, height)}`, { context: flow })
    if (!png) throw unavailable('Thumbnails cannot be made.')
    return png
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #tryToDraw(flow: Flow, key: string): Promise<Uint8Array> {
    const [icon = '', side = ''] = key.split(' ')
    const faults: unknown[] = []
    while (faults.length < MAX_ATTEMPTS) {
      try {
        return await this.#pool.run(flow, { kind: 'icon', options: { icon, side }, timeoutMs: this.#timeoutMs })
      } catch (error) {
        if (error instanceof Problem) throw error
        faults.push(error)
      }
    }
    throw unavailable('Thumbnails cannot be made.', undefined, faults.at(-1))
  }
}
