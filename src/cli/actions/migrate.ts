import { systemClock } from '../../base/clock.ts'
import { driverAt } from '../../databases/open/drivers.ts'
import { openStore } from '../../databases/open/open-store.ts'
import type { StoreFlags } from '../settings/settings.ts'
import { reportsTo } from '../terminal/reports-to.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface MigrateSettings extends Pick<StoreFlags, 'data' | 'database'> {
  readonly grantTo?: string
}

export async function runMigrate({ data, database, grantTo }: MigrateSettings, terminal: Terminal): Promise<void> {
  const location = { data, database }
  const store = await openStore({ ...location, clock: systemClock, ...reportsTo(terminal) })
  await store.close()
  const granted = grantTo === undefined ? [] : await driverAt(location).grantService(location, grantTo)
  terminal.stdout.write(['the database has the schema of this version', ...granted].map((line) => `${line}\n`).join(''))
}
