// Sees to it that the indexes which the setup in force asks for are there: what is missing is built in the background.
import type { Observe } from '../observe/observation.ts'
import { type IndexChanges, indexChanges } from '../store/setup-index.ts'
import type { Store } from '../store/store.ts'
import { type FindCommon, wantedIndexes } from './document-indexes.ts'
import type { SetupItem } from './setup-items.ts'

export interface IndexKeepers {
  readonly store: Store
  readonly findCommon: FindCommon
  readonly observe: Observe
  /** False where another process of the service builds. */
  readonly builds: boolean
}

export class IndexesInForce {
  readonly #store: Store
  readonly #findCommon: FindCommon
  readonly #observe: Observe
  readonly #builds: boolean
  #items: readonly SetupItem[] = []
  #isServing = false
  readonly #stopping = new AbortController()
  #building: Promise<void> = Promise.resolve()

  constructor({ store, findCommon, observe, builds }: IndexKeepers) {
    this.#store = store
    this.#findCommon = findCommon
    this.#observe = observe
    this.#builds = builds
  }

  /** Takes over what a setup asks for. */
  replace(items: readonly SetupItem[]): void {
    this.#items = items
    if (this.#isServing) this.#buildNext()
  }

  /** Called when requests are answered: from now on nobody waits for an index. */
  serve(): void {
    this.#isServing = true
    this.#buildNext()
  }

  /** Resolves when nothing is being built any more. */
  settle(): Promise<void> {
    return this.#building
  }

  /** Ends what is being built. */
  stop(): Promise<void> {
    this.#stopping.abort()
    return this.#building
  }

  #buildNext(): void {
    if (!this.#builds) return
    this.#building = this.#building
      .then(() => this.#build())
      .catch((error: unknown) => {
        this.#observe({ kind: 'store-warning', message: (error as Error).message })
      })
  }

  async #build(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const changes = await this.#changes()
    const startedAt = performance.now()
    await this.#store.changeIndexes(changes, this.#stopping.signal)
    const [created, dropped] = [changes.create.length, changes.drop.length]
    if (created + dropped === 0 || this.#stopping.signal.aborted) return
    this.#observe({ kind: 'indexes-changed', created, dropped, ms: Math.round(performance.now() - startedAt) })
  }

  async #changes(): Promise<IndexChanges> {
    const wanted = [...wantedIndexes(this.#items, this.#findCommon).values()].flat()
    return indexChanges(wanted, await this.#store.setupIndexes())
  }
}
