import { openRecords } from '../app/open-records.ts'
import { openFileStore } from '../files/stores/open-file-store.ts'
import { createLogger } from '../observe/logger.ts'
import {
  countFilesToCheck,
  type FileFault,
  findFaults,
  findUnreferenced,
  type Unreferenced,
} from '../records/documents/check-files.ts'
import type { FilesSettings } from './commands/files.ts'
import { counted, countedOf, withProgress } from './progress.ts'
import { storeOptions } from './settings.ts'

export async function checkFiles(settings: FilesSettings): Promise<void> {
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
    `${countedOf(total, 'file')} read: ${of('missing')} missing, ${of('damaged')} damaged; ${counted(files)} unreferenced${left}\n`,
  )
  if (faults.length > 0) process.exitCode = 1
}
