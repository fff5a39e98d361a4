// The tables of the documents that a setup declares: shaped before its records are written, unique when all are legal.
import type { SetupTx, Store } from '../../store/store.ts'
import type { DocumentSetup } from '../file/document-schema.ts'
import { requireNoFault, type SetupFault } from '../file/invalid-setup.ts'
import type { SetupItem } from '../items/setup-item.ts'
import { documentsIn } from '../items/setup-items.ts'
import { CUSTOMERS, declaredRecordsOf } from '../rules/declared-record.ts'
import { declaredTableName, declaredTableOf } from '../rules/declared-table.ts'
import type { CompanyRules } from '../rules/rules.ts'
import { brokenRules, type FindPresent, type StricterDocument } from './require-legal-records.ts'
import { stricterRules } from './stricter-rules.ts'

const CUSTOMER_TABLE = 'customer'

/** A reader of SQLite refuses a database with a table of more than 1,000 columns, and adds some to those of a table. */
const MAX_COLUMNS = 900

/**
 * Columns of properties that a document no longer has are kept: refuses those for which there is no room left, or that
 * differ from one that is there in letter case alone, which SQLite takes for the same, and PostgreSQL for an empty one.
 */
export async function requireRoom(store: Store, documents: readonly DocumentSetup[]): Promise<void> {
  const faults: SetupFault[] = []
  for (const document of documents) {
    if (document.table !== undefined) continue
    const place = `document ${document.name}`
    const { name: table, columns } = declaredTableOf(document)
    const known = (await store.columnsOf(table)) ?? []
    const kept = new Map(known.map((one) => [one.name.toLowerCase(), one.name]))
    for (const { name } of columns) {
      const there = kept.get(name.toLowerCase()) ?? name
      if (there !== name) faults.push({ place, message: `the column ${name} is there as ${there}: name it so` })
    }
    const all = new Set([...known, ...columns].map(({ name }) => name))
    if (all.size <= Math.max(MAX_COLUMNS, known.length)) continue
    const found = `${all.size} columns, with those of properties that it no longer has`
    faults.push({ place, message: `a table has at most ${MAX_COLUMNS} columns; it would have ${found}` })
  }
  requireNoFault(faults)
}

/** Creates the tables, or adds what they lack. Returns the documents whose rules are stricter than before. */
export async function shapeTables(
  setupTx: SetupTx,
  stored: readonly SetupItem[],
  documents: readonly DocumentSetup[],
): Promise<StricterDocument[]> {
  const [before, after] = [declaredRecordsOf(documentsIn(stored)), declaredRecordsOf(documents)]
  const stricterDocuments: StricterDocument[] = []
  for (const document of documents) {
    if (document.table !== undefined) continue
    const added = new Set(await setupTx.ensureTable(declaredTableOf(document)))
    const [earlier, rules] = [before.get(document.name), after.get(document.name)]
    const stricter = earlier && rules && stricterRules(earlier, rules, added)
    if (stricter) stricterDocuments.push({ rules, stricter, tableOf })
  }
  return stricterDocuments
}

function tableOf(name: string): string {
  return name === CUSTOMERS ? CUSTOMER_TABLE : declaredTableName({ name })
}

/** Throws one error with every stricter rule that stored records break. From then on, unique values are held so. */
export async function requireLegalRecords(
  setupTx: SetupTx,
  documents: readonly DocumentSetup[],
  stricterDocuments: readonly StricterDocument[],
  companies: Iterable<CompanyRules>,
  findPresent: FindPresent,
): Promise<void> {
  const faults: SetupFault[] = []
  if (stricterDocuments.length > 0) {
    for (const company of companies) {
      const tx = await setupTx.in(company.id)
      for (const one of stricterDocuments) faults.push(...(await brokenRules(tx, company, one, findPresent)))
    }
  }
  requireNoFault(faults)
  for (const document of documents) {
    if (document.table === undefined) await setupTx.ensureUnique(declaredTableOf(document))
  }
}
