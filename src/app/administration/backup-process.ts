// Takes a backup for the service, as the command `backup` does, in a process of its own: checking the copy of a large
// database takes minutes in which nothing else could run.
import { takeBackup } from '../../backup/take-backup.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { codeOf, messageOf } from '../../base/thrown.ts'
import { diskReason } from '../../files/disk.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import type { BackupPlace, BackupProgress } from './backups.ts'

/** Nobody reads it more often. */
const TOLD_MS = 250

let toldAt = 0

function tell(progress: BackupProgress): void {
  const now = performance.now()
  if (progress.done > 0 && now - toldAt < TOLD_MS) return
  toldAt = now
  process.send?.(progress)
}

/** What the operating system says, in words that have translations; the log has its own. */
function problemOf(error: unknown): string {
  const reason = isFolderMissing(error) ? 'the folder is missing, or a file is in its place' : diskReason(error)
  if (reason === undefined) return messageOf(error)
  process.stderr.write(`${messageOf(error)}\n`)
  return `The backup cannot be taken: ${reason}.`
}

const isFolderMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EEXIST'].includes(codeOf(error) ?? '')

process.once('message', async ({ target, data, database, files }: BackupPlace) => {
  try {
    await takeBackup({
      ...{ target, data, database, program: PROGRAM_VERSION },
      openFiles: async () => (await openFileStore({ files, data })).store,
      stage: (stage, work) => {
        tell({ stage, done: 0, total: 0 })
        return work((done, total) => tell({ stage, done, total }))
      },
    })
  } catch (error) {
    process.send?.({ problem: problemOf(error) })
  }
  process.disconnect()
})
