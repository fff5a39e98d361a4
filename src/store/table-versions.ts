// Table versions: each commit sets a random number for the tables that it changes, in the same transaction, so that it
// becomes visible together with the change. The number is random rather than counted, so that after the restore of a
// backup no state gets a version that another state had before.

import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { getOrInsert } from '../base/memo.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { CompiledQuery } from '../sql/rows/compiled-query.ts'
import type { TableVersionTable } from '../sql/service-tables.ts'
import { type Statement, statement } from '../sql/statement.ts'
import { tablesReadBy } from '../sql/statement-tables.ts'

const MAX_VERSIONS = 2 ** 48 - 1

export const renewVersions = statement<{ companyId: string; tables: string; version: number }>(
  'renew_table_versions',
  (_db, p, dialect) => sql`
    insert into table_version (company_id, table_name, version)
    select ${p('companyId')}, name.value, ${p('version')} from ${dialect.textRows(p('tables'), 'name')} where 1 = 1
    on conflict (company_id, table_name) do update set version = excluded.version`,
)

/** The parameters of `renewVersions` for the tables that a commit changes. */
export function renewed(companyId: string, tables: Iterable<string>) {
  // Sorted, so that two transactions cannot deadlock.
  return { companyId, tables: JSON.stringify([...tables].sort()), version: randomInt(1, MAX_VERSIONS) }
}

/** The row without a name has the number of the company's last change, in the snapshot of the versions. */
export const readVersions = statement<{ companyId: string }, Omit<TableVersionTable, 'company_id'>>(
  'read_table_versions',
  (db, p) =>
    db
      .selectFrom('table_version')
      .select(['table_name', 'version'])
      .where('company_id', '=', p('companyId'))
      .unionAll(
        db
          .selectFrom('journal_counter')
          .select([sql.lit('').as('table_name'), 'last_entry as version'])
          .where('company_id', '=', p('companyId')),
      ),
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

/** The state of some tables as a text. A table that was never changed has no version. */
export function tagOf(tables: readonly string[], versionOf: (table: string) => number | undefined): string {
  return tables.map((table) => `${table}=${versionOf(table) ?? 0}`).join(' ')
}

/** A read operation: a fixed statement, or a function that compiles a query. */
export type Reading = Statement<never, unknown> | ((dialect: Dialect) => CompiledQuery)

/**
 * The maximum total length of cached texts, in characters. Queries differ in their parameters more than in their texts.
 */
const MAX_CACHED_CHARACTERS = 500_000

interface TableList {
  readonly tables: readonly string[] | undefined
}

/** Determines which tables are read, once for each text. */
export class ReadTables {
  readonly #textOf: (declared: Statement<never, unknown>) => string
  readonly #dialect: Dialect
  readonly #statements = new WeakMap<Statement<never, unknown>, TableList>()
  readonly #texts = new LRUCache<string, TableList>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_tables, text) => text.length + 500,
  })

  constructor(textOf: (declared: Statement<never, unknown>) => string, dialect: Dialect) {
    this.#textOf = textOf
    this.#dialect = dialect
  }

  /** The tables read, sorted and distinct; undefined when one of them has no version. */
  of(readings: readonly Reading[]): readonly string[] | undefined {
    const [first, ...others] = readings.map((reading) => this.#tablesOf(reading))
    if (others.length === 0) return first
    const all = [first, ...others]
    return all.includes(undefined) ? undefined : [...new Set(all.flatMap((tables) => tables ?? []))].sort()
  }

  #tablesOf(reading: Reading): readonly string[] | undefined {
    const { tables } =
      typeof reading === 'function' ? this.#tablesOfText(reading(this.#dialect).text) : this.#tablesOfStatement(reading)
    return tables
  }

  #tablesOfText(text: string): TableList {
    return getOrInsert(this.#texts, text, () => ({ tables: tablesReadBy(text) }))
  }

  #tablesOfStatement(declared: Statement<never, unknown>): TableList {
    return getOrInsert(this.#statements, declared, () => ({ tables: tablesReadBy(this.#textOf(declared)) }))
  }
}

type Renew = (companyId: string, tables: ReadonlySet<string>) => void

/**
 * The tables changed by the writes of a transaction. Each gets a new version before the commit, once for all writes. A
 * rejected write contributes nothing.
 */
export class ChangedTables {
  readonly #renew: Renew
  readonly #onRenewed: () => void
  #isRenewed = false
  /** The tables changed by accepted writes, by company. */
  readonly #accepted = new Map<string, Set<string>>()
  /** The tables changed by the current write, by company. */
  readonly #current = new Map<string, Set<string>>()

  /** `onRenewed` is called when new versions are durable, before any caller is answered. */
  constructor(renew: Renew, onRenewed: () => void = () => {}) {
    this.#renew = renew
    this.#onRenewed = onRenewed
  }

  add(companyId: string, tables: readonly string[]): void {
    const accepted = this.#accepted.get(companyId)
    if (!accepted || tables.some((table) => !accepted.has(table))) addTo(this.#current, companyId, tables)
  }

  acceptWrite(): void {
    if (this.#current.size === 0) return
    for (const [companyId, tables] of this.#current) addTo(this.#accepted, companyId, tables)
    this.#current.clear()
  }

  undoWrite(): void {
    this.#current.clear()
  }

  flush(): void {
    this.acceptWrite()
    for (const [companyId, tables] of this.#accepted) this.#renew(companyId, tables)
    this.#isRenewed = this.#accepted.size > 0
    this.reset()
  }

  committed(): void {
    if (this.#isRenewed) this.#onRenewed()
    this.#isRenewed = false
  }

  reset(): void {
    this.#accepted.clear()
    this.#current.clear()
  }
}

function addTo(all: Map<string, Set<string>>, companyId: string, tables: Iterable<string>): void {
  const tableSet = getOrInsert(all, companyId, () => new Set())
  for (const table of tables) tableSet.add(table)
}
