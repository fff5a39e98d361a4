import { Command } from 'commander'
import type { CheckSettings } from '../actions/check.ts'
import { databaseSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `check`: checks the database for damage. */
export function checkCommand(terminal: Terminal): Command {
  const command = new Command('check')
    .description('look through the whole database for damage, also while the service runs, and change nothing')
    .addHelpText(
      'after',
      '\nExit code 1 and a line for each fault when it is damaged. The chain of the change log is checked by `audit verify`, contents by `files check`, backups by `verify`.\n\nExamples:\n  tabularium check\n  tabularium check --data /srv/records\n  tabularium check --database postgres://app@db/records',
    )
  for (const option of databaseSettings()) command.addOption(option)
  return command.action(async (settings: CheckSettings) => {
    const { runCheck } = await import('../actions/check.ts')
    await runCheck(settings, terminal)
  })
}
