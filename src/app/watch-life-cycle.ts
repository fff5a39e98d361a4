// What leaves the database, and what stays: responses kept for retries are deleted when they expire, texts of the
// change log when the setup keeps them no longer, and metrics tell what was purged and erased, what is held and how old
// the journal is. No label names a company.
import type { Clock } from '../base/clock.ts'
import { pruneJournal } from '../lifecycle/purge-journal.ts'
import type { Metrics } from '../observe/metrics.ts'
import { countIdempotencyRecords, deleteExpiredRecords } from '../records/shared/idempotency-store.ts'
import type { Companies } from '../setup/rules/companies.ts'
import { findLifeCycle, findOldestEntry } from '../store/service-state/life-cycle-store.ts'
import type { Actor, Store } from '../store/store.ts'

const LOOK_MS = 60_000
const ACTOR: Actor = { userId: 'system', clientId: '', requestId: '' }

interface Watched {
  readonly store: Store
  readonly companies: Companies
  readonly metrics: Metrics
  /** Whether this process deletes what has expired; one of several does. */
  readonly deletes: boolean
  readonly clock: Clock
}

/** Sums over all companies; times are Unix time, 0 for never. */
interface Figures {
  purged: number
  purgedAt: number
  erased: number
  erasedAt: number
  oldestEntryAt: number
  idempotencyRecords: number
}

const GAUGES: readonly (readonly [name: string, help: string, figure: keyof Figures])[] = [
  ['purged_records', 'Records that were purged.', 'purged'],
  ['purge_time_seconds', 'When records were last purged (Unix time).', 'purgedAt'],
  ['erased_records', 'Records whose personal values were erased.', 'erased'],
  ['erasure_time_seconds', 'When personal values were last erased (Unix time).', 'erasedAt'],
  [
    'journal_oldest_entry_time_seconds',
    'When the oldest journal entry with texts was written (Unix time).',
    'oldestEntryAt',
  ],
  ['idempotency_records', 'Responses kept for retries.', 'idempotencyRecords'],
]

/** Looks now and then; returns what ends it. */
export function watchLifeCycle({ store, companies, metrics, deletes, clock }: Watched): () => void {
  let figures = none()
  const look = async () => {
    const found = none()
    for (const company of companies.all) {
      const { id } = company
      if (deletes) await deleteExpiredRecords(store, id, ACTOR, clock())
      if (deletes) await pruneJournal({ store, company, actor: ACTOR, now: clock() })
      await add(found, store, id)
    }
    figures = found
  }
  for (const [name, help, figure] of GAUGES) metrics.gauge(`tabularium_${name}`, help, () => figures[figure], 'max')
  const holds = () => companies.all.reduce((sum, company) => sum + company.holds.length, 0)
  metrics.gauge('tabularium_legal_holds', 'Legal holds of the setup.', holds, 'max')
  return nowAndThen(look, LOOK_MS)
}

function none(): Figures {
  return { purged: 0, purgedAt: 0, erased: 0, erasedAt: 0, oldestEntryAt: 0, idempotencyRecords: 0 }
}

async function add(figures: Figures, store: Store, companyId: string): Promise<void> {
  const tx = store.reading(companyId)
  const found = await findLifeCycle(tx)
  if (!found) return
  figures.purged += Number(found.purged_count)
  figures.erased += Number(found.erased_count)
  figures.purgedAt = Math.max(figures.purgedAt, secondsOf(found.purged_at))
  figures.erasedAt = Math.max(figures.erasedAt, secondsOf(found.erased_at))
  figures.idempotencyRecords += await countIdempotencyRecords(tx)
  const oldest = await findOldestEntry(tx, found.texts_from)
  if (oldest === undefined) return
  const seconds = oldest / 1000
  figures.oldestEntryAt = figures.oldestEntryAt === 0 ? seconds : Math.min(figures.oldestEntryAt, seconds)
}

function secondsOf(instant: string): number {
  return instant === '' ? 0 : Date.parse(instant) / 1000
}

/** Looks at once and then every so often; returns what ends it. */
export function nowAndThen(look: () => Promise<void>, everyMs: number): () => void {
  // A store that cannot be asked now is told by those who need an answer.
  const lookOn = () => void look().catch(() => {})
  lookOn()
  const timer = setInterval(lookOn, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
