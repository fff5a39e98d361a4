import { Command, Option } from 'commander'
import type { MigrateSettings } from '../actions/migrate.ts'
import { databaseSettings } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const HELP = `
A start of the service migrates too, unless its role does not own the tables, or its sessions are pooled (--pooled).

Examples:
  tabularium migrate --database postgres://owner@db/records
  tabularium migrate --database postgres://owner@db/records --grant-to app`

/** `migrate`: brings the database to the schema of this version. */
export function migrateCommand(terminal: Terminal): Command {
  const command = new Command('migrate')
    .description('bring the database to the schema of this version, as the owner of its tables')
    .addOption(
      new Option(
        '--grant-to <role>',
        'role of the service, which gets the rights to read and write rows, and no other',
      ),
    )
    .addHelpText('after', HELP)
  for (const option of databaseSettings()) command.addOption(option)
  return command.action(async (settings: MigrateSettings) => {
    const { runMigrate } = await import('../actions/migrate.ts')
    await runMigrate(settings, terminal)
  })
}
