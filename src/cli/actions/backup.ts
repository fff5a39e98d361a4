import { type Manifest, NotABackup } from '../../backup/manifest.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { reportMissing, verifyBackup } from '../../backup/verify-backup.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { driverAt, driverNamed } from '../../databases/open/drivers.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import type { StoreFlags } from '../settings/settings.ts'
import { faultsOn, formatCount, formatCountOf, stageOn } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { printerOn } from '../terminal/terminal-text.ts'

export interface BackupSettings extends Pick<StoreFlags, 'data' | 'database'> {
  readonly files?: string
}

export async function runBackup(target: string, settings: BackupSettings, terminal: Terminal): Promise<void> {
  const print = printerOn(terminal)
  const { data, database, files } = settings
  await driverAt({ data, database }).requireSetUp({ data, database })
  const openFiles = async () => (await openFileStore({ files, data })).store
  const task = { target, data, database, openFiles, program: PROGRAM_VERSION }
  const { manifest, known } = await takeBackup({ ...task, stage: stageOn(terminal) })
  const { lacking } = manifest.contents
  for (const content of lacking) print(reportMissing(content))
  const added = manifest.contents.files - lacking.length - known
  print(
    `backed up to ${target}: ${contentsOf(manifest)}; ${formatCountOf(added, 'file')} copied, ${formatCount(known)} known`,
  )
  if (lacking.length > 0) terminal.exitCode = 1
}

export async function runRestore(target: string, settings: BackupSettings, terminal: Terminal): Promise<void> {
  const print = printerOn(terminal)
  const { data, database, files } = settings
  const openFiles = () => openFileStore({ files, data })
  const manifest = await restoreBackup({ target, data, database, openFiles, stage: stageOn(terminal) })
  const { lacking } = manifest.contents
  for (const content of lacking) print(reportMissing(content))
  const place = database === undefined ? data : 'the database'
  print(`restored to ${place}: ${contentsOf(manifest)}; as of ${momentOf(manifest)}`)
  for (const [table, rows] of Object.entries(manifest.database.tables)) {
    if (rows > 0) print(`  ${table}: ${formatCount(rows)}`)
  }
  print(
    'a backup has no private keys: where keys.json is not brought, new ones are made and clients ask for new tokens',
  )
  print('what was erased since then is there again: run `erase again` with the lines of `erase noted`')
  if (lacking.length > 0) terminal.exitCode = 1
}

export async function runVerify(target: string, terminal: Terminal): Promise<void> {
  const print = printerOn(terminal)
  const faults = faultsOn(terminal)
  try {
    const manifest = await stageOn(terminal)('verifying', (progress) =>
      verifyBackup({ target, report: faults.report, progress }),
    )
    for (const content of manifest.contents.lacking) faults.report(reportMissing(content))
    print(`verified ${target}: ${contentsOf(manifest)}; as of ${momentOf(manifest)}: ${faults.text}`)
  } catch (error) {
    if (!(error instanceof NotABackup)) throw error
    faults.report(error.message)
  }
}

/** A distributed database has no moment that all of its servers share. */
function momentOf({ begun, database }: Manifest): string {
  return database.isOfManyMoments ? `${begun}, each company a little later` : begun
}

/** `SQLite, 12,345 rows, 678 files (9 MiB)`. */
function contentsOf({ database, contents }: Manifest): string {
  const rows = Object.values(database.tables).reduce((sum, count) => sum + count, 0)
  const size = formatCount(Math.ceil(contents.sizeBytes / 1024 / 1024))
  return `${driverNamed(database.kind).title}, ${formatCountOf(rows, 'row')}, ${formatCountOf(contents.files, 'file')} (${size} MiB)`
}
