// Our own icons, drawn in a process of their own: an icon is what is answered when the processes for contents are busy
// or have failed, so it must not wait for them. The process that reads our drawings never sees a stranger's.
import { LRUCache } from 'lru-cache'
import type { Flow } from '../../base/fair-queue.ts'
import { unavailable } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import { JobPool } from '../jobs/job-pool.ts'
import type { IconName } from './icons.ts'
import type { Size } from './size.ts'

const MEMORY_BYTES = 256 * 1024 * 1024
/** Far more than it takes to draw one; a process may be killed for reasons of the machine. */
export const ICON_TIMEOUT_MS = 5_000
const TRIES = 2
/** As many as there are sizes of three icons: whoever asks is bounded elsewhere, and equal icons are drawn once. */
const MOST_WAITING = 3 * 2_048
/** Some hundreds of icons of the usual sizes. */
const KEPT_BYTES = 4 * 1024 * 1024

export class IconDrawer {
  readonly #timeoutMs: number
  readonly #pool = new JobPool({ processes: 1, memoryBytes: MEMORY_BYTES, queue: MOST_WAITING })
  readonly #drawn = new LRUCache<string, Uint8Array, Flow>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (png) => png.length,
    fetchMethod: (key, _stale, { context }) => this.#tryToDraw(context, key),
  })

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** The icon as PNG, as large as fits, for one caller among others. Icons are square. Throws a Problem (503) when none can be drawn. */
  async draw(flow: Flow, icon: IconName, { width, height }: Size): Promise<Uint8Array> {
    const png = await this.#drawn.fetch(`${icon} ${Math.min(width, height)}`, { context: flow })
    if (!png) throw unavailable('Thumbnails cannot be made.')
    return png
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #tryToDraw(flow: Flow, key: string): Promise<Uint8Array> {
    const [icon = '', side = ''] = key.split(' ')
    const faults: unknown[] = []
    while (faults.length < TRIES) {
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
