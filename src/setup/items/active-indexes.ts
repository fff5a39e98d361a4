// Maintains the indexes of the current setup: missing ones are built in the background, and existing ones are added to
// the document definitions, so that the query compiler uses them.
import { getOrInsert } from '../../base/memo.ts'
import { messageOf } from '../../base/thrown.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { Observe } from '../../observe/observation.ts'
import { indexChanges, type SetupIndex } from '../../sql/setup-index.ts'
import type { Store } from '../../store/store.ts'
import { type FindCommon, wantedIndexes } from './document-indexes.ts'
import type { SetupItem } from './setup-item.ts'

interface ActiveIndexesOptions {
  readonly store: Store
  readonly findCommon: FindCommon
  readonly observe: Observe
  /** False where another process of the service builds the indexes. */
  readonly builds: boolean
}

/** Interval of the check for indexes that another process has built. */
const CHECK_MS = 2_000

export class ActiveIndexes {
  readonly #options: ActiveIndexesOptions
  readonly #stopping = new AbortController()
  /** Keyed by document name. */
  #wanted: ReadonlyMap<string, readonly SetupIndex[]> = new Map()
  #existing: ReadonlySet<string> = new Set()
  #extended = new WeakMap<DocumentDefinition, DocumentDefinition>()
  #isStarted = false
  #building: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ActiveIndexesOptions) {
    this.#options = options
  }

  /** Switches to the indexes of another setup. */
  async replace(items: readonly SetupItem[]): Promise<void> {
    this.#wanted = wantedIndexes(items, this.#options.findCommon)
    this.#extended = new WeakMap()
    await this.#refresh()
    if (this.#isStarted) this.#buildNext()
  }

  /** The document with its existing setup indexes. Returns the same object as long as these do not change. */
  withIndexes(definition: DocumentDefinition): DocumentDefinition {
    return getOrInsert(this.#extended, definition, () =>
      withIndexes(definition, this.#wanted.get(definition.name) ?? [], this.#existing),
    )
  }

  /** Starts to build. Called once the server listens, so that no startup waits for an index. */
  start(): void {
    this.#isStarted = true
    this.#buildNext()
    this.#timer = setInterval(() => {
      // The requests that need an unreachable store report it.
      if (this.#isIncomplete()) this.#refresh().catch(() => {})
    }, CHECK_MS)
    this.#timer.unref()
  }

  /** Resolves when no index is being built any more. */
  settle(): Promise<void> {
    return this.#building
  }

  /** Cancels the current build and resolves when it has ended. */
  stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    return this.#building
  }

  async #refresh(): Promise<void> {
    const existing = await this.#options.store.setupIndexes()
    if (existing.symmetricDifference(this.#existing).size === 0) return
    this.#existing = existing
    this.#extended = new WeakMap()
  }

  #isIncomplete(): boolean {
    return this.#allWanted().some(({ name }) => !this.#existing.has(name))
  }

  #allWanted(): SetupIndex[] {
    return [...this.#wanted.values()].flat()
  }

  #buildNext(): void {
    if (!this.#options.builds) return
    this.#building = this.#building
      .then(() => this.#build())
      .catch((error: unknown) => {
        this.#options.observe({ kind: 'store-warning', message: messageOf(error) })
      })
  }

  async #build(): Promise<void> {
    const { signal } = this.#stopping
    if (signal.aborted) return
    const changes = indexChanges(this.#allWanted(), await this.#options.store.setupIndexes())
    const [created, dropped] = [changes.create.length, changes.drop.length]
    if (created + dropped === 0) return
    const startedAt = performance.now()
    await this.#options.store.changeIndexes(changes, signal)
    if (signal.aborted) return
    await this.#refresh()
    this.#options.observe({ kind: 'indexes-changed', created, dropped, ms: Math.round(performance.now() - startedAt) })
  }
}

/** The document with those of its wanted indexes that exist; the same object where none exists. */
export function withIndexes(
  definition: DocumentDefinition,
  wanted: readonly SetupIndex[],
  existing: ReadonlySet<string>,
): DocumentDefinition {
  const built = wanted.filter(({ name }) => existing.has(name))
  if (built.length === 0) return definition
  const ordered = built.filter((index) => index.kind === 'order')
  const texts = built.filter((index) => index.kind === 'text')
  return { ...definition, indexes: [...(definition.indexes ?? []), ...ordered], textIndexes: texts }
}
