import { systemClock } from '../../../base/clock.ts'
import { createLogger } from '../../../observe/logger.ts'
import { driverAt } from '../../../store/dialects/drivers.ts'
import { openStore } from '../../../store/open-store.ts'
import type { MigrateSettings } from '../../commands/database/migrate.ts'
import { FATAL_EXIT_CODE } from '../../exit-codes.ts'

export async function runMigrate({ data, database, grantTo }: MigrateSettings): Promise<void> {
  const location = { data, database }
  const observe = createLogger('warn')
  const onFatal = () => process.exit(FATAL_EXIT_CODE)
  const store = await openStore({ ...location, clock: systemClock, observe, onFatal })
  await store.close()
  const granted = grantTo === undefined ? [] : await driverAt(location).grantService(location, grantTo)
  process.stdout.write(['the database has the schema of this version', ...granted].map((line) => `${line}\n`).join(''))
}
