import type { Random } from './random.ts'

/** An unpaid invoice. */
export interface OpenItem {
  /** The customer or supplier. */
  readonly party: string
  readonly invoice: string
  /** The amount in oere; `cents` is the amount in the invoice's currency. */
  readonly oere: number
  readonly cents: number
  readonly currency: string
  /** Index of the day of the invoice. */
  readonly since: number
}

/** Payments choose among this many of the oldest invoices, since invoices are not paid in strict order. */
const CANDIDATES = 40
/** Number of paid items at the front after which they are dropped. */
const PAID_LIMIT = 10_000

/** Unpaid invoices, roughly the oldest first. */
export class OpenItems {
  private items: OpenItem[] = []
  private first = 0

  put(item: OpenItem): void {
    this.items.push(item)
  }

  /** Removes and returns one of the oldest invoices, if it is at least `days` days old. */
  take(random: Random, today: number, days: number): OpenItem | undefined {
    const { items, first } = this
    const candidates = Math.min(CANDIDATES, items.length - first)
    if (candidates < 1) return undefined
    const at = first + Math.floor(random.next() * candidates)
    const item = items[at]
    const oldest = items[first]
    if (!item || !oldest || today - item.since < days) return undefined
    items[at] = oldest
    this.first += 1
    if (this.first >= PAID_LIMIT) this.drop()
    return item
  }

  private drop(): void {
    this.items = this.items.slice(this.first)
    this.first = 0
  }
}
