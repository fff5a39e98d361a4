// What a service looks at while it runs: its sizes, queues and keys, the rules in force, and what is to be deleted.

import type { KeyRing } from '../access/keys.ts'
import type { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { PROGRAM_VERSION } from '../base/process/program-version.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { Integrity, Store } from '../store/store.ts'
import { TRANSFER_BYTES } from './open-server.ts'
import type { AppParts, ServedApp } from './serve.ts'
import { watchLifeCycle } from './watch-life-cycle.ts'
import { watchQuotas, watchSizes } from './watch-sizes.ts'

export function watch({
  settings,
  opened,
  rules,
  callers,
  edge,
  served,
  resources,
}: AppParts & { readonly served: ServedApp }) {
  const { store, metrics, observe, clock } = opened
  const { companies } = rules
  const { memory } = edge
  declareGauges({ store, companies, memory, memoryBytes: TRANSFER_BYTES, lostLogLines: settings.lostLogLines, metrics })
  resources.defer(watchSizes({ store, data: settings.data, files: settings.files, metrics }))
  resources.defer(watchQuotas({ store, companies, metrics, observe }))
  const { looksAfter = true } = settings
  resources.defer(watchLifeCycle({ store, companies, metrics, deletes: looksAfter, clock }))
  const queues = {
    'event-loop': edge.parts.admission,
    requests: edge.pipeline.inFlight,
    batches: served.batches,
    changes: rules.changes.waits,
    'long-work': rules.longWork.queue,
    transfers: memory,
    secrets: callers.identity.secrets,
    thumbnails: served.thumbnails,
  }
  for (const [name, queue] of Object.entries(queues)) if (queue) metrics.store.queues.add(name, queue)
  rules.active.watch()
  served.texts.start()
  resources.defer(watchKeys(callers.keys, settings.keys === undefined, observe))
}

interface Gauged {
  readonly store: Store
  readonly companies: Companies
  readonly memory: AdmissionQueue
  readonly memoryBytes: number
  /** Absent: no line is lost. */
  readonly lostLogLines: (() => number) | undefined
  readonly metrics: Metrics
}

function declareGauges({ store, companies, memory, memoryBytes, lostLogLines, metrics }: Gauged): void {
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

/** Until then all processes sign with the new key; tokens of the one before are valid anyway. */
const KEY_CHECK_MS = 1_000

/** Reloads the keys when their file changes, such as by `keys rotate`. Generated ones are also rotated by age. */
function watchKeys(keys: KeyRing, areGenerated: boolean, observe: Observe): () => void {
  let reported = ''
  let isChecking = false
  const check = async () => {
    // A slow disk must not lead to two new keys.
    if (isChecking) return
    isChecking = true
    try {
      keys.reload()
      const keyId = areGenerated ? await keys.rotateWhenDue() : undefined
      if (keyId !== undefined) observe({ kind: 'keys-rotated', keyId })
      reported = ''
    } catch (error) {
      const message = `the keys could not be read or rotated: ${error}`
      if (message !== reported) observe({ kind: 'store-warning', message })
      reported = message
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(() => void check(), KEY_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
