// Looks through a database file for damage, a table at a time, so that who looks can pause and tell how far it is.
// Between two tables no snapshot is held: the write-ahead log can be cut.
import type { IntegrityTask } from '../../../service-state/integrity.ts'
import { FatalStoreFault } from '../../../store-fault.ts'
import { type Connection, openReader, prepareArrays } from '../connection.ts'
import { sqliteExpressions } from '../expressions.ts'
import { translate } from '../faults.ts'
import { addFunctions } from '../functions/fold-case.ts'
import { requireDatabaseFile } from './data-folder.ts'

export interface IntegrityStep {
  readonly done: number
  readonly total: number
  readonly faults: readonly string[]
}

const TABLES = `select name from sqlite_schema where type = 'table' order by name`

/** Each table with its indexes; then the pages of the whole file, also those that no table has, and the references. */
export function* integritySteps(connection: Connection, isQuick: boolean): Generator<IntegrityStep, void, void> {
  const check = isQuick ? 'quick_check' : 'integrity_check'
  const tables = firstColumns(connection, TABLES)
  const pragmas = tables.map((name) => `${check}(${sqliteExpressions.quote(name)})`)
  // The tables have found the same as this, but not what is wrong with the list of free pages.
  if (!isQuick) pragmas.push('quick_check')
  const total = pragmas.length + 1
  for (const [at, pragma] of pragmas.entries()) {
    const faults = faultsOf(() => firstColumns(connection, `pragma ${pragma}`).filter((line) => line !== 'ok'))
    yield { done: at + 1, total, faults }
  }
  yield { done: total, total, faults: faultsOf(() => lostReferences(connection)) }
}

/** The whole file at once. */
export function integrityFaults(connection: Connection, check = 'integrity_check'): string[] {
  const faults = faultsOf(() => firstColumns(connection, `pragma ${check}`).filter((line) => line !== 'ok'))
  return [...faults, ...faultsOf(() => lostReferences(connection))].map((fault) => `the database is damaged: ${fault}`)
}

export async function checkDatabaseFile({ data, isQuick, progress, tell }: IntegrityTask): Promise<number> {
  const file = requireDatabaseFile(data)
  const connection = openForCheck(file)
  try {
    // Told once, though several looks may find it.
    const told = new Set<string>()
    for (const { done, total, faults } of integritySteps(connection, isQuick)) {
      for (const fault of faults) if (!told.has(fault)) tell(fault)
      for (const fault of faults) told.add(fault)
      progress(done, total)
    }
    return firstColumns(connection, TABLES).length
  } finally {
    connection.close()
  }
}

/** With the functions that indexes may be made with. */
export function openForCheck(file: string): Connection {
  const connection = openReader(file)
  addFunctions(connection)
  return connection
}

function lostReferences(connection: Connection): string[] {
  const { length } = connection.prepare('pragma foreign_key_check').all()
  return length === 0 ? [] : [`${length} rows refer to nothing`]
}

/** What makes a check impossible is what it looks for. */
function faultsOf(look: () => string[]): string[] {
  try {
    return look()
  } catch (error) {
    if (!(translate(error) instanceof FatalStoreFault)) throw error
    return [(error as Error).message]
  }
}

function firstColumns(connection: Connection, text: string): string[] {
  return (prepareArrays(connection, text).all() as unknown as [string][]).map(([value]) => value)
}
