import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { type Manifest, NoBackup } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { tellLacking, verifyBackup } from '../backup/verify-backup.ts'
import { PROGRAM_VERSION } from '../base/program-version.ts'
import { openFileStore } from '../files/stores/open-file-store.ts'
import { badUsage } from './import.ts'
import { counted, stage } from './progress.ts'
import { filesSetting, placeSettings, type StoreSettings } from './settings.ts'

interface BackupSettings extends Pick<StoreSettings, 'data' | 'database'> {
  readonly files?: string
  readonly withKeys?: boolean
}

/** `backup TARGET`: the database and all contents, while the service runs. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description(
      'copy the database and the contents of documents to a folder, while the service runs; into the folder of an earlier backup, only new contents are copied',
    )
    .argument('<target>', 'a new folder, or the one of an earlier backup')
    .addOption(new Option('--with-keys', 'also the private keys of the data folder, which are not copied otherwise'))
    .addHelpText(
      'after',
      '\nExit code 1 when a content is missing or damaged already; the backup has everything else.\n\nExamples:\n  tabularium backup /backup/records\n  tabularium backup /backup/records --database postgres://app:secret@db/records --files s3://papers/archive',
    )
  return withPlace(command).action(runBackup)
}

/** `restore TARGET`: a verified backup into an empty place. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description(
      'verify a backup and restore it into a new data folder, or into a PostgreSQL database without records (a backup of SQLite into SQLite, of PostgreSQL into PostgreSQL)',
    )
    .argument('<target>', 'folder of the backup')
    .addHelpText(
      'after',
      '\nNothing is changed when the backup is damaged or the place is not empty: exit code 1.\n\nExamples:\n  tabularium restore /backup/records --data ./restored\n  tabularium restore /backup/records --database postgres://app:secret@db/restored --files s3://papers/restored',
    )
  return withPlace(command).action(runRestore)
}

/** `verify TARGET`: is a backup what it was? */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('read a whole backup and compare it with its hashes and counts; check the database in it')
    .argument('<target>', 'folder of the backup')
    .addHelpText(
      'after',
      '\nExit code 1 and a line for each fault when it is not sound.\n\nExample:\n  tabularium verify /backup/records',
    )
    .action(runVerify)
}

function withPlace(command: Command): Command {
  for (const option of [...placeSettings(), filesSetting()]) command.addOption(option)
  return command
}

async function runBackup(target: string, settings: BackupSettings): Promise<void> {
  const { data, database, files, withKeys = false } = settings
  if (withKeys && !existsSync(join(data, 'keys.json'))) {
    throw badUsage(`option '--with-keys': there are no keys in ${data}`)
  }
  const openFiles = async () => (await openFileStore({ files, data })).store
  const program = PROGRAM_VERSION
  const { manifest, known } = await takeBackup({ target, data, database, openFiles, withKeys, program, stage })
  const { lacking } = manifest.contents
  for (const content of lacking) print(tellLacking(content))
  const added = manifest.contents.files - lacking.length - known
  print(`backed up to ${target}: ${contentsOf(manifest)}; ${counted(added)} files copied, ${counted(known)} known`)
  print(withKeys ? 'the private keys are in it: keep it as safe as them' : 'without the private keys (--with-keys)')
  if (lacking.length > 0) process.exitCode = 1
}

async function runRestore(target: string, settings: BackupSettings): Promise<void> {
  const { data, database, files } = settings
  const openFiles = () => openFileStore({ files, data })
  const { manifest, keys } = await restoreBackup({ target, data, database, openFiles, stage })
  const { lacking } = manifest.contents
  for (const content of lacking) print(tellLacking(content))
  const place = database === undefined ? data : 'the database'
  print(`restored to ${place}: ${contentsOf(manifest)}; as of ${manifest.begun}`)
  for (const [table, rows] of Object.entries(manifest.database.tables)) {
    if (rows > 0) print(`  ${table}: ${counted(rows)}`)
  }
  print(KEYS[keys])
  if (lacking.length > 0) process.exitCode = 1
}

const KEYS = {
  restored: 'the private keys are restored',
  kept: 'the private keys that were there are kept',
  none: 'the backup has no private keys: bring keys.json, or new ones are made and clients ask for new tokens',
}

async function runVerify(target: string): Promise<void> {
  let faults = 0
  const tell = (fault: string) => {
    faults++
    print(fault)
  }
  try {
    const manifest = await stage('verifying', (progress) => verifyBackup({ target, tell, progress }))
    for (const content of manifest.contents.lacking) tell(tellLacking(content))
    print(`verified ${target}: ${contentsOf(manifest)}; as of ${manifest.begun}: ${told(faults)}`)
  } catch (error) {
    if (!(error instanceof NoBackup)) throw error
    tell(error.message)
  }
  if (faults > 0) process.exitCode = 1
}

function told(faults: number): string {
  return faults === 0 ? 'sound' : `${counted(faults)} faults`
}

/** `SQLite, 12,345 rows, 678 files (9 MiB)`. */
function contentsOf({ database, contents }: Manifest): string {
  const kind = database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const rows = Object.values(database.tables).reduce((sum, count) => sum + count, 0)
  const size = counted(Math.ceil(contents.sizeBytes / 1024 / 1024))
  return `${kind}, ${counted(rows)} rows, ${counted(contents.files)} files (${size} MiB)`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
