// Gauges of parts that know nothing of metrics.
import type { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import type { Metrics } from '../../observe/metrics.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { Integrity, Store } from '../../store/store.ts'

interface Gauged {
  readonly store: Store
  readonly companies: Companies
  readonly memory: AdmissionQueue
  readonly memoryBytes: number
  /** Absent: no line is lost. */
  readonly lostLogLines: (() => number) | undefined
  readonly metrics: Metrics
}

export function declareGauges({ store, companies, memory, memoryBytes, lostLogLines, metrics }: Gauged): void {
  const versions = { version: PROGRAM_VERSION, node: process.versions.node }
  metrics.info('tabularium_build_info', 'The versions of the program and of what it runs on.', versions)
  watchTransfers(memory, memoryBytes, metrics)
  const help = 'Companies whose rules are in memory: they were asked for last.'
  metrics.gauge('tabularium_companies_loaded', help, () => companies.loaded, 'max')
  watchIntegrity(store, metrics)
  watchLog(lostLogLines, metrics)
}

/** Registers nothing for PostgreSQL, where the server checks its files. Processes on one file have the same values. */
function watchIntegrity(store: Store, metrics: Metrics): void {
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

function watchTransfers(memory: AdmissionQueue, limitBytes: number, metrics: Metrics): void {
  metrics.gauge('tabularium_transfer_bytes', 'Memory of file contents in transfer.', () => memory.used)
  metrics.gauge('tabularium_transfer_limit_bytes', 'The limit of the memory in transfer.', () => limitBytes)
}

function watchLog(lostLines: (() => number) | undefined, metrics: Metrics): void {
  const help = 'Log lines that were lost because nobody read the log.'
  metrics.gauge('tabularium_log_lines_lost', help, () => lostLines?.() ?? 0)
}
