// Metrics about the integrity of the database file. All processes on one file report the same values.
import type { Metrics } from '../observe/metrics.ts'
import type { Integrity, Store } from '../store/store.ts'

/** Registers nothing for PostgreSQL, where the server checks its files. */
export function watchIntegrity(store: Store, metrics: Metrics): void {
  const known = store.integrity()
  if (!known) return
  const declare = (name: string, help: string, read: (integrity: Integrity) => number) =>
    metrics.gauge(`tabularium_database_${name}`, help, () => read(store.integrity() ?? known), 'max')
  declare('check_running', 'Whether the database file is being checked.', ({ isChecking }) => Number(isChecking))
  declare('unchecked', 'Whether its service has not ended in good order since it was checked.', ({ condition }) =>
    Number(condition === 'unchecked'),
  )
  declare('faults', 'What the last check has found.', ({ lastCheck }) => lastCheck?.faults ?? 0)
  declare('check_end_time_seconds', 'When the last check ended (Unix time).', ({ lastCheck }) =>
    lastCheck ? Date.parse(lastCheck.endedAt) / 1000 : 0,
  )
  declare('check_duration_seconds', 'How long it took.', ({ lastCheck }) => lastCheck?.seconds ?? 0)
}
