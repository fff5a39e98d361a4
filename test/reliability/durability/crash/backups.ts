// Verifies and restores a backup in this process.
import type { RestoreTask } from '../../../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../../../src/backup/verify-backup.ts'
import { openFileStore } from '../../../../src/files/open-file-store.ts'
import type { DataLocation } from '../../../support/data-location.ts'

export const QUIET = { report: () => {}, progress: () => {} }

/** All faults that verification reports. */
export async function faultsOf(target: string): Promise<string[]> {
  const reported: string[] = []
  try {
    await verifyBackup({ ...QUIET, target, report: (fault) => reported.push(fault) })
  } catch (error) {
    reported.push((error as Error).message)
  }
  return reported
}

export function restoring(target: string, { data, database }: DataLocation): RestoreTask {
  const openFiles = () => openFileStore({ files: undefined, data })
  return { target, data, database, openFiles, stage: (_name, work) => work(() => {}) }
}

export const waited = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
