import { Command, Option } from 'commander'
import { openRecords } from '../app.ts'
import { openFileStore } from '../files/stores/open-file-store.ts'
import { createLogger } from '../observe/logger.ts'
import {
  countFilesToCheck,
  type FileFault,
  findFaults,
  findUnreferenced,
  type Unreferenced,
} from '../records/documents/check-files.ts'
import { counted, withProgress } from './progress.ts'
import { filesSetting, type StoreSettings, storeOptions, storeSettings } from './settings.ts'

interface FilesSettings extends StoreSettings {
  readonly files?: string
  readonly sweep?: boolean
}

/** `files check`: are the contents of all documents there, and what they were? */
export function filesCommand(): Command {
  const check = new Command('check')
    .description(
      'read every content that a document refers to and compare it with its hash; find contents that nobody refers to. On SQLite the service must not be running',
    )
    .addOption(new Option('--sweep', 'take away contents that nobody refers to, when they are older than a day'))
    .addHelpText(
      'after',
      '\nExit code 1 when a content is missing or damaged.\n\nExamples:\n  tabularium files check\n  tabularium files check --sweep --files s3://papers/archive --database postgres://app:secret@db/records',
    )
  for (const option of [...storeSettings(), filesSetting()]) check.addOption(option)
  check.action(checkFiles)
  return new Command('files').description('look after the contents of documents').addCommand(check)
}

async function checkFiles(settings: FilesSettings): Promise<void> {
  const observe = createLogger('warn')
  const records = await openRecords({ ...storeOptions(settings), observe, onFatal: () => process.exit(70) })
  try {
    const { store: files } = await openFileStore({ files: settings.files, data: settings.data })
    const { store, companies } = records.service
    const parts = { store, companies, files }
    const total = await countFilesToCheck(parts)
    const faults: FileFault[] = []
    await withProgress('reading files', total, (progress) =>
      findFaults(
        parts,
        (fault) => {
          faults.push(fault)
          tellFault(fault)
        },
        progress,
      ),
    )
    const unreferenced = await findUnreferenced(parts, settings.sweep === true)
    tell(total, faults, unreferenced)
    await files.close()
  } finally {
    await records.close()
  }
}

function tellFault({ kind, companyId, hash, revisions }: FileFault): void {
  process.stdout.write(`${kind}: ${hash} of company ${companyId}, in ${revisions.join(', ')}\n`)
}

function tell(total: number, faults: readonly FileFault[], { files, bytes, swept }: Unreferenced): void {
  const of = (kind: FileFault['kind']) => counted(faults.filter((fault) => fault.kind === kind).length)
  const left = files === 0 ? '' : ` (${counted(Math.ceil(bytes / 1024))} KiB), ${counted(swept)} taken away`
  process.stdout.write(
    `${counted(total)} files read: ${of('missing')} missing, ${of('damaged')} damaged; ${counted(files)} unreferenced${left}\n`,
  )
  if (faults.length > 0) process.exitCode = 1
}
