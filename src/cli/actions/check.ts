import { driverAt } from '../../databases/open/drivers.ts'
import type { StoreFlags } from '../settings/settings.ts'
import { formatCountOf, stageOn } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type CheckSettings = Pick<StoreFlags, 'data' | 'database'>

export async function runCheck({ data, database }: CheckSettings, terminal: Terminal): Promise<void> {
  const location = { data, database }
  const print = (line: string) => void terminal.stdout.write(`${line}\n`)
  let faults = 0
  const report = (fault: string): void => {
    faults++
    print(fault)
  }
  const tables = await stageOn(terminal)('checking', (progress) =>
    driverAt(location).checkIntegrity({ ...location, progress, report, note: print }),
  )
  print(`${formatCountOf(tables, 'table')} checked: ${faults === 0 ? 'sound' : formatCountOf(faults, 'fault')}`)
  if (faults > 0) terminal.exitCode = 1
}
