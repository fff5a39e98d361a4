// Takes a backup while the service runs: first one moment of the database, then the contents that it refers to. Those
// are only ever added, and what a record refers to is never swept, so all of them are still there.
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type FileStore, MissingFile } from '../files/file-store.ts'
import { Staging } from '../files/staging.ts'
import { openFolderStore, stagingFolder, syncUpwards } from '../files/stores/folder.ts'
import { DamagedFile, readVerified } from '../files/verified.ts'
import { copyDatabase, type ReferredContent, type TellProgress } from '../store/database-copy.ts'
import { sealFile, writeDurably } from './backup-files.ts'
import { contentFile, contentFolder, LIST, openListWriter, readList } from './content-list.ts'
import {
  type BackupFile,
  FORMAT,
  type LackingContent,
  MANIFEST,
  type Manifest,
  NoBackup,
  printManifest,
  readManifest,
  stateFolder,
} from './manifest.ts'
import { sideBySide } from './side-by-side.ts'
import { keepOnly, openTarget } from './target.ts'

/** Rather the wrong file store was named than so many contents were lost. */
const MOST_LACKING = 1_000
const KEYS = 'keys.json'

export interface BackupTask {
  readonly target: string
  readonly data: string
  readonly database: string | undefined
  /** Of the service. Opened when the database is copied. */
  openFiles(): Promise<FileStore>
  readonly withKeys: boolean
  /** Version of this program. */
  readonly program: string
  /** The whole work, each stage with a progress of its own. */
  stage<T>(name: string, work: (progress: TellProgress) => Promise<T>): Promise<T>
}

export interface BackupReport {
  readonly manifest: Manifest
  /** Contents that an earlier backup had brought already. */
  readonly known: number
}

/** Adds a backup to the folder: until it is whole, the one before it stays. */
export async function takeBackup(task: BackupTask): Promise<BackupReport> {
  const lock = await openTarget(task.target)
  try {
    const before = await earlierBackup(task)
    await keepOnly(task.target, before?.folder)
    const begun = new Date().toISOString()
    const state = { folder: begun.replaceAll(':', '-') }
    const folder = stateFolder(task.target, state)
    await mkdir(folder, { mode: 0o700 })
    const keys = task.withKeys ? await copyKeys(task.data, folder) : undefined
    const { database, ...listed } = await copyState(task, folder)
    const { lacking, known } = await copyContents(task, { ...state, contents: listed })
    const contents = { ...listed, lacking }
    const ended = new Date().toISOString()
    const manifest: Manifest = { format: FORMAT, program: task.program, begun, ended, ...state, database, contents }
    const whole = keys ? { ...manifest, keys } : manifest
    await syncUpwards(folder, resolve(task.target))
    await writeDurably(join(task.target, MANIFEST), printManifest(whole))
    await keepOnly(task.target, state.folder)
    return { manifest: whole, known }
  } finally {
    lock.release()
  }
}

async function earlierBackup({ target, database }: BackupTask): Promise<Manifest | undefined> {
  try {
    const before = await readManifest(target)
    const kind = database === undefined ? 'sqlite' : 'postgres'
    if (before.database.kind === kind) return before
  } catch (error) {
    if (error instanceof NoBackup) return undefined
    throw error
  }
  throw new Error(`${target} has a backup of another kind of database: name another folder`)
}

async function copyKeys(data: string, folder: string): Promise<BackupFile> {
  const keys = await readFile(join(data, KEYS))
  await writeDurably(join(folder, KEYS), keys)
  return sealFile(folder, KEYS)
}

async function copyState({ data, database, stage }: BackupTask, folder: string) {
  const list = await openListWriter(folder)
  const copy = await stage('copying the database', (progress) =>
    copyDatabase({ data, database, folder, progress, onReferred: (content) => list.add(content) }),
  ).finally(() => list.end())
  const { kind, migrations, tables } = copy
  const files: BackupFile[] = []
  for (const name of copy.files) files.push(await sealFile(folder, name))
  const sealed = { kind, migrations: [...migrations], tables: { ...tables }, files }
  return { database: sealed, list: await sealFile(folder, LIST), files: list.files, sizeBytes: list.sizeBytes }
}

type Listed = Pick<Manifest, 'folder'> & { contents: Omit<Manifest['contents'], 'lacking'> }

/** Copies what is listed and not there yet; gives what is not to be had. */
async function copyContents(task: BackupTask, listed: Listed): Promise<{ lacking: LackingContent[]; known: number }> {
  const root = contentFolder(task.target)
  const from = await task.openFiles()
  const into = await openFolderStore(root)
  const staging = await Staging.open(stagingFolder(root))
  const lacking: LackingContent[] = []
  const synced = new Set<string>()
  let [done, known] = [0, 0]
  await task.stage('copying files', (progress) =>
    sideBySide(readList(task.target, listed), async (content) => {
      const path = contentFile(task.target, content)
      if (await hasSize(path, content.size)) {
        known++
        await syncOnce(synced, dirname(path), resolve(root))
      } else {
        const fault = await copyContent(content, from, into, staging)
        if (fault) lacking.push({ companyId: content.companyId, hash: content.hash, kind: fault })
        if (lacking.length > MOST_LACKING) throw wrongStore()
      }
      progress(++done, listed.contents.files)
    }),
  )
  await from.close()
  return { lacking: lacking.sort((one, other) => (one.hash < other.hash ? -1 : 1)), known }
}

function wrongStore(): Error {
  return new Error(`more than ${MOST_LACKING} files are missing or damaged: is --files what the service has?`)
}

async function copyContent(content: ReferredContent, from: FileStore, into: FileStore, staging: Staging) {
  const { companyId, size } = content
  try {
    const staged = await staging.take(readVerified(from, companyId, content), size)
    await into.keep(companyId, staged).finally(() => staging.discard(staged))
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

/** A process that was killed may have left a content whose name is not on the disk yet. */
async function syncOnce(synced: Set<string>, folder: string, root: string): Promise<void> {
  if (synced.has(folder)) return
  synced.add(folder)
  await syncUpwards(folder, root)
}
