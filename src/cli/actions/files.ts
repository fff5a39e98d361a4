import type { Records } from '../../app/open/open-records.ts'
import type { FileStore } from '../../files/file-store.ts'
import {
  countFilesToCheck,
  type FileFault,
  findFaults,
  findUnreferenced,
  type Unreferenced,
} from '../../records/documents/content/check-files.ts'
import type { FilesSettings } from '../commands/files.ts'
import { formatCount, formatCountOf, withProgress } from '../progress.ts'
import { withFiles } from '../with-files.ts'

export function checkFiles(settings: FilesSettings): Promise<void> {
  return withFiles(settings, (records, files) => checkAll(records, files, settings.sweep === true))
}

async function checkAll(records: Records, files: FileStore, isSweeping: boolean): Promise<void> {
  const { store, companies } = records.service
  const parts = { store, companies, files }
  const total = await countFilesToCheck(parts)
  const faults: FileFault[] = []
  await withProgress('reading files', total, (progress) =>
    findFaults(
      parts,
      (fault) => {
        faults.push(fault)
        printFault(fault)
      },
      progress,
    ),
  )
  const unreferenced = await findUnreferenced(parts, isSweeping)
  printSummary(total, faults, unreferenced)
}

function printFault({ kind, companyId, hash, revisions }: FileFault): void {
  process.stdout.write(`${kind}: ${hash} of company ${companyId}, in ${revisions.join(', ')}\n`)
}

function printSummary(total: number, faults: readonly FileFault[], { files, bytes, swept }: Unreferenced): void {
  const of = (kind: FileFault['kind']) => formatCount(faults.filter((fault) => fault.kind === kind).length)
  const left = files === 0 ? '' : ` (${formatCount(Math.ceil(bytes / 1024))} KiB), ${formatCount(swept)} taken away`
  process.stdout.write(
    `${formatCountOf(total, 'file')} read: ${of('missing')} missing, ${of('damaged')} damaged; ${formatCount(files)} unreferenced${left}\n`,
  )
  if (faults.length > 0) process.exitCode = 1
}
