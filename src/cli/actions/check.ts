import { driverAt } from '../../store/dialects/drivers.ts'
import type { CheckSettings } from '../commands/database/check.ts'
import { formatCountOf, stage } from '../progress.ts'

export async function runCheck({ data, database, quick = false }: CheckSettings): Promise<void> {
  const location = { data, database }
  let faults = 0
  const report = (fault: string): void => {
    faults++
    print(fault)
  }
  const tables = await stage('checking', (progress) =>
    driverAt(location).checkIntegrity({ ...location, isQuick: quick, progress, report, note: print }),
  )
  print(`${formatCountOf(tables, 'table')} checked: ${faults === 0 ? 'sound' : formatCountOf(faults, 'fault')}`)
  if (faults > 0) process.exitCode = 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
