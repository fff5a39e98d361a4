import { Command, Option } from 'commander'
import type { DistributeSettings } from '../actions/distribute.ts'
import { databaseSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const DESCRIPTION =
  'spread the companies of a PostgreSQL database over several servers, by the extension Citus. It may be stopped at any moment and run again'

const HELP = `
All records of a company stay together on one server. Stop all servers of the service before, and take a backup.
In the end it looks at the plan of every statement, and tells those that would ask more than one shard.

Exit code 0 when the database is distributed; 1 and a line for each condition that does not hold, or when a statement
would ask more than one shard; 2 for bad usage.

Examples:
  tabularium distribute --dry-run --database postgres://app@db/records
  tabularium distribute --database postgres://app@db/records`

/** `distribute`: spreads the companies over several servers. */
export function distributeCommand(terminal: Terminal): Command {
  const command = new Command('distribute')
    .description(DESCRIPTION)
    .addOption(new Option('--dry-run', 'print the statements and the conditions that do not hold, and change nothing'))
    .addHelpText('after', HELP)
  for (const option of databaseSettings()) command.addOption(option)
  return command.action(async (settings: DistributeSettings) => {
    const { runDistribute } = await import('../actions/distribute.ts')
    await runDistribute(settings, terminal)
  })
}
