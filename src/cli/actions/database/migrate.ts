import { systemClock } from '../../../base/clock.ts'
import { driverAt } from '../../../store/dialects/drivers.ts'
import { openStore } from '../../../store/open-store.ts'
import { reportsTo } from '../../reports-to.ts'
import type { StoreFlags } from '../../settings.ts'
import type { Terminal } from '../../terminal.ts'

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
