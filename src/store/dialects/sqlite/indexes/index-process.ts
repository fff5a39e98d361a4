// A process that drops and builds indexes, given as a list of texts, each one statement or a transaction of several.
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../../base/process/sibling-module.ts'
import { openWriter } from '../connection.ts'
import { isBusy } from '../faults.ts'
import { shareDataFolder } from '../file/folder-lock.ts'

/** The service writes in short transactions, between which there is always a moment; a backup of it may take longer. */
const TRIES = 120

const [, , file = '', parent = ''] = process.argv
const statements = JSON.parse(readFileSync(0, 'utf8')) as string[]

shareDataFolder(dirname(file), Number(parent))
// A statement holds this thread up for as long as it takes.
new Worker(siblingModule('end-with-parent', import.meta.url), { workerData: Number(parent) }).unref()
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const connection = openWriter(file)
// Sorted in files: the rows of an index may be more than there is memory.
connection.exec('pragma temp_store = FILE')
try {
  for (const statement of statements) {
    execute(statement)
    // The service would do it in the middle of a client's write.
    connection.exec('pragma wal_checkpoint(passive)')
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  connection.close()
}

function execute(statement: string): void {
  for (let tried = 1; ; tried++) {
    try {
      connection.exec(statement)
      return
    } catch (error) {
      if (connection.isTransaction) connection.exec('rollback')
      if (!isBusy(error) || tried === TRIES) throw error
    }
  }
}
