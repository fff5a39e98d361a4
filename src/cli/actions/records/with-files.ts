// Opens the records and the contents of documents for commands that work on both.
import { openRecords, type Records } from '../../../app/setup/open-records.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { openFileStore } from '../../../files/stores/open-file-store.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'
import { reportsTo } from '../../terminal/reports-to.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { requireCompany } from './find-records.ts'

export interface FileFlags extends StoreFlags {
  /** Where the contents are; absent: in the data folder. */
  readonly files?: string
}

/** Closes both when the work has ended. */
export async function withFiles(
  settings: FileFlags,
  terminal: Terminal,
  work: (records: Records, files: FileStore) => Promise<void>,
): Promise<void> {
  await using records = await openRecords({
    ...storeOptions(settings),
    ...reportsTo(terminal),
  })
  const { store: files } = await openFileStore({ files: settings.files, data: settings.data })
  await using resources = new AsyncDisposableStack()
  resources.defer(() => files.close())
  await work(records, files)
}

/** The company with this id, or all. */
export function companiesOf(records: Records, id: string | undefined): readonly CompanyRules[] {
  return id === undefined
    ? records.service.companies.all.map(({ id: each }) => requireCompany(records, each))
    : [requireCompany(records, id)]
}
