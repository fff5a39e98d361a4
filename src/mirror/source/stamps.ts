// When records of a source were changed, by the clock that writes it there: it may run before or behind others, and be
// that of a place whose time is not UTC.
import { parseDateTime, withoutZone } from '../../base/dates.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { stampIn } from '../../records/kinds/copied-records.ts'

/** Changes are looked for from so long before the newest one: clocks differ, and transactions commit late. */
export const OVERLAP_MS = 5 * 60_000
/** Later ones are no times at which something was changed, unless most are. */
const SLACK_MS = OVERLAP_MS / 2
/** Zones differ by quarters of an hour. */
const QUARTER_MS = 15 * 60_000
/** So many records tell of a clock that runs ahead. */
const FEW = 3

/** How the source writes these times. */
interface StampForm {
  readonly isZoneless: boolean
  readonly aheadMs: number
}

/** When a record was changed, in the stored form of times; undefined where it does not tell. */
function stampOf({ lastUpdated }: JsonObject): string | undefined {
  return stampIn(lastUpdated)?.updatedAt
}

/** When those records were changed that tell it. */
export function stampsOf(rows: Iterable<JsonObject>): readonly string[] {
  return Array.from(rows, stampOf).filter((stamp) => stamp !== undefined)
}

export function isZoneless(rows: Iterable<JsonObject>): boolean {
  return [...rows].some(({ lastUpdated }) => {
    const { updatedAt } = (lastUpdated ?? {}) as JsonObject
    return typeof updatedAt === 'string' && parseDateTime(updatedAt) !== undefined && !ZONE.test(updatedAt)
  })
}

const ZONE = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i

/** A filter for what was changed at a moment, or later. The source takes times as it writes them. */
export function changedSince(moment: string, form: Pick<StampForm, 'isZoneless'>): string {
  return `lastUpdated/updatedAt ge '${form.isZoneless ? withoutZone(moment) : moment}'`
}

/** How far the clock of these changes is before the one of the answers, which may have been found out already. */
export function aheadOf(stamps: readonly string[], now: number, known: number): number {
  const bound = new Date(now + known + SLACK_MS).toISOString()
  const ahead = stamps.filter((stamp) => stamp > bound).sort()
  if (ahead.length < FEW || ahead.length * 2 <= stamps.length) return known
  const middle = Date.parse(ahead[Math.floor(ahead.length / 2)] ?? '') - now
  return Math.ceil(middle / QUARTER_MS) * QUARTER_MS
}

/** The newest of these changes that can have been made by now; empty: none can. */
export function newestOf(stamps: readonly string[], now: number, aheadMs: number): string {
  const bound = new Date(now + aheadMs + SLACK_MS).toISOString()
  return stamps.reduce((newest, stamp) => (stamp > newest && stamp <= bound ? stamp : newest), '')
}

export function earlierBy(moment: string, ms: number): string {
  return new Date(Math.max(Date.parse(moment) - ms, 0)).toISOString()
}
