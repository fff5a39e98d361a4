// A feed whose changes the test makes up.
import { ChangesGone } from '../../../src/changes/changes-gone.ts'
import type { FeedPage, FeedRequest, OpenFeed } from '../../../src/changes/feed/feed.ts'
import type { VisibleChange } from '../../../src/changes/feed/visible-change.ts'
import type { Position } from '../../../src/changes/record-change.ts'
import type { ChangeListener } from '../../../src/changes/wake.ts'

export class ToldChanges {
  readonly changes: VisibleChange[] = []
  /** Ids of changes that the owner may not see any more. */
  readonly hidden = new Set<string>()
  /** Changes up to this number are no longer kept. */
  goneUpTo = 0
  /** Thrown instead of opening. */
  refusal: Error | undefined
  readonly #listeners = new Set<() => void>()

  get last(): number {
    return this.changes.at(-1)?.position.number ?? 0
  }

  /** Adds a change of a record and tells all who listen. */
  add(key: string, number = this.last + 1): string {
    const id = `EN-${number}`
    const json = JSON.stringify({ id, number, entity: 'customers', key: { customerId: key }, record: { name: key } })
    const told = { id, entity: 'customers', recordKey: JSON.stringify([key]), operation: 'updated' as const, json }
    this.changes.push({ ...told, position: { number, part: 0 }, time: '2026-03-01T12:00:00.000Z' })
    for (const tell of this.#listeners) tell()
    return id
  }

  readonly open = async (_request: FeedRequest): Promise<OpenFeed> => {
    if (this.refusal) throw this.refusal
    return {
      companyId: 'EN',
      covers: ['customers'],
      notCovered: [],
      rights: '',
      read: (from, limit) => this.#read(from, limit),
      readOne: async ({ number }) => {
        const found = this.changes.find(({ position }) => position.number === number)
        return found && !this.hidden.has(found.id) ? found : undefined
      },
    }
  }

  readonly listen = (_companyId: string): ChangeListener => {
    const ends = new Set<() => void>()
    return {
      after: (number, ms, signal) =>
        new Promise<number>((resolve) => {
          const end = () => {
            clearTimeout(timer)
            this.#listeners.delete(tell)
            resolve(this.last)
          }
          const tell = () => (this.last > number ? end() : undefined)
          const timer = setTimeout(end, ms)
          this.#listeners.add(tell)
          ends.add(end)
          signal?.addEventListener('abort', end)
          tell()
        }),
      [Symbol.dispose]: () => {
        for (const end of ends) end()
      },
    }
  }

  async #read(from: Position, limit: number): Promise<FeedPage> {
    if (from.number < this.goneUpTo) throw new ChangesGone(['customers'])
    const after = this.changes.filter(({ position }) => position.number > from.number)
    const changes = after.slice(0, limit)
    const next = changes.at(-1)?.position ?? from
    return { changes, next, isAtEnd: after.length <= limit, last: this.last }
  }
}
