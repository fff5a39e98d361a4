// What databases say of their own schema: of a new one, and of one whose setup declares documents. It is read from the
// catalogues, because the PostgreSQL of the npm package has no `pg_dump`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buildApplication } from '../../src/app/app.ts'
import { PostgresServer } from './postgres.ts'
import { asSuperuser, newDatabase, queryOn } from './test-database.ts'
// The setup reads the secret that this module sets.
import './world.ts'

const SETUP = 'test/fixtures/suppliers.yaml'

/** SQLite's own tables hold statistics, and what has no text is a part of a table. */
const ON_SQLITE = `
  select sql as text from sqlite_master where sql is not null and name not like 'sqlite!_%' escape '!'
  order by tbl_name, type <> 'table', name`

/** A row for each table, view and function. With a table comes all that belongs to it, each in a line. */
const ON_POSTGRES = `
  with relation as (
    select oid, relname, relkind, relrowsecurity, relforcerowsecurity, reloptions
    from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'
  ), line (relation, part, place, text) as (
    select attrelid, 1, lpad(attnum::text, 4, '0'), concat_ws(' ', quote_ident(attname),
      format_type(atttypid, atttypmod),
      'collate ' || nullif(attcollation, typcollation)::regcollation::text,
      case when attnotnull then 'not null' end,
      'default ' || pg_get_expr(adbin, adrelid),
      'identity ' || nullif(attidentity::text, ''),
      'generated ' || nullif(attgenerated::text, ''),
      'compression ' || nullif(attcompression::text, ''),
      'storage ' || nullif(attstorage, typstorage)::text)
    from pg_attribute join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select conrelid, 2, conname, concat_ws(' ', 'constraint', quote_ident(conname), pg_get_constraintdef(oid))
    from pg_constraint where contype <> 'n'
    union all
    select indrelid, 3, indexrelid::regclass::text, pg_get_indexdef(indexrelid)
    from pg_index where not exists (select from pg_constraint where conindid = indexrelid)
    union all
    select oid, 4, '', concat_ws(' ', 'row-level security', case when relforcerowsecurity then 'forced' end)
    from relation where relrowsecurity
    union all
    select format('%I', tablename)::regclass, 5, policyname, concat_ws(' ', 'policy', policyname, permissive,
      'for', cmd, 'to', roles, regexp_replace('using ' || qual || ' with check ' || with_check, '\\s+', ' ', 'g'))
    from pg_policies where schemaname = 'public'
    union all
    select tgrelid, 6, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select oid, 7, '', pg_get_viewdef(oid) from relation where relkind = 'v'
  )
  select relname as name, concat_ws(' ', case relkind when 'r' then 'table' when 'v' then 'view' else relkind::text end,
    quote_ident(relname), reloptions) || E'\\n  ' || string_agg(line.text, E'\\n  ' order by part, place) as text
  from relation join line on line.relation = relation.oid group by relname, relkind, reloptions
  union all
  select proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  order by name, text`

export async function schemaPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-schema-'))
  const server = await PostgresServer.start()
  try {
    const onSqlite = (setup?: string) => textsOnSqlite(mkdtempSync(join(folder, 'data-')), setup)
    const onPostgres = (setup?: string) => textsOnPostgres(mkdtempSync(join(folder, 'data-')), server.admin, setup)
    return `# Schema

What each database tells of its own schema. Printed by \`npm run docs\`; a test compares.

${section('SQLite', await onSqlite(), await onSqlite(SETUP))}
${section('PostgreSQL', await onPostgres(), await onPostgres(SETUP))}`
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function section(database: string, empty: readonly string[], setUp: readonly string[]): string {
  const added = setUp.filter((text) => !empty.includes(text))
  const gone = empty.filter((text) => !setUp.includes(text))
  return [
    `## A new database of ${database}\n\n${block(empty)}`,
    `## What the setup \`${SETUP}\` adds on ${database}\n\n${block(added)}`,
    ...(gone.length > 0 ? [`## What is gone with it on ${database}\n\n${block(gone)}`] : []),
  ].join('\n')
}

const block = (texts: readonly string[]) => `\`\`\`sql\n${texts.map((text) => `${text.trim()}\n`).join('\n')}\`\`\`\n`

async function textsOnSqlite(data: string, setup?: string): Promise<readonly string[]> {
  await startAndStop({ data, setup })
  const connection = new DatabaseSync(join(data, 'tabularium.db'), { readOnly: true })
  const rows = connection.prepare(ON_SQLITE).all()
  connection.close()
  return rows.map(({ text }) => String(text))
}

async function textsOnPostgres(data: string, admin: string, setup?: string): Promise<readonly string[]> {
  const database = await newDatabase({ admin })
  await startAndStop({ data, database, setup })
  return (await queryOn(asSuperuser(database), ON_POSTGRES)).map(({ text }) => String(text))
}

async function startAndStop(place: { data: string; database?: string; setup: string | undefined }): Promise<void> {
  const application = await buildApplication({ ...place, basePath: '', observe: () => {}, onFatal: () => {} })
  await application.stop(0)
}
