// Which events are sent next: at most one of each record is under way, and records do not wait for each other.
import type { WaitingEvent } from './event-store.ts'

/** Attempts of one subscription that are under way. */
export const MAX_IN_FLIGHT = 16
/** Events in one body. */
const MAX_BATCH = 100

interface Selection {
  readonly isBatch: boolean
  /** By the key of their records. */
  readonly inFlight: { readonly size: number; keys(): Iterable<string> }
  readonly now: number
}

/** What an event waits for: the end of another one of the same record. */
export function eventKey({ entity, recordKey }: WaitingEvent): string {
  return `${entity} ${recordKey}`
}

/**
 * The groups of events to send now, each in one body, and when the next one is due after them. `read` gives the first
 * events by the time when they are due, those under way among them.
 */
export async function nextGroups(
  read: (limit: number) => Promise<readonly WaitingEvent[]>,
  { isBatch, inFlight, now }: Selection,
): Promise<{ readonly groups: readonly (readonly WaitingEvent[])[]; readonly nextAt: number | undefined }> {
  const free = isBatch ? (inFlight.size > 0 ? 0 : MAX_BATCH) : MAX_IN_FLIGHT - inFlight.size
  // Each end of an attempt leads here again.
  if (free <= 0) return { groups: [], nextAt: undefined }
  // As of before the events are read: one whose attempt ends meanwhile may be read as it was before that attempt.
  const busy = new Set(inFlight.keys())
  const events = await read(free + busy.size + 1)
  const ready = [...Map.groupBy(events, eventKey)].flatMap(([key, [first]]) => (first && !busy.has(key) ? [first] : []))
  const due = ready.filter(({ nextAt }) => nextAt <= now)
  const nextAt = ready.find((event) => event.nextAt > now)?.nextAt
  if (isBatch) return { groups: due.length > 0 ? [batchOf(due)] : [], nextAt }
  return { groups: due.slice(0, free).map((event) => [event]), nextAt }
}

/** A batch that has failed stays the same. */
function batchOf(due: readonly WaitingEvent[]): readonly WaitingEvent[] {
  const [first] = due
  if (!first || first.entity === '') return due.slice(0, 1)
  const isAlike = ({ entity, attempts, nextAt }: WaitingEvent) =>
    entity !== '' && attempts === first.attempts && (attempts === 0 || nextAt === first.nextAt)
  return due.filter(isAlike).slice(0, MAX_BATCH)
}
