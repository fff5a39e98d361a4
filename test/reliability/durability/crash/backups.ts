// Verifying and restoring a backup in this process, as a test wants to be told.
import type { RestoreTask } from '../../../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../../../src/backup/verify-backup.ts'
import { openFileStore } from '../../../../src/files/stores/open-file-store.ts'
import type { BackupPlace } from '../../../support/backup-place.ts'

export const QUIET = { report: () => {}, progress: () => {} }

/** All that verifying tells. */
export async function faultsOf(target: string): Promise<string[]> {
  const told: string[] = []
  try {
    await verifyBackup({ ...QUIET, target, report: (fault) => told.push(fault) })
  } catch (error) {
    told.push((error as Error).message)
  }
  return told
}

export function restoring(target: string, { data, database }: BackupPlace): RestoreTask {
  const openFiles = () => openFileStore({ files: undefined, data })
  return { target, data, database, openFiles, stage: (_name, work) => work(() => {}) }
}

export const waited = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
