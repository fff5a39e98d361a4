// Restores a backup into an empty location. Everything is verified before anything is changed. Files come first; the
// database that refers to them becomes visible last.
import { join } from 'node:path'
import type { Location, ReportProgress } from '../databases/driver.ts'
import { MIGRATION_NAMES } from '../databases/migrations/migrate.ts'
import { driverAt, driverNamed } from '../databases/open/drivers.ts'
import type { OpenedFileStore } from '../files/open-file-store.ts'
import { forEachConcurrently, readVerifiedFile } from './backup-files.ts'
import { contentFile, readList } from './content-list.ts'
import { type Manifest, readManifest, stateFolder } from './manifest.ts'
import { compareWithList, contentName, copyOf, verifyBackup } from './verify-backup.ts'

export interface RestoreTask extends Location {
  readonly target: string
  /** Opens the destination of the files, after the backup has been verified. */
  openFiles(): Promise<OpenedFileStore>
  stage<T>(name: string, work: (progress: ReportProgress) => Promise<T>): Promise<T>
}

/** Throws, and has changed nothing, when the backup is damaged or the location is not empty. */
export async function restoreBackup(task: RestoreTask): Promise<Manifest> {
  const manifest = await readManifest(task.target)
  requireRestorable(manifest, task)
  const driver = driverAt(task)
  const { migrations } = manifest.database
  await driver.openRestoreTarget(task, migrations, true)
  await requireUndamaged(task)
  const location = await driver.openRestoreTarget(task, migrations, false)
  if (!location) throw new Error('the place was only looked at')
  const list = compareWithList(task.target, manifest)
  try {
    await restoreContents(task, manifest)
    await task.stage('restoring the database', (progress) =>
      location.load({
        copy: copyOf(manifest),
        read: (name) => readVerifiedFile(join(stateFolder(task.target, manifest), name), fileOf(manifest, name), name),
        progress: (done, total) => progress(done, total || sizeOf(manifest)),
        onReferenced: list.next,
      }),
    )
    await list.end()
    await location.accept()
    return manifest
  } finally {
    await list.close()
    await location.close()
  }
}

function requireRestorable({ database }: Manifest, { target, ...location }: RestoreTask): void {
  const { name, title, restoreHint } = driverNamed(database.kind)
  if (driverAt(location).name !== name) throw new Error(`${target} is a backup of ${title}: ${restoreHint}`)
  const unknown = database.migrations.filter((name) => !MIGRATION_NAMES.includes(name))
  if (unknown.length > 0) {
    throw new Error(`${target} was made by a newer version of Tabularium (${unknown.join(', ')}): restore it with that`)
  }
}

async function requireUndamaged({ target, stage }: RestoreTask): Promise<void> {
  const faults: string[] = []
  await stage('verifying', (progress) => verifyBackup({ target, report: (fault) => faults.push(fault), progress }))
  if (faults.length === 0) return
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more faults`
  throw new Error(`${target} is damaged, nothing was restored: ${faults[0]}${more}`)
}

async function restoreContents(task: RestoreTask, manifest: Manifest): Promise<void> {
  const { store, staging } = await task.openFiles()
  const lacking = new Set(manifest.contents.lacking.map(contentName))
  let done = 0
  try {
    await task.stage('restoring files', (progress) =>
      forEachConcurrently(readList(task.target, manifest), async (content) => {
        const { companyId, hash, size } = content
        if (!lacking.has(contentName(content))) {
          const file = { sha256: hash, sizeBytes: size }
          const chunks = readVerifiedFile(contentFile(task.target, content), file, contentName(content))
          const staged = await staging.take(chunks, size)
          await store.put(companyId, staged).finally(() => staging.discard(staged))
        }
        progress(++done, manifest.contents.files)
      }),
    )
  } finally {
    await store.close()
  }
}

function fileOf({ database }: Manifest, wanted: string) {
  const file = database.files.find(({ name }) => name === wanted)
  if (!file) throw new Error(`the backup has no file ${wanted}`)
  return file
}

function sizeOf({ database }: Manifest): number {
  return database.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
