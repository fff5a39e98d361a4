// Fills the companies that have a source, each in one process at a time.
import { HeldLeases, type LeaseTimes } from '../store/held-leases.ts'
import { CompanyMirror, type MirrorParts } from './company-mirror.ts'
import { addDocuments, MIRROR_LEASES } from './mirror-store.ts'

/** How often it is looked for companies that a new setup has given a source. */
const LOOK_MS = 1_000

export class Mirrors {
  readonly #parts: MirrorParts
  readonly #leases: HeldLeases<CompanyMirror>
  /** The setup whose companies have their leases. */
  #lookedAt: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ leaseMs, lookMs, ...parts }: MirrorParts & LeaseTimes) {
    this.#parts = parts
    const { companies, metrics } = parts
    this.#leases = new HeldLeases({
      store: parts.store,
      companies: {
        get all() {
          return companies.all.filter(({ hasSource }) => hasSource)
        },
      },
      table: MIRROR_LEASES,
      begin: (lease, validUntil) => new CompanyMirror(lease, validUntil, parts),
      leaseMs,
      lookMs,
    })
    metrics.documents = () => this.#leases.all.flatMap(({ figures }) => figures)
    metrics.quotaUsed = () => {
      const used = this.#leases.all.flatMap((company) => company.used ?? [])
      return {
        requests: Math.max(0, ...used.map(({ requests, requestsAllowed }) => requests / requestsAllowed)),
        bytes: Math.max(0, ...used.map(({ bytes, bytesAllowed }) => bytes / bytesAllowed)),
      }
    }
  }

  /** From now on this process fills companies. */
  start(): void {
    this.#timer = setInterval(() => void this.#lookForSources(), LOOK_MS).unref()
    void this.#lookForSources()
    this.#leases.start()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#leases.stop()
  }

  async #lookForSources(): Promise<void> {
    const { store, companies } = this.#parts
    const { setupVersion } = companies
    if (setupVersion === this.#lookedAt) return
    try {
      for (const { id, hasSource } of companies.all) {
        if (!hasSource) continue
        await addDocuments(store, id, [])
        this.#leases.look(id)
      }
      this.#lookedAt = setupVersion
    } catch {
      // A store that cannot be asked now is told by those who need an answer.
    }
  }
}
