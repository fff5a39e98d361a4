// Names the file of a damaged database. Beside the drivers, because what has failed needs nothing else of them.
import { damageIn } from '../sqlite/dialect/faults.ts'
import { databaseFile, RESTORE } from '../sqlite/file/data-folder.ts'

/** What SQLite says of the database in a data folder names no file; any other error is returned unchanged. */
export function explainDamage(cause: unknown, data: string): unknown {
  const damage = damageIn(cause)
  return damage === undefined ? cause : new Error(`${databaseFile(data)} is damaged (${damage}): ${RESTORE}`, { cause })
}
