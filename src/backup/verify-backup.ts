// Reads a complete backup and compares it with its manifest.

import { join } from 'node:path'
import { messageOf } from '../base/thrown.ts'
import type { DatabaseCopy, ReferencedContent, ReportProgress } from '../databases/driver.ts'
import { driverNamed } from '../databases/open/drivers.ts'
import { BackupFault, forEachConcurrently, readVerifiedFile } from './backup-files.ts'
import { contentFile, LIST, readList } from './content-list.ts'
import { type BackupFile, type Manifest, type MissingContent, readManifest, stateFolder } from './manifest.ts'

interface VerifyTask {
  readonly target: string
  report(fault: string): void
  /** In bytes. */
  readonly progress: ReportProgress
}

/** Reports every fault. Contents that were missing when the backup was taken do not count. */
export async function verifyBackup({ target, report, progress }: VerifyTask): Promise<Manifest> {
  const manifest = await readManifest(target)
  const { database, contents } = manifest
  const folder = stateFolder(target, manifest)
  const files = [...database.files, contents.list]
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, contents.sizeBytes)
  let read = 0
  const check = async (file: Omit<BackupFile, 'name'>, path: string, name: string) => {
    try {
      for await (const chunk of readVerifiedFile(path, file, name)) {
        read += chunk.length
        progress(read, total)
      }
      return true
    } catch (error) {
      if (!(error instanceof BackupFault)) throw error
      report(error.message)
      return false
    }
  }
  const valid: string[] = []
  for (const file of files) if (await check(file, join(folder, file.name), file.name)) valid.push(file.name)
  // The content of a damaged file proves nothing, so only valid files are examined further.
  const isListValid = valid.includes(LIST)
  if (isListValid) await checkContents(target, manifest, check, report)
  if (database.files.every(({ name }) => valid.includes(name)))
    await checkDatabase(target, manifest, isListValid, report)
  return manifest
}

type Check = (file: Omit<BackupFile, 'name'>, path: string, name: string) => Promise<boolean>

async function checkContents(target: string, manifest: Manifest, check: Check, report: (fault: string) => void) {
  const lacking = new Set(manifest.contents.lacking.map(contentName))
  let [files, sizeBytes] = [0, 0]
  await forEachConcurrently(readList(target, manifest), async (content) => {
    files++
    sizeBytes += content.size
    if (lacking.has(contentName(content))) return
    await check({ sha256: content.hash, sizeBytes: content.size }, contentFile(target, content), contentName(content))
  })
  const { contents } = manifest
  if (files !== contents.files || sizeBytes !== contents.sizeBytes) {
    report(`${LIST} has ${files} files of ${sizeBytes} bytes instead of ${contents.files} of ${contents.sizeBytes}`)
  }
}

async function checkDatabase(
  target: string,
  manifest: Manifest,
  isListValid: boolean,
  report: (fault: string) => void,
) {
  const list = isListValid ? compareWithList(target, manifest) : undefined
  try {
    const hasFoundContents = await driverNamed(manifest.database.kind).checkCopy({
      folder: stateFolder(target, manifest),
      copy: copyOf(manifest),
      report,
      ...(list ? { onReferenced: list.next } : {}),
    })
    if (hasFoundContents) await list?.end()
  } catch (error) {
    report(messageOf(error))
  } finally {
    await list?.close()
  }
}

export function copyOf({ database: { migrations, tables, files } }: Manifest): DatabaseCopy {
  return { migrations, tables, files: files.map(({ name }) => name) }
}

/** Compares the contents that a database refers to with the list. Both have the same order. */
export function compareWithList(target: string, manifest: Manifest) {
  const list = readList(target, manifest)
  const differs = (): BackupFault => new BackupFault(`the database does not refer to the files that ${LIST} has`)
  return {
    next: async (content: ReferencedContent): Promise<void> => {
      const { value } = await list.next()
      if (!value || contentName(value) !== contentName(content) || value.size !== content.size) throw differs()
    },
    end: async (): Promise<void> => {
      if (!(await list.next()).done) throw differs()
    },
    close: () => list.return(),
  }
}

export function contentName({ companyId, hash }: Pick<ReferencedContent, 'companyId' | 'hash'>): string {
  return `${hash} of company ${companyId}`
}

export function reportMissing({ companyId, hash, kind }: MissingContent): string {
  return `${kind}: ${contentName({ companyId, hash })} was so already when the backup was taken`
}
