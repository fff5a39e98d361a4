// Looks through the tables of a PostgreSQL database, a transaction for each: PostgreSQL reads every row, and compares
// the indexes with their tables where its extension amcheck is there and may be used.
import type { IntegrityTask } from '../../../service-state/integrity.ts'
import { isSetUp, withSession } from './dump-tables.ts'
import { bind, type CopySession, companiesOf, type FoundTable, findTables, quote } from './table-file.ts'

/** Class XX of PostgreSQL's error codes: internal errors, among them damaged data and indexes. */
const DAMAGE = /^XX/

const AMCHECK = `
  select quote_ident(n.nspname) as "schema",
    has_function_privilege(quote_ident(n.nspname) || '.bt_index_check(regclass, boolean)', 'execute') as "isAllowed"
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'amcheck'`

const INDEXES = `
  select i.indexrelid::regclass::text as "name", i.indisvalid and i.indisready as "isValid", a.amname = 'btree' as "isTree"
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
  where i.indrelid = $1::regclass order by 1`

export function checkServer({ isQuick, progress, tell, note }: IntegrityTask, url: string): Promise<number> {
  return withSession(url, 'tabularium check', async (session) => {
    if (!(await isSetUp(session))) throw new Error('there are no records of Tabularium in the database')
    const [amcheck] = (await session.query<{ schema: string; isAllowed: boolean }>(AMCHECK)).rows
    if (!amcheck) note('indexes were not compared with their tables: the extension amcheck is not there')
    else if (!amcheck.isAllowed) note('indexes were not compared with their tables: this role may not use amcheck')
    const schema = amcheck?.isAllowed ? amcheck.schema : undefined
    const tables = await findTables(session)
    for (const [at, table] of tables.entries()) {
      await checkIndexes(session, table, schema, !isQuick, tell)
      if (!isQuick) await checkRows(session, table, tell)
      progress(at + 1, tables.length)
    }
    return tables.length
  })
}

async function checkIndexes(
  session: CopySession,
  table: FoundTable,
  schema: string | undefined,
  withRows: boolean,
  tell: (fault: string) => void,
): Promise<void> {
  const { rows } = await session.query<{ name: string; isValid: boolean; isTree: boolean }>(INDEXES, [
    quote(table.name),
  ])
  for (const { name, isValid, isTree } of rows) {
    if (!isValid) tell(`the index ${name} of ${table.name} is not valid: reindex index ${name}`)
    else if (isTree && schema !== undefined) {
      const check = session.query(`select ${schema}.bt_index_check($1::regclass, $2)`, [name, withRows])
      await tellDamage(`the index ${name} of ${table.name}`, check, tell)
    }
  }
}

/** Turns every row to text, so that its values are read where they are kept outside of it too. */
async function checkRows(session: CopySession, table: FoundTable, tell: (fault: string) => void): Promise<void> {
  await session.query('begin read only')
  for (const company of await companiesOf(session, table)) {
    await bind(session, company)
    const read = session.query(`select sum(length(t::text)) from ${quote(table.name)} t`)
    if (!(await tellDamage(`the table ${table.name}`, read, tell))) break
  }
  await session.query('rollback')
}

/** Whether none was found; any other failure is thrown on. */
async function tellDamage(what: string, work: Promise<unknown>, tell: (fault: string) => void): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (!DAMAGE.test(code)) throw error
    tell(`${what} is damaged: ${message}`)
    return false
  }
}
