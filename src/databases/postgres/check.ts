// Checks the tables of a PostgreSQL database, with a transaction for each: PostgreSQL reads every row and, if its
// extension amcheck is installed and permitted, compares the indexes with their tables.
import type { IntegrityTask } from '../driver.ts'
import { isSetUp } from './dump.ts'
import { inSnapshot, withSession } from './sessions/reading-session.ts'
import { isDistributed } from './tables/placement.ts'
import { bind, type CopySession, companiesOf, type FoundTable, findTables, quote, rowsOf } from './tables/table-file.ts'

/** Class XX of the error codes: internal errors, including damaged data and indexes. */
const DAMAGE = /^XX/

const AMCHECK = `
  select quote_ident(n.nspname) as "schema",
    has_function_privilege(quote_ident(n.nspname) || '.bt_index_check(regclass, boolean)', 'execute') as "isAllowed"
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'amcheck'`

const INDEXES = `
  select i.indexrelid::regclass::text as "name", i.indisvalid and i.indisready as "isValid", a.amname = 'btree' as "isTree"
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
  where i.indrelid = $1::regclass order by 1`

export function checkServer({ progress, report, note }: IntegrityTask, url: string): Promise<number> {
  return withSession(url, 'tabularium check', async (session) => {
    if (!(await isSetUp(session))) throw new Error('there are no records of Tabularium in the database')
    const schema = await usableAmcheck(session, note)
    const tables = await findTables(session)
    for (const [at, table] of tables.entries()) {
      await checkIndexes(session, table, schema, report)
      await inSnapshot(session, () => checkRows(session, table, report))
      progress(at + 1, tables.length)
    }
    return tables.length
  })
}

/** The schema of the extension where it compares indexes. What is not compared is told. */
async function usableAmcheck(session: CopySession, note: (line: string) => void): Promise<string | undefined> {
  if (await isDistributed(session)) {
    // The catalogue of the coordinator has the indexes of empty tables, which stand for the shards.
    note('indexes were not looked at: they are those of the shards on each server, which pg_amcheck compares there')
    return undefined
  }
  const [amcheck] = (await session.query<{ schema: string; isAllowed: boolean }>(AMCHECK)).rows
  if (!amcheck) note('indexes were not compared with their tables: the extension amcheck is not there')
  else if (!amcheck.isAllowed) note('indexes were not compared with their tables: this role may not use amcheck')
  return amcheck?.isAllowed ? amcheck.schema : undefined
}

async function checkIndexes(
  session: CopySession,
  table: FoundTable,
  schema: string | undefined,
  report: (fault: string) => void,
): Promise<void> {
  const { rows } = await session.query<{ name: string; isValid: boolean; isTree: boolean }>(INDEXES, [
    quote(table.name),
  ])
  for (const { name, isValid, isTree } of rows) {
    if (!isValid) report(`the index ${name} of ${table.name} is not valid: reindex index ${name}`)
    else if (isTree && schema !== undefined) {
      const text = `select ${schema}.bt_index_check($1::regclass, true)`
      const check = inSnapshot(session, () => session.query(text, [name]))
      await reportDamage(`the index ${name} of ${table.name}`, check, report)
    }
  }
}

/** Converts every row to text, so that values stored outside of the row are read too. */
async function checkRows(session: CopySession, table: FoundTable, report: (fault: string) => void): Promise<void> {
  for (const company of await companiesOf(session, table)) {
    await bind(session, company)
    const read = session.query(`select sum(length(t::text)) from ${quote(table.name)} t ${rowsOf(table, company)}`)
    // After an error the transaction answers nothing more.
    if (!(await reportDamage(`the table ${table.name}`, read, report))) break
  }
}

/** Returns whether no damage was found; rethrows any other failure. */
async function reportDamage(what: string, work: Promise<unknown>, report: (fault: string) => void): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (!DAMAGE.test(code)) throw error
    report(`${what} is damaged: ${message}`)
    return false
  }
}
