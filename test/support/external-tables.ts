// The external tables of `objects-external.yaml`: in a PostgreSQL schema, or in an SQLite file beside the service's
// own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type StoreKind, startWorld } from './world.ts'

const SETUP = 'test/fixtures/objects-external.yaml'

/** The second row is null in every nullable column; the fourth belongs to another company. */
const POSTGRES = `
  create schema erp;
  create table erp.job (
    id integer not null, client char(5) not null, title varchar(50), code char(8), status char(1),
    hours numeric(18, 6), rate real, pieces smallint, is_done boolean,
    starts_on date, ends_at timestamp, logged_at timestamptz, raw bytea, primary key (client, id));
  insert into erp.job values
    (1, 'EN', 'Alpha', 'CC100', 'N', 12.500000, 2.5, 7, true, '2026-01-31', '2026-02-01 12:30:00.25', '2026-02-01 12:30:00+02', null),
    (2, 'EN', null, null, null, null, null, null, null, null, null, null, null),
    (3, 'EN', '', 'X', 'P', 0, -1, -3, false, '1900-01-01', '2030-06-15 00:00:00', '2019-12-31 23:59:59.999Z', null),
    (1, 'SV', 'canary-of-SV', null, null, null, null, null, true, null, null, null, null);
  create view erp.open_job as select id, client, title from erp.job where is_done is not true;
  grant usage on schema erp to public;
  grant select on all tables in schema erp to public;`

const SQLITE = `
  create table job (
    id integer not null, client char(5) not null, title varchar(50), code char(8), status char(1),
    hours numeric(18, 6), rate real, pieces smallint, is_done boolean,
    starts_on date, ends_at timestamp, logged_at timestamp, raw blob, primary key (client, id));
  insert into job values
    (1, 'EN', 'Alpha', 'CC100', 'N', 12.5, 2.5, 7, 1, '2026-01-31', '2026-02-01 12:30:00.25', '2026-02-01 12:30:00+02:00', null),
    (2, 'EN', null, null, null, null, null, null, null, null, null, null, null),
    (3, 'EN', '', 'X', 'P', 0, -1, -3, 0, '1900-01-01', '2030-06-15T00:00:00', '2019-12-31 23:59:59.999', null),
    (1, 'SV', 'canary-of-SV', null, null, null, null, null, 1, null, null, null, null);
  create view open_job as select id, client, title from job where is_done is not 1;`

/** The statements that create external tables, for each kind of store. */
type Tables = Readonly<Record<StoreKind, string>>

/** Starts the service on these tables; `change` alters the text of the setup first. */
export async function startWithExternalTables(
  kind: StoreKind,
  change: (setup: string) => string = (setup) => setup,
  tables: Tables = { postgres: POSTGRES, sqlite: SQLITE },
): ReturnType<typeof startWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-foreign-'))
  const setup = join(folder, 'setup.yaml')
  writeFileSync(setup, change(readFileSync(SETUP, 'utf8')))
  const attached: string[] = []
  if (kind === 'sqlite') {
    const file = join(folder, 'a file.db')
    const connection = new DatabaseSync(file)
    connection.exec(tables.sqlite)
    connection.close()
    attached.push(`erp=${file}`)
  }
  const clean = () => rmSync(folder, { recursive: true, force: true })
  try {
    const world = await startWorld(kind, setup, '', { attached, prepare: tables.postgres })
    const stop = world.stop
    return Object.assign(world, { stop: () => stop().finally(clean) })
  } catch (error) {
    clean()
    throw error
  }
}
