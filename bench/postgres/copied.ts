// COPY into tables like those of the service: the same rows, columns and indexes, without checks and log.
import { join } from 'node:path'
import type { Imported } from '../seed/import-records.ts'
import type { Server } from './server.ts'

const TABLES: Readonly<Record<string, string>> = {
  'attribute-values': 'attribute_value',
  customers: 'customer',
  'general-ledger-transactions': 'ledger_transaction',
}

/** How fast `COPY` was. The database writes the files into its folder. */
export interface Copied {
  readonly document: string
  readonly rowsPerSecond: number
}

export async function copyTables(
  { run }: Pick<Server, 'run'>,
  database: string,
  cluster: string,
  imported: readonly Imported[],
): Promise<Copied[]> {
  const copied: Copied[] = []
  for (const { document } of imported) {
    const [table, file] = [TABLES[document] ?? '', `'${join(cluster, `${document}.copied`)}'`]
    await run(database, `copy ${table} to ${file}`, `create table copied (like ${table} including all)`)
    const begun = performance.now()
    const [rows = 0] = await run(database, `copy copied from ${file}`)
    copied.push({ document, rowsPerSecond: rows / ((performance.now() - begun) / 1000) })
    await run(database, 'drop table copied')
  }
  return copied
}
