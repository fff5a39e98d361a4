// Opens a database file read-only, beside the process that writes it or while there is none.

import type { StatementSync } from 'node:sqlite'
import type { ReadOnlyDatabase } from '../../journal/audit-store.ts'
import { type CompiledStatement, compileStatement, type Statement } from '../../statement.ts'
import type { SqlValue } from '../dialect.ts'
import { openReader } from './connection.ts'
import { tableColumns } from './custom-tables.ts'
import { sqliteDialect } from './dialect.ts'
import { addFunctions } from './functions/fold-case.ts'
import { setupIndexes } from './indexes/setup-indexes.ts'

export function openReadOnlyFile(file: string, attached: readonly string[]): ReadOnlyDatabase {
  const connection = openReader(file, attached)
  addFunctions(connection)
  const known = new Map<string, { prepared: StatementSync; names: CompiledStatement['names'] }>()
  const find = <P, Row>(declared: Statement<P, Row>) => {
    const found = known.get(declared.name)
    if (found) return found
    const { text, names } = compileStatement(sqliteDialect, declared)
    const made = { prepared: connection.prepare(text), names }
    known.set(declared.name, made)
    return made
  }
  return {
    all: async (_companyId, declared, values) => {
      const { prepared, names } = find(declared)
      return prepared.all(...names.map((name) => values[name] as SqlValue)) as never
    },
    dialect: sqliteDialect,
    setupIndexes: async () => setupIndexes(connection),
    columnsOf: async (table) => tableColumns(connection, table),
    explain: async (_companyId, { text, parameters }) => {
      const steps = connection.prepare(`explain query plan ${text}`).all(...parameters)
      return steps.map(({ detail }) => String(detail))
    },
    close: async () => {
      connection.close()
    },
  }
}
