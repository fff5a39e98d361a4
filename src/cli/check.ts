import { Command, Option } from 'commander'
import { checkIntegrity } from '../store/integrity.ts'
import { counted, stage } from './progress.ts'
import { placeSettings, type StoreSettings } from './settings.ts'

interface CheckSettings extends Pick<StoreSettings, 'data' | 'database'> {
  readonly quick?: boolean
}

/** `check`: is the database whole? */
export function checkCommand(): Command {
  const command = new Command('check')
    .description('look through the whole database for damage, also while the service runs, and change nothing')
    .addOption(new Option('--quick', 'do not compare indexes with their tables, which takes most of the time'))
    .addHelpText(
      'after',
      '\nExit code 1 and a line for each fault when it is damaged. The chain of the change log is checked by `audit verify`, contents by `files check`, backups by `verify`.\n\nExamples:\n  tabularium check\n  tabularium check --quick --data /srv/records\n  tabularium check --database postgres://app:secret@db/records',
    )
  for (const option of placeSettings()) command.addOption(option)
  return command.action(runCheck)
}

async function runCheck({ data, database, quick = false }: CheckSettings): Promise<void> {
  let faults = 0
  const tell = (fault: string): void => {
    faults++
    print(fault)
  }
  const tables = await stage('checking', (progress) =>
    checkIntegrity({ data, database, isQuick: quick, progress, tell, note: print }),
  )
  print(`${counted(tables)} tables checked: ${faults === 0 ? 'sound' : `${counted(faults)} faults`}`)
  if (faults > 0) process.exitCode = 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
