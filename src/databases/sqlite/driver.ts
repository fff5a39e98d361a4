import { existsSync } from 'node:fs'
import type { EmbeddedDriver } from '../driver.ts'
import { checkFile, copyFile } from './dump.ts'
import { databaseFile, requireDatabaseFile } from './file/data-folder.ts'
import { checkDatabaseFile } from './file/integrity-check.ts'
import { rewriteFile } from './file/rewrite.ts'
import { openEmptyFolder } from './load.ts'
import { openFolder, openScratchStore } from './open-folder.ts'
import { openReadOnlyFile } from './read-only.ts'

export const sqliteDriver: EmbeddedDriver = {
  name: 'sqlite',
  title: 'SQLite',
  restoreHint: 'it is restored into a data folder, without --database',
  serves: (url) => url === undefined,
  openStore: openFolder,
  openReadOnly: async ({ data }, attached) => openReadOnlyFile(requireDatabaseFile(data), attached),
  isOlderSchema: (error) => /^no such (table|column)/.test((error as Error).message),
  isSetUp: async ({ data }) => existsSync(databaseFile(data)),
  requireSetUp: async ({ data }) => void requireDatabaseFile(data),
  copy: copyFile,
  checkCopy: checkFile,
  openRestoreTarget: ({ data }, _migrations, validateOnly) => openEmptyFolder(data, validateOnly),
  checkIntegrity: checkDatabaseFile,
  distribute: async () => {
    throw new Error('SQLite keeps all records in one file: name a PostgreSQL database with --database')
  },
  grantService: async () => {
    throw new Error('--grant-to: a database in the data folder has no roles')
  },
  rewrite: ({ data }) => rewriteFile(data),
  openScratchStore,
}
