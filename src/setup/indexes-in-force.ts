// Sees to it that the indexes which the setup in force asks for are there: what is missing is built in the background, and
// what is there is added to the documents, so that queries are made for it.
import type { DocumentDefinition } from '../model/document.ts'
import type { Observe } from '../observe/observation.ts'
import { indexChanges, type SetupIndex } from '../store/setup-index.ts'
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

/** Another process may be building. */
const CHECK_MS = 2_000

export class IndexesInForce {
  readonly #store: Store
  readonly #findCommon: FindCommon
  readonly #observe: Observe
  readonly #builds: boolean
  readonly #stopping = new AbortController()
  /** By the name of the document. */
  #wanted: ReadonlyMap<string, readonly SetupIndex[]> = new Map()
  #existing: ReadonlySet<string> = new Set()
  #extended = new WeakMap<DocumentDefinition, DocumentDefinition>()
  #isServing = false
  #building: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor({ store, findCommon, observe, builds }: IndexKeepers) {
    this.#store = store
    this.#findCommon = findCommon
    this.#observe = observe
    this.#builds = builds
  }

  /** Takes over what a setup asks for. */
  async replace(items: readonly SetupItem[]): Promise<void> {
    this.#wanted = wantedIndexes(items, this.#findCommon)
    this.#extended = new WeakMap()
    await this.#look()
    if (this.#isServing) this.#buildNext()
  }

  /** The document with the indexes that a setup has given it and that are there; the same object as long as they are the same. */
  added(definition: DocumentDefinition): DocumentDefinition {
    const known = this.#extended.get(definition)
    if (known) return known
    const extended = withIndexes(definition, this.#wanted.get(definition.name) ?? [], this.#existing)
    this.#extended.set(definition, extended)
    return extended
  }

  /** Called when requests are answered: from now on nobody waits for an index. */
  serve(): void {
    this.#isServing = true
    this.#buildNext()
    this.#timer = setInterval(() => {
      // An unreachable store is told by the requests that need it.
      if (this.#isMissingSome()) this.#look().catch(() => {})
    }, CHECK_MS)
    this.#timer.unref()
  }

  /** Resolves when nothing is being built any more. */
  settle(): Promise<void> {
    return this.#building
  }

  /** Ends what is being built. */
  stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    return this.#building
  }

  async #look(): Promise<void> {
    const existing = await this.#store.setupIndexes()
    if (existing.symmetricDifference(this.#existing).size === 0) return
    this.#existing = existing
    this.#extended = new WeakMap()
  }

  #isMissingSome(): boolean {
    return this.#all().some(({ name }) => !this.#existing.has(name))
  }

  #all(): SetupIndex[] {
    return [...this.#wanted.values()].flat()
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
    const { signal } = this.#stopping
    if (signal.aborted) return
    const changes = indexChanges(this.#all(), await this.#store.setupIndexes())
    const [created, dropped] = [changes.create.length, changes.drop.length]
    if (created + dropped === 0) return
    const startedAt = performance.now()
    await this.#store.changeIndexes(changes, signal)
    if (signal.aborted) return
    await this.#look()
    this.#observe({ kind: 'indexes-changed', created, dropped, ms: Math.round(performance.now() - startedAt) })
  }
}

/** The document with those of its wanted indexes that are there; itself where none is. */
export function withIndexes(
  definition: DocumentDefinition,
  wanted: readonly SetupIndex[],
  existing: ReadonlySet<string>,
): DocumentDefinition {
  const there = wanted.filter(({ name }) => existing.has(name))
  if (there.length === 0) return definition
  const ordered = there.filter((index) => index.kind === 'order')
  const texts = there.filter((index) => index.kind === 'text')
  return { ...definition, indexes: [...(definition.indexes ?? []), ...ordered], textIndexes: texts }
}
