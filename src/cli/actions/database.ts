import { systemClock } from '../../base/clock.ts'
import { driverAt } from '../../databases/open/drivers.ts'
import { openStore } from '../../databases/open/open-store.ts'
import type { StoreFlags } from '../settings/settings.ts'
import { faultsOn, formatCountOf, stageOn } from '../terminal/progress.ts'
import { reportsTo } from '../terminal/reports-to.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { printerOn } from '../terminal/terminal-text.ts'

export type CheckSettings = Pick<StoreFlags, 'data' | 'database'>

export async function runCheck({ data, database }: CheckSettings, terminal: Terminal): Promise<void> {
  const location = { data, database }
  const print = printerOn(terminal)
  const faults = faultsOn(terminal)
  const tables = await stageOn(terminal)('checking', (progress) =>
    driverAt(location).checkIntegrity({ ...location, progress, report: faults.report, note: print }),
  )
  print(`${formatCountOf(tables, 'table')} checked: ${faults.text}`)
}

export interface MigrateSettings extends CheckSettings {
  readonly grantTo?: string
}

export async function runMigrate({ data, database, grantTo }: MigrateSettings, terminal: Terminal): Promise<void> {
  const location = { data, database }
  const store = await openStore({ ...location, clock: systemClock, ...reportsTo(terminal) })
  await store.close()
  const granted = grantTo === undefined ? [] : await driverAt(location).grantService(location, grantTo)
  terminal.stdout.write(['the database has the schema of this version', ...granted].map((line) => `${line}\n`).join(''))
}
