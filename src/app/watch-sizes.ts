// Metrics of what is stored, and of the room that is left.
import { freeBytes } from '../base/process/free-bytes.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import type { Companies } from '../setup/rules/companies.ts'
import { findSizes } from '../store/service-state/size-store.ts'
import type { Store } from '../store/store.ts'
import { nowAndThen } from './now-and-then.ts'

const LOOK_MS = 30_000
const NEARLY = 0.9

interface WatchedQuotas {
  readonly store: Store
  readonly companies: Companies
  readonly metrics: Metrics
  readonly observe: Observe
}

type Kind = 'files' | 'journal'

/**
 * What all companies store, and how much of its quotas the fullest one has used: no label names a company, but the log
 * does when there is little left. Gives what ends it.
 */
export function watchQuotas({ store, companies, metrics, observe }: WatchedQuotas): () => void {
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

interface WatchedDisks {
  readonly store: Store
  /** The data folder. */
  readonly data: string
  /** Where contents are stored, if not there: a folder, or an address of S3. */
  readonly files: string | undefined
  readonly metrics: Metrics
}

/** How large the database is, and how much room its folders have. Gives what ends it. */
export function watchSizes({ store, data, files, metrics }: WatchedDisks): () => void {
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
  try {
    return [[name, freeBytes(folder)]]
  } catch {
    return []
  }
}
