// Versions of tables: a number that each commit draws anew for the tables that it changes, in that commit, so that it
// is seen exactly when the change is. Drawn and not counted, so that after the restore of a backup no state gets the
// version that another state had before.
import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Expressions } from '../compile/expressions.ts'
import type { Engine } from '../engine.ts'
import { type Statement, statement } from '../statement.ts'
import type { CompiledQuery } from '../store.ts'
import type { TableVersionTable } from '../tables.ts'
import { tablesReadBy } from './statement-tables.ts'

const MOST_VERSIONS = 2 ** 48 - 1

export const renewVersions = statement<{ companyId: string; tables: string; version: number }>(
  'renew_table_versions',
  (_db, p, engine) => sql`
    insert into table_version (company_id, table_name, version)
    select ${p('companyId')}, name.value, ${p('version')} from ${namesIn(p('tables'), engine)} where 1 = 1
    on conflict (company_id, table_name) do update set version = excluded.version`,
)

function namesIn(json: RawBuilder<never>, engine: Engine): RawBuilder<unknown> {
  return engine.name === 'sqlite'
    ? sql`json_each(${json}) as name`
    : sql`json_array_elements_text(${json}::json) as name(value)`
}

/** The parameters of `renewVersions` for the tables that a commit changes. */
export function renewed(companyId: string, tables: Iterable<string>) {
  // In one order, so that two transactions never wait for each other.
  return { companyId, tables: JSON.stringify([...tables].sort()), version: randomInt(1, MOST_VERSIONS) }
}

export const readVersions = statement<{ companyId: string }, Omit<TableVersionTable, 'company_id'>>(
  'read_table_versions',
  (db, p) => db.selectFrom('table_version').select(['table_name', 'version']).where('company_id', '=', p('companyId')),
)

export const readVersion = statement<{ companyId: string; table: string }, Pick<TableVersionTable, 'version'>>(
  'read_table_version',
  (db, p) =>
    db
      .selectFrom('table_version')
      .select('version')
      .where('company_id', '=', p('companyId'))
      .where('table_name', '=', p('table')),
)

/** One state of some tables in a text; a table that nothing has changed yet has no version. */
export function tagOf(tables: readonly string[], versionOf: (table: string) => number | undefined): string {
  return tables.map((table) => `${table}=${versionOf(table) ?? 0}`).join(' ')
}

/** Something that reads: a fixed statement, or what compiles a query. */
export type Reading = Statement<never, unknown> | ((engine: Expressions) => CompiledQuery)

/** Queries differ in their parameters more than in their texts. */
/** In characters. */
const KNOWN_TEXTS = 500_000

interface Known {
  readonly tables: readonly string[] | undefined
}

/** Finds out which tables are read, once for each text. */
export class ReadTables {
  readonly #textOf: (declared: Statement<never, unknown>) => string
  readonly #expressions: Expressions
  readonly #statements = new WeakMap<Statement<never, unknown>, Known>()
  readonly #texts = new LRUCache<string, Known>({
    maxSize: KNOWN_TEXTS,
    sizeCalculation: (_known, text) => text.length + 500,
  })

  constructor(textOf: (declared: Statement<never, unknown>) => string, expressions: Expressions) {
    this.#textOf = textOf
    this.#expressions = expressions
  }

  /** In one order and without doubles; nothing when one of them has no version. */
  of(readings: readonly Reading[]): readonly string[] | undefined {
    const [first, ...others] = readings.map((reading) => this.#ofOne(reading))
    if (others.length === 0) return first
    const all = [first, ...others]
    return all.includes(undefined) ? undefined : [...new Set(all.flatMap((tables) => tables ?? []))].sort()
  }

  #ofOne(reading: Reading): readonly string[] | undefined {
    const { tables } =
      typeof reading === 'function' ? this.#ofText(reading(this.#expressions).text) : this.#ofStatement(reading)
    return tables
  }

  #ofText(text: string): Known {
    let known = this.#texts.get(text)
    if (!known) {
      known = { tables: tablesReadBy(text) }
      this.#texts.set(text, known)
    }
    return known
  }

  #ofStatement(declared: Statement<never, unknown>): Known {
    let known = this.#statements.get(declared)
    if (!known) {
      known = { tables: tablesReadBy(this.#textOf(declared)) }
      this.#statements.set(declared, known)
    }
    return known
  }
}
