// Checks a database file for damage, one table at a time, so that the caller can pause and report progress. Between two
// tables no snapshot is held, so the write-ahead log can be truncated.

import { FatalStoreFault } from '../../../store/store-fault.ts'
import type { IntegrityTask } from '../../driver.ts'
import { type Connection, openReader, prepareArrays } from '../dialect/connection.ts'
import { sqliteDialect } from '../dialect/dialect.ts'
import { translate } from '../dialect/faults.ts'
import { addFunctions } from '../dialect/functions.ts'
import { requireDatabaseFile } from './data-folder.ts'

export interface IntegrityStep {
  readonly done: number
  readonly total: number
  readonly faults: readonly string[]
}

const TABLES = `select name from sqlite_schema where type = 'table' order by name`

/**
 * Checks each table with its indexes, then the pages of the complete file, including unused ones, and the references.
 */
export function* integritySteps(connection: Connection): Generator<IntegrityStep, void, void> {
  const tables = firstColumns(connection, TABLES)
  const pragmas = tables.map((name) => `integrity_check(${sqliteDialect.quote(name)})`)
  // The checks of the tables cover all of this except the list of free pages.
  pragmas.push('quick_check')
  const total = pragmas.length + 1
  for (const [at, pragma] of pragmas.entries()) {
    const faults = faultsOf(() => firstColumns(connection, `pragma ${pragma}`).filter((line) => line !== 'ok'))
    yield { done: at + 1, total, faults }
  }
  yield { done: total, total, faults: faultsOf(() => lostReferences(connection)) }
}

/** Checks the complete file at once. */
export function integrityFaults(connection: Connection, check = 'integrity_check'): string[] {
  const faults = faultsOf(() => firstColumns(connection, `pragma ${check}`).filter((line) => line !== 'ok'))
  return [...faults, ...faultsOf(() => lostReferences(connection))].map((fault) => `the database is damaged: ${fault}`)
}

export async function checkDatabaseFile({ data, progress, report }: IntegrityTask): Promise<number> {
  const file = requireDatabaseFile(data)
  using connection = openForCheck(file)
  // A fault is reported once, though several checks may find it.
  const reported = new Set<string>()
  for (const { done, total, faults } of integritySteps(connection)) {
    for (const fault of faults) if (!reported.has(fault)) report(fault)
    for (const fault of faults) reported.add(fault)
    progress(done, total)
  }
  return firstColumns(connection, TABLES).length
}

/** Opens a reader with the SQL functions that indexes may use. */
export function openForCheck(file: string): Connection {
  const connection = openReader(file)
  addFunctions(connection)
  return connection
}

function lostReferences(connection: Connection): string[] {
  const { length } = connection.prepare('pragma foreign_key_check').all()
  return length === 0 ? [] : [`${length} rows refer to nothing`]
}

/** An error that makes the check impossible is itself a fault of the database. */
function faultsOf(runCheck: () => string[]): string[] {
  try {
    return runCheck()
  } catch (error) {
    if (!(translate(error) instanceof FatalStoreFault)) throw error
    return [(error as Error).message]
  }
}

function firstColumns(connection: Connection, text: string): string[] {
  return (prepareArrays(connection, text).all() as unknown as [string][]).map(([value]) => value)
}
