// How large the database is, and how much room its folders have.
import { freeBytes } from '../../base/process/free-bytes.ts'
import type { Metrics } from '../../observe/metrics.ts'
import type { Store } from '../../store/store.ts'
import { nowAndThen } from './now-and-then.ts'

const LOOK_MS = 30_000

interface Watched {
  readonly store: Store
  /** The data folder. */
  readonly data: string
  /** Where contents are stored, if not there: a folder, or an address of S3. */
  readonly files: string | undefined
  readonly metrics: Metrics
}

export function watchSizes({ store, data, files, metrics }: Watched): () => void {
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
