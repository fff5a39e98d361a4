import type { Driver, Location } from '../driver.ts'
import { checkServer } from './copy/check.ts'
import { checkTables } from './copy/check-tables.ts'
import { dumpTables, isSetUp } from './copy/dump.ts'
import { openEmptyDatabase } from './copy/load.ts'
import { rewriteTables } from './copy/rewrite.ts'
import { distributeTables } from './distribution/distribute.ts'
import { openReadOnlyDatabase } from './open/open-read-only.ts'
import { openPostgresReplica, openPostgresStore } from './open/open-store.ts'
import { grantService } from './roles/grant-service.ts'
import { withSession } from './sessions/reading-session.ts'
import { isPostgresUrl } from './url.ts'

/** No such table, no such column. */
const OLDER_SCHEMA = ['42P01', '42703']

export const postgresDriver: Driver = {
  name: 'postgres',
  title: 'PostgreSQL',
  restoreHint: 'name an empty database with --database',
  serves: (url) => url !== undefined && isPostgresUrl(url),
  openStore: (settings) => openPostgresStore(urlOf(settings), settings),
  openReplica: (settings, replicaUrl) => openPostgresReplica(urlOf(settings), replicaUrl, settings),
  openReadOnly: (location) => openReadOnlyDatabase(urlOf(location)),
  isOlderSchema: (error) => OLDER_SCHEMA.includes((error as { code?: string }).code ?? ''),
  isSetUp: (location) => withSession(urlOf(location), 'tabularium', isSetUp),
  requireSetUp: async (location) => {
    if (!(await postgresDriver.isSetUp(location))) throw new Error('no company is set up in the database')
  },
  copy: (task) => dumpTables(task, urlOf(task)),
  checkCopy: checkTables,
  openRestoreTarget: (location, migrations, validateOnly) =>
    openEmptyDatabase(urlOf(location), migrations, validateOnly),
  checkIntegrity: (task) => checkServer(task, urlOf(task)),
  distribute: (task) => distributeTables(task, urlOf(task)),
  grantService: (location, role) => grantService(urlOf(location), role),
  rewrite: (location) => rewriteTables(urlOf(location)),
}

function urlOf({ database = '' }: Location): string {
  return database
}
