// The folder of a backup: made, recognised, and for one writer at a time.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { syncUpwards } from '../files/stores/folder.ts'
import { type InstanceLock, takeLock } from '../store/dialects/sqlite/data-folder.ts'
import { MANIFEST } from './manifest.ts'

const LOCK = 'backup.lock'
const OURS = [MANIFEST, `${MANIFEST}.tmp`, 'database', 'files', LOCK]

/** Opens the folder to write a backup there; refuses one that holds anything else. */
export async function openTarget(path: string): Promise<InstanceLock> {
  const folder = resolve(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  const other = names.find((name) => !OURS.includes(name) && !name.startsWith(LOCK))
  if (other !== undefined) throw new Error(`${path} is neither empty nor a backup: ${other} is there`)
  const lock = takeLock(join(folder, LOCK), () => `another backup is being written to ${path}`)
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 })
  await syncUpwards(folder, made === undefined ? folder : dirname(made))
  return lock
}

/** Takes away the databases of earlier and of interrupted backups. */
export async function keepOnly(target: string, folder: string | undefined): Promise<void> {
  const database = join(target, 'database')
  for (const name of await readdir(database)) {
    if (name !== folder) await rm(join(database, name), { recursive: true, force: true })
  }
}
