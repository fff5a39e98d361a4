// Finds the company and the document that a command line names. Errors suggest the nearest name.
import { openRecords, type Records } from '../../../app/setup/open-records.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { openFileStore } from '../../../files/open-file-store.ts'
import type { DocumentDefinition } from '../../../model/document.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { type StoreFlags, storeOptions } from '../../settings/settings.ts'
import { badUsage, unknownName } from '../../terminal/bad-usage.ts'
import { reportsTo } from '../../terminal/reports-to.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** The named company, or the only one if no name is given. */
export function requireCompany({ service: { companies } }: Records, id: string | undefined): CompanyRules {
  const company = id === undefined ? companies.only : companies.find(id)
  if (company) return company
  if (companies.size === 0) throw new Error('no company is set up: run setup company.yaml first')
  const ids = companies.all.map((one) => one.id)
  if (id !== undefined) throw unknownName("option '--company'", 'company', id, ids)
  throw badUsage(`option '--company': there are several companies, name one`)
}

export function requireDocument({ documents }: Records, name: string, company: CompanyRules): DocumentDefinition {
  const found = documents.find(({ common }) => common.name === name)?.of(company)
  if (found) return found
  const names = documents.map(({ common }) => common.name)
  throw unknownName("argument 'document'", 'document', name, names)
}

/** Opens the records of a database; those who read and write them end by closing them. */
export function recordsAt(settings: StoreFlags, terminal: Terminal): Promise<Records> {
  return openRecords({ ...storeOptions(settings), ...reportsTo(terminal) })
}

export interface FileFlags extends StoreFlags {
  /** Where the contents are; absent: in the data folder. */
  readonly files?: string
}

/** Opens the records and the contents of documents, and closes both when the work has ended. */
export async function withFiles(
  settings: FileFlags,
  terminal: Terminal,
  work: (records: Records, files: FileStore) => Promise<void>,
): Promise<void> {
  await using records = await recordsAt(settings, terminal)
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
