// What a service looks at while it runs: its sizes, queues and keys, the rules in force, and what is to be deleted.
import type { KeyRing } from '../access/keys.ts'
import { freeBytes } from '../base/process/files.ts'
import { PROGRAM_VERSION } from '../base/process/program-version.ts'
import { orUndefined } from '../base/thrown.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import type { Companies } from '../setup/rules/companies.ts'
import { findSizes } from '../store/service-state/size-store.ts'
import type { Integrity, Store } from '../store/store.ts'
import type { ApplicationSettings } from './application.ts'
import type { Opened } from './open.ts'
import { TRANSFER_BYTES } from './open-server.ts'
import type { AppParts, ServedApp } from './serve.ts'
import { nowAndThen, watchLifeCycle } from './watch-life-cycle.ts'

export function watch(parts: AppParts & { readonly served: ServedApp }) {
  const { settings, opened, rules, callers, edge, served, resources } = parts
  const { store, metrics, observe, clock } = opened
  const { companies } = rules
  const { memory } = edge
  declareGauges(parts)
  resources.defer(watchSizes(opened, settings))
  resources.defer(watchQuotas(opened, companies))
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

function declareGauges({ settings, opened, rules, edge }: AppParts): void {
  const { store, metrics } = opened
  const { companies } = rules
  const { memory } = edge
  const versions = { version: PROGRAM_VERSION, node: process.versions.node }
  metrics.info('tabularium_build_info', 'The versions of the program and of what it runs on.', versions)
  metrics.gauge('tabularium_transfer_bytes', 'Memory of file contents in transfer.', () => memory.used)
  metrics.gauge('tabularium_transfer_limit_bytes', 'The limit of the memory in transfer.', () => TRANSFER_BYTES)
  const help = 'Companies whose rules are in memory: they were asked for last.'
  metrics.gauge('tabularium_companies_loaded', help, () => companies.loaded, 'max')
  watchIntegrity(store, metrics)
  const lost = 'Log lines that were lost because nobody read the log.'
  metrics.gauge('tabularium_log_lines_lost', lost, () => settings.lostLogLines?.() ?? 0)
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

// Metrics of what is stored, and of the room that is left.

const LOOK_MS = 30_000
const NEARLY = 0.9

type Kind = 'files' | 'journal'

/**
 * What all companies store, and how much of its quotas the fullest one has used: no label names a company, but the log
 * does when there is little left. Gives what ends it.
 */
function watchQuotas({ store, metrics, observe }: Opened, companies: Companies): () => void {
  const used: Record<Kind, number> = { files: 0, journal: 0 }
  const stored: Record<Kind, number> = { files: 0, journal: 0 }
  const told = new Set<string>()
  const tell = (companyId: string, kind: Kind, part: number) => {
    const key = JSON.stringify([companyId, kind])
    if (part < NEARLY) told.delete(key)
    else if (!told.has(key)) {
      told.add(key)
      const message = `${Math.floor(part * 100)} % of the quota of company ${companyId} for its ${kind} are used`
      observe({ kind: 'store-warning', message })
    }
  }
  const look = async () => {
    const found: Record<Kind, number> = { files: 0, journal: 0 }
    const sums: Record<Kind, number> = { files: 0, journal: 0 }
    for (const { id, quotas } of companies.all) {
      const { file_bytes, journal_bytes } = await findSizes(store.reading(id))
      for (const [kind, bytes, quota] of [
        ['files', Number(file_bytes), quotas.fileBytes],
        ['journal', Number(journal_bytes), quotas.journalBytes],
      ] as const) {
        sums[kind] += bytes
        if (quota === undefined) continue
        const part = bytes / Math.max(quota, 1)
        tell(id, kind, part)
        found[kind] = Math.max(found[kind], part)
      }
    }
    Object.assign(used, found)
    Object.assign(stored, sums)
  }
  for (const kind of ['files', 'journal'] as const) {
    const help = `The part of its quota for ${kind} that the company has used which has used most.`
    metrics.gauge(`tabularium_quota_${kind}_used_ratio`, help, () => used[kind], 'max')
    metrics.gauge(`tabularium_${kind}_bytes`, `Size of the ${kind} of all companies.`, () => stored[kind], 'max')
  }
  return nowAndThen(look, LOOK_MS)
}

/** How large the database is, and how much room its folders have. Gives what ends it. */
function watchSizes({ store, metrics }: Opened, { data, files }: ApplicationSettings): () => void {
  let bytes = 0
  metrics.gauge('tabularium_database_bytes', 'Size of the database on disk.', () => bytes, 'max')
  const folders = files === undefined || /^s3:/i.test(files) ? { data } : { data, files }
  const free = () => Object.fromEntries(Object.entries(folders).flatMap(([name, folder]) => freeIn(name, folder)))
  const help = 'Free space of the disks that have the data folder and the folder of contents.'
  metrics.gauges('tabularium_disk_free_bytes', help, 'folder', free, 'min')
  return nowAndThen(async () => {
    bytes = await store.databaseBytes()
  }, LOOK_MS)
}

/** Nothing for a folder that is gone. */
function freeIn(name: string, folder: string): [name: string, bytes: number][] {
  const bytes = orUndefined(() => freeBytes(folder))
  return bytes === undefined ? [] : [[name, bytes]]
}
