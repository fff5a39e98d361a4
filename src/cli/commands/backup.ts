import { Command } from 'commander'
import type { BackupSettings } from '../actions/backup.ts'
import { databaseSettings, filesSetting } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `backup TARGET`: copies the database and all contents while the service runs. */
export function backupCommand(terminal: Terminal): Command {
  const command = new Command('backup')
    .summary('copy the database and the contents of documents')
    .description(
      'copy the database and the contents of documents to a folder, while the service runs; into the folder of an earlier backup, only new contents are copied',
    )
    .argument('<target>', 'a new folder, or the one of an earlier backup')
    .addHelpText(
      'after',
      '\nExit code 1 when a content is missing or damaged already; the backup has everything else.\n\nExamples:\n  tabularium backup /backup/records\n  tabularium backup /backup/records --database postgres://app@db/records --files s3://papers/archive',
    )
  return withStoreOptions(command).action(async (target: string, settings: BackupSettings) => {
    const { runBackup } = await import('../actions/backup.ts')
    await runBackup(target, settings, terminal)
  })
}

/** `restore TARGET`: verifies a backup and restores it into an empty location. */
export function restoreCommand(terminal: Terminal): Command {
  const command = new Command('restore')
    .description(
      'verify a backup and restore it into a new data folder, or into a PostgreSQL database without records (a backup of SQLite into SQLite, of PostgreSQL into PostgreSQL)',
    )
    .argument('<target>', 'folder of the backup')
    .addHelpText(
      'after',
      '\nNothing is changed when the backup is damaged or the place is not empty: exit code 1.\n\nExamples:\n  tabularium restore /backup/records --data ./restored\n  tabularium restore /backup/records --database postgres://app@db/restored --files s3://papers/restored',
    )
  return withStoreOptions(command).action(async (target: string, settings: BackupSettings) => {
    const { runRestore } = await import('../actions/backup.ts')
    await runRestore(target, settings, terminal)
  })
}

/** `verify TARGET`: checks a backup for damage. */
export function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('read a whole backup and compare it with its hashes and counts; check the database in it')
    .argument('<target>', 'folder of the backup')
    .addHelpText(
      'after',
      '\nExit code 1 and a line for each fault when it is not sound.\n\nExample:\n  tabularium verify /backup/records',
    )
    .action(async (target: string) => {
      const { runVerify } = await import('../actions/backup.ts')
      await runVerify(target, terminal)
    })
}

function withStoreOptions(command: Command): Command {
  for (const option of [...databaseSettings(), filesSetting()]) command.addOption(option)
  return command
}
