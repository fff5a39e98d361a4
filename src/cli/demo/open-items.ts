import type { Random } from './random.ts'

/** An invoice that waits for its payment. */
export interface OpenItem {
  /** The customer or supplier. */
  readonly party: string
  readonly invoice: string
  /** What is owed, in oere and in the invoice's currency. */
  readonly oere: number
  readonly cents: number
  readonly currency: string
  /** Index of the day of the invoice. */
  readonly since: number
}

/** How far from the oldest invoice a payment may reach: not everybody pays in order. */
const REACH = 40
/** Paid items in front are dropped once there are so many. */
const PAID_LIMIT = 10_000

/** Unpaid invoices, about oldest first. */
export class OpenItems {
  private items: OpenItem[] = []
  private first = 0

  put(item: OpenItem): void {
    this.items.push(item)
  }

  /** Takes one of the oldest out, if it is at least so many days old. */
  take(random: Random, today: number, days: number): OpenItem | undefined {
    const { items, first } = this
    const reach = Math.min(REACH, items.length - first)
    if (reach < 1) return undefined
    const at = first + Math.floor(random.next() * reach)
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
