// The folder of a backup: created, recognised, and locked for one writer.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { syncUpwards } from '../files/stores/folder.ts'
import { type InstanceLock, takeLock } from '../store/dialects/file-lock.ts'
import { MANIFEST } from './manifest.ts'

const LOCK = 'backup.lock'
const BACKUP_NAMES = [MANIFEST, `${MANIFEST}.tmp`, 'database', 'files', LOCK]

/** Opens and locks the folder for a new backup. Throws when it holds anything but a backup. */
export async function openTarget(path: string): Promise<InstanceLock> {
  const folder = resolve(path)
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  const other = names.find((name) => !BACKUP_NAMES.includes(name) && !name.startsWith(LOCK))
  if (other !== undefined) throw new Error(`${path} is neither empty nor a backup: ${other} is there`)
  const lock = takeLock(join(folder, LOCK), () => `another backup is being written to ${path}`)
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 })
  await syncUpwards(folder, created === undefined ? folder : dirname(created))
  return lock
}

/** Deletes the databases of all backups except the one in `folder`. */
export async function removeOtherDatabases(target: string, folder: string | undefined): Promise<void> {
  const database = join(target, 'database')
  for (const name of await readdir(database)) {
    if (name !== folder) await rm(join(database, name), { recursive: true, force: true })
  }
}
