import { Command, type Option } from 'commander'
import type { FileFlags } from '../actions/records/find-records.ts'
import { databaseSettings, filesSetting, setting, storeSettings, withOptions } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { lazily } from './lazily.ts'

/** `check`: checks the database for damage. */
export function checkCommand(terminal: Terminal): Command {
  const command = new Command('check')
    .description('look through the whole database for damage, also while the service runs, and change nothing')
    .addHelpText(
      'after',
      '\nExit code 1 and a line for each fault when it is damaged. The chain of the change log is checked by `audit verify`, contents by `files check`, backups by `verify`.\n\nExamples:\n  tabularium check\n  tabularium check --data /srv/records\n  tabularium check --database postgres://app@db/records',
    )
  return withOptions(command, databaseSettings()).action(
    lazily(terminal, async () => (await import('../actions/database.ts')).runCheck),
  )
}

/** `files check` and `files sweep`: missing, damaged and unreferenced contents of documents. */
export function filesCommand(terminal: Terminal): Command {
  const part = (name: 'check' | 'sweep', description: string) => {
    const command = new Command(name)
      .description(description)
      .addHelpText(
        'after',
        `\nExit code 1 when a content is missing or damaged.\n\nExamples:\n  tabularium files ${name}\n  tabularium files ${name} --files s3://papers/archive --database postgres://app@db/records`,
      )
    return withOptions(command, [...storeSettings(), filesSetting()]).action(async (settings: FileFlags) => {
      const { checkFiles } = await import('../actions/records/files.ts')
      await checkFiles(settings, name === 'sweep', terminal)
    })
  }
  return new Command('files')
    .description('look after the contents of documents')
    .addCommand(
      part(
        'check',
        'read every content that a document refers to and compare it with its hash; find contents that nobody refers to; also while the service runs',
      ),
    )
    .addCommand(part('sweep', 'as check, and take away contents that nobody refers to, when they are older than a day'))
}

const ADVICE =
  'tell which questions were slow, how the database answers them, and the indexes that would serve them. It only reads, also while the service runs'

const ADVISE_HELP = `
The service remembers questions that take longer than 200 ms, by their shape: no value of a caller is kept.
What is printed at the end goes into the setup; it has all indexes that its documents already have there.

Exit code 0, also when nothing was slow; 1 when the database cannot be read; 2 for bad usage.

Examples:
  tabularium advise
  tabularium advise --database postgres://app@db/records`

/** `advise`: lists slow queries and missing indexes. */
export function adviseCommand(terminal: Terminal): Command {
  const command = new Command('advise').description(ADVICE).addHelpText('after', ADVISE_HELP)
  return withOptions(command, storeSettings()).action(
    lazily(terminal, async () => (await import('../actions/advise.ts')).printAdvice),
  )
}

const MIGRATE_HELP = `
A start of the service migrates too, unless its role does not own the tables, or its sessions are pooled (--pooled).

Examples:
  tabularium migrate --database postgres://owner@db/records
  tabularium migrate --database postgres://owner@db/records --grant-to app`

/** `migrate`: brings the database to the schema of this version. */
export function migrateCommand(terminal: Terminal): Command {
  const command = new Command('migrate')
    .description('bring the database to the schema of this version, as the owner of its tables')
    .option('--grant-to <role>', 'role of the service, which gets the rights to read and write rows, and no other')
    .addHelpText('after', MIGRATE_HELP)
  return withOptions(command, databaseSettings()).action(
    lazily(terminal, async () => (await import('../actions/database.ts')).runMigrate),
  )
}

const DISTRIBUTION =
  'spread the companies of a PostgreSQL database over several servers, by the extension Citus. It may be stopped at any moment and run again'

const DISTRIBUTE_HELP = `
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
    .description(DISTRIBUTION)
    .option('--dry-run', 'print the statements and the conditions that do not hold, and change nothing')
    .addHelpText('after', DISTRIBUTE_HELP)
  return withOptions(command, databaseSettings()).action(
    lazily(terminal, async () => (await import('../actions/distribute.ts')).runDistribute),
  )
}

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
  return withStoreOptions(command).action(
    lazily(terminal, async () => (await import('../actions/backup.ts')).runBackup),
  )
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
  return withStoreOptions(command).action(
    lazily(terminal, async () => (await import('../actions/backup.ts')).runRestore),
  )
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
  return withOptions(command, [...databaseSettings(), filesSetting()])
}

const DESCRIPTION =
  'the chain of the change log: every entry carries the hash of the one before it. Both commands read the database without changing it, also while the service runs'

/** `audit verify` and `audit head`: detect changes to the change log. */
export function auditCommand(terminal: Terminal): Command {
  const verify = new Command('verify')
    .description('read the whole chain of each company, and tell the first entry that is not what it was')
    .addOption(companySetting())
    .option(
      '--since <heads...>',
      'lines of `audit head` (COMPANY:ENTRY:HASH), or files of them, that must still be part of the chains',
    )
    .addHelpText(
      'after',
      '\nExit code 1 when a chain is broken.\n\nExamples:\n  tabularium audit verify\n  tabularium audit verify --company EN --database postgres://app@db/records\n  tabularium audit verify --since /mnt/elsewhere/heads.txt',
    )
    .action(lazily(terminal, async () => (await import('../actions/audit.ts')).verifyAll))
  const head = new Command('head')
    .description('print where each chain ends, as COMPANY:ENTRY:HASH, to be kept out of reach of this machine')
    .addOption(companySetting())
    .addHelpText('after', '\nExamples:\n  tabularium audit head >> /mnt/elsewhere/heads.txt')
    .action(lazily(terminal, async () => (await import('../actions/audit.ts')).printHeads))
  const audit = new Command('audit').description(DESCRIPTION)
  for (const command of [verify, head]) audit.addCommand(withOptions(command, storeSettings()))
  return audit
}

function companySetting(): Option {
  return setting('--company <id>', 'company whose chain is read; absent: all, and that of what belongs to none')
}
