// Takes a backup while the service runs: first a snapshot of the database, then the contents that it refers to.
// Contents are never changed, and referenced ones are never deleted, so they still exist when they are copied.

import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { linesOf } from '../base/lines.ts'
import { compareCodePoints } from '../base/text.ts'
import type { Location, ReferencedContent, ReportProgress } from '../databases/driver.ts'
import { type InstanceLock, takeLock } from '../databases/file-lock.ts'
import { driverAt } from '../databases/open/drivers.ts'
import { type FileStore, MissingFile } from '../files/file-store.ts'
import { openFolderStore, stagingFolder, syncUpwards } from '../files/folder.ts'
import { type Staging, StagingFolder } from '../files/staging.ts'
import { DamagedFile, readVerified } from '../files/verified.ts'
import { forEachConcurrently, syncAndHash, writeDurably } from './backup-files.ts'
import { contentFile, contentFolder, LIST, openListWriter, readList } from './content-list.ts'
import {
  type BackupFile,
  FORMAT,
  MANIFEST,
  type Manifest,
  type MissingContent,
  NotABackup,
  printManifest,
  readManifest,
  stateFolder,
} from './manifest.ts'

/** With more missing contents than this, the wrong file store was probably named. */
const MAX_MISSING = 1_000

interface BackupTask extends Location {
  readonly target: string
  /** Opens the file store of the service, after the database has been copied. */
  openFiles(): Promise<FileStore>
  /** Version of the program. */
  readonly program: string
  /** Runs a stage of the work with its own progress. */
  stage<T>(name: string, work: (progress: ReportProgress) => Promise<T>): Promise<T>
}

interface BackupReport {
  readonly manifest: Manifest
  /** Number of contents that an earlier backup already has. */
  readonly known: number
}

/** Adds a backup to the folder. The previous backup stays until the new one is complete. */
export async function takeBackup(task: BackupTask): Promise<BackupReport> {
  const lock = await openTarget(task.target)
  try {
    const before = await earlierBackup(task)
    await removeOtherDatabases(task.target, before)
    const startedAt = new Date().toISOString()
    const state = { folder: startedAt.replaceAll(':', '-') }
    const folder = stateFolder(task.target, state)
    await mkdir(folder, { mode: 0o700 })
    const { database, ...listed } = await copyState(task, folder)
    const { lacking, known } = await copyContents(task, { ...state, contents: listed })
    const contents = { ...listed, lacking }
    const ended = new Date().toISOString()
    const manifest: Manifest = {
      format: FORMAT,
      program: task.program,
      begun: startedAt,
      ended,
      ...state,
      database,
      contents,
    }
    await syncUpwards(folder, resolve(task.target))
    await writeDurably(join(task.target, MANIFEST), printManifest(manifest))
    await removeOtherDatabases(task.target, manifest)
    return { manifest, known }
  } finally {
    lock.release()
  }
}

/** When a backup was begun that has not ended: it is being written, or was interrupted. */
export async function unfinishedBackup(target: string): Promise<string | undefined> {
  const names = await readdir(join(target, 'database')).catch(() => [])
  const before = await readManifest(target).catch(() => undefined)
  const newest = names
    .filter((name) => name !== before?.folder)
    .toSorted()
    .at(-1)
  return newest?.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')
}

async function earlierBackup({ target, data, database }: BackupTask): Promise<Manifest | undefined> {
  try {
    const before = await readManifest(target)
    if (before.database.kind === driverAt({ data, database }).name) return before
  } catch (error) {
    if (error instanceof NotABackup) return undefined
    throw error
  }
  throw new Error(`${target} has a backup of another kind of database: name another folder`)
}

async function copyState({ data, database, stage }: BackupTask, folder: string) {
  const location = { data, database }
  const driver = driverAt(location)
  const list = await openListWriter(folder)
  const copy = await stage('copying the database', (progress) =>
    driver.copy({ ...location, folder, progress, onReferenced: (content) => list.add(content) }),
  ).finally(() => list.end())
  const { migrations, tables, isOfManyMoments } = copy
  const files: BackupFile[] = []
  for (const name of copy.files) files.push(await syncAndHash(folder, name))
  const moments = isOfManyMoments ? { isOfManyMoments } : {}
  const details = { kind: driver.name, migrations: [...migrations], tables: { ...tables }, files, ...moments }
  return { database: details, list: await syncAndHash(folder, LIST), files: list.files, sizeBytes: list.sizeBytes }
}

type Listed = Pick<Manifest, 'folder'> & { contents: Omit<Manifest['contents'], 'lacking'> }

/** Copies the listed contents that the backup does not have yet; returns those that are missing or damaged. */
async function copyContents(task: BackupTask, listed: Listed): Promise<{ lacking: MissingContent[]; known: number }> {
  const root = contentFolder(task.target)
  const from = await task.openFiles()
  const into = await openFolderStore(root)
  const staging = await StagingFolder.open(stagingFolder(root))
  const lacking: MissingContent[] = []
  const synced = new Set<string>()
  let [done, known] = [0, 0]
  await task.stage('copying files', (progress) =>
    forEachConcurrently(readList(task.target, listed), async (content) => {
      const path = contentFile(task.target, content)
      if (await hasSize(path, content.size)) {
        known++
        await syncOnce(synced, dirname(path), resolve(root))
      } else {
        const fault = await copyContent(content, from, into, staging)
        if (fault) lacking.push({ companyId: content.companyId, hash: content.hash, kind: fault })
        if (lacking.length > MAX_MISSING) throw wrongStore()
      }
      progress(++done, listed.contents.files)
    }),
  )
  await from.close()
  return { lacking: lacking.sort((one, other) => (one.hash < other.hash ? -1 : 1)), known }
}

function wrongStore(): Error {
  return new Error(`more than ${MAX_MISSING} files are missing or damaged: is --files what the service has?`)
}

async function copyContent(content: ReferencedContent, from: FileStore, into: FileStore, staging: Staging) {
  const { companyId, size } = content
  try {
    const staged = await staging.take(readVerified(from, companyId, content), size)
    await into.put(companyId, staged).finally(() => staging.discard(staged))
    return undefined
  } catch (error) {
    if (error instanceof MissingFile) return 'missing' as const
    if (error instanceof DamagedFile) return 'damaged' as const
    throw error
  }
}

async function hasSize(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && found.size === size
}

/** A killed process may have left a content whose directory entry is not synced yet. */
async function syncOnce(synced: Set<string>, folder: string, root: string): Promise<void> {
  if (synced.has(folder)) return
  synced.add(folder)
  await syncUpwards(folder, root)
}

const LOCK = 'backup.lock'
const BACKUP_NAMES = [MANIFEST, `${MANIFEST}.tmp`, 'database', 'files', LOCK]

/** Opens and locks the folder for a new backup. Throws when it holds anything but a backup. */
async function openTarget(path: string): Promise<InstanceLock> {
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

/** Deletes the databases of all backups except the current one, and the contents that only they have. */
async function removeOtherDatabases(target: string, current: Manifest | undefined): Promise<void> {
  const database = join(target, 'database')
  for (const name of await readdir(database)) {
    if (name === current?.folder) continue
    if (current) await removeOutdatedContents(target, name, current)
    await rm(join(database, name), { recursive: true, force: true })
  }
}

/**
 * Contents that an earlier backup in the folder had and the current one has not: records were purged or erased since.
 * Deletes the contents that the list in an older state folder names and the manifest's does not. Both are sorted.
 */
async function removeOutdatedContents(target: string, folder: string, manifest: Manifest): Promise<void> {
  const kept = readList(target, manifest)
  let next = await kept.next()
  for await (const content of listIn(join(stateFolder(target, { folder }), LIST))) {
    while (!next.done && compare(next.value, content) < 0) next = await kept.next()
    if (next.done || compare(next.value, content) > 0) await rm(contentFile(target, content), { force: true })
  }
  await kept.return()
}

/** A killed backup may have left an incomplete list. */
async function* listIn(file: string): AsyncGenerator<ReferencedContent, void, void> {
  if (!existsSync(file)) return
  for await (const line of linesOf(createReadStream(file))) {
    const content = contentIn(line)
    if (!content) return
    yield content
  }
}

const HASH = /^[0-9a-f]{64}$/

function contentIn(line: string): ReferencedContent | undefined {
  try {
    const { company, hash, size } = JSON.parse(line)
    return HASH.test(hash) ? { companyId: String(company), hash, size: Number(size) } : undefined
  } catch {
    return undefined
  }
}

function compare(one: ReferencedContent, other: ReferencedContent): number {
  return compareCodePoints(one.companyId, other.companyId) || compareCodePoints(one.hash, other.hash)
}
