import type { Records } from '../../../app/setup/open-records.ts'
import type { FileStore } from '../../../files/file-store.ts'
import {
  countFilesToCheck,
  type FileFault,
  findFaults,
  findUnreferenced,
  type Unreferenced,
} from '../../../records/documents/document/check-files.ts'
import { formatCount, formatCountOf, withProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type FileFlags, withFiles } from './find-records.ts'

export function checkFiles(settings: FileFlags, isSweeping: boolean, terminal: Terminal): Promise<void> {
  return withFiles(settings, terminal, (records, files) => checkAll(records, files, isSweeping, terminal))
}

async function checkAll(records: Records, files: FileStore, isSweeping: boolean, terminal: Terminal): Promise<void> {
  const { store, companies } = records.service
  const parts = { store, companies, files }
  const total = await countFilesToCheck(parts)
  const faults: FileFault[] = []
  await withProgress(terminal, 'reading files', total, (progress) =>
    findFaults(
      parts,
      (fault) => {
        faults.push(fault)
        const { kind, companyId, hash, revisions } = fault
        terminal.stdout.write(`${kind}: ${hash} of company ${companyId}, in ${revisions.join(', ')}\n`)
      },
      progress,
    ),
  )
  const unreferenced = await findUnreferenced(parts, isSweeping)
  terminal.stdout.write(summaryOf(total, faults, unreferenced))
  if (faults.length > 0) terminal.exitCode = 1
}

function summaryOf(total: number, faults: readonly FileFault[], { files, bytes, swept }: Unreferenced): string {
  const of = (kind: FileFault['kind']) => formatCount(faults.filter((fault) => fault.kind === kind).length)
  const left = files === 0 ? '' : ` (${formatCount(Math.ceil(bytes / 1024))} KiB), ${formatCount(swept)} taken away`
  return `${formatCountOf(total, 'file')} read: ${of('missing')} missing, ${of('damaged')} damaged; ${formatCount(files)} unreferenced${left}\n`
}
