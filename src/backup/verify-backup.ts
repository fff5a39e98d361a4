// Reads a whole backup and compares it with what its manifest says.
import { join } from 'node:path'
import { checkCopy, type DatabaseCopy, type ReferredContent, type TellProgress } from '../store/database-copy.ts'
import { BackupFault, readFitting } from './backup-files.ts'
import { contentFile, LIST, readList } from './content-list.ts'
import { type BackupFile, type LackingContent, type Manifest, readManifest, stateFolder } from './manifest.ts'
import { sideBySide } from './side-by-side.ts'

export interface VerifyTask {
  readonly target: string
  tell(fault: string): void
  /** In bytes. */
  readonly progress: TellProgress
}

/** Tells every fault; throws NoBackup when there is nothing that could be looked at. What was lacking already is no fault of the backup. */
export async function verifyBackup({ target, tell, progress }: VerifyTask): Promise<Manifest> {
  const manifest = await readManifest(target)
  const { database, contents, keys } = manifest
  const folder = stateFolder(target, manifest)
  const single = [...database.files, contents.list, ...(keys ? [keys] : [])]
  const total = single.reduce((sum, { sizeBytes }) => sum + sizeBytes, contents.sizeBytes)
  let read = 0
  const check = async (file: Omit<BackupFile, 'name'>, path: string, name: string) => {
    try {
      for await (const piece of readFitting(path, file, name)) {
        read += piece.length
        progress(read, total)
      }
      return true
    } catch (error) {
      if (!(error instanceof BackupFault)) throw error
      tell(error.message)
      return false
    }
  }
  const sound: string[] = []
  for (const file of single) if (await check(file, join(folder, file.name), file.name)) sound.push(file.name)
  // What is in a file that was changed says nothing.
  const isListSound = sound.includes(LIST)
  if (isListSound) await checkContents(target, manifest, check, tell)
  if (database.files.every(({ name }) => sound.includes(name))) await checkDatabase(target, manifest, isListSound, tell)
  return manifest
}

type Check = (file: Omit<BackupFile, 'name'>, path: string, name: string) => Promise<boolean>

async function checkContents(target: string, manifest: Manifest, check: Check, tell: (fault: string) => void) {
  const lacking = new Set(manifest.contents.lacking.map(nameOf))
  let [files, sizeBytes] = [0, 0]
  await sideBySide(readList(target, manifest), async (content) => {
    files++
    sizeBytes += content.size
    if (lacking.has(nameOf(content))) return
    await check({ sha256: content.hash, sizeBytes: content.size }, contentFile(target, content), nameOf(content))
  })
  const { contents } = manifest
  if (files !== contents.files || sizeBytes !== contents.sizeBytes) {
    tell(`${LIST} has ${files} files of ${sizeBytes} bytes instead of ${contents.files} of ${contents.sizeBytes}`)
  }
}

async function checkDatabase(target: string, manifest: Manifest, isListSound: boolean, tell: (fault: string) => void) {
  const list = isListSound ? compareWithList(target, manifest) : undefined
  try {
    await checkCopy({
      folder: stateFolder(target, manifest),
      copy: copyOf(manifest),
      tell,
      ...(list ? { onReferred: list.next } : {}),
    })
    if (manifest.database.kind === 'sqlite') await list?.end()
  } catch (error) {
    tell((error as Error).message)
  } finally {
    await list?.close()
  }
}

export function copyOf({ database: { kind, migrations, tables, files } }: Manifest): DatabaseCopy {
  return { kind, migrations, tables, files: files.map(({ name }) => name) }
}

/** Holds the contents that a database refers to against the list, in the order of both. */
export function compareWithList(target: string, manifest: Manifest) {
  const list = readList(target, manifest)
  const differs = (): BackupFault => new BackupFault(`the database does not refer to the files that ${LIST} has`)
  return {
    next: async (content: ReferredContent): Promise<void> => {
      const { value } = await list.next()
      if (!value || nameOf(value) !== nameOf(content) || value.size !== content.size) throw differs()
    },
    end: async (): Promise<void> => {
      if (!(await list.next()).done) throw differs()
    },
    close: () => list.return(),
  }
}

export function nameOf({ companyId, hash }: Pick<ReferredContent, 'companyId' | 'hash'>): string {
  return `${hash} of company ${companyId}`
}

export function tellLacking({ companyId, hash, kind }: LackingContent): string {
  return `${kind}: ${nameOf({ companyId, hash })} was so already when the backup was taken`
}
