// A process that drops and builds indexes. Its standard input is a list of texts, each one statement or a transaction
// of several.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { lowerPriority, siblingModule } from '../../../base/process/processes.ts'
import { openWriter } from '../dialect/connection.ts'
import { isBusy } from '../dialect/faults.ts'
import { shareDataFolder } from './folder-lock.ts'

/** The service writes in short transactions with gaps between them; a backup of the service may block for longer. */
const TRIES = 120

const [, , file = '', parent = '', leavesLog] = process.argv
const statements = JSON.parse(readFileSync(0, 'utf8')) as string[]

shareDataFolder(dirname(file), Number(parent))
// A statement blocks this thread for as long as it takes.
new Worker(siblingModule('end-with-parent', import.meta.url), { workerData: Number(parent) }).unref()
lowerPriority()
const connection = openWriter(file, { leavesLog: leavesLog !== undefined })
// Sorts in files, because the rows of an index may exceed the memory.
connection.exec('pragma temp_store = FILE')
try {
  for (const statement of statements) {
    execute(statement)
    // Otherwise the service would run the checkpoint during a client's write.
    if (leavesLog === undefined) connection.exec('pragma wal_checkpoint(passive)')
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  connection.close()
}

function execute(statement: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      connection.exec(statement)
      return
    } catch (error) {
      if (connection.isTransaction) connection.exec('rollback')
      if (!isBusy(error) || attempt === TRIES) throw error
    }
  }
}
