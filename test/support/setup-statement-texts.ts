// The texts of the statements on the tables of a setup's documents, which are made when they are used: so they are used,
// by a transaction that only takes them down.
import { findReferrer } from '../../src/lifecycle/referrers-store.ts'
import { findPresentRecords, hasMembers, hasRecord, statementsOf } from '../../src/records/engine/record-store.ts'
import { bumpOwnerVersion } from '../../src/records/shared/master-data/relation-store.ts'
import type { RecordRules } from '../../src/setup/rules/record-rules.ts'
import { CompanyRules } from '../../src/setup/rules/rules.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import { compileStatement, type Statement } from '../../src/sql/statement.ts'
import {
  declaredRecordPages,
  findAll,
  findDuplicates,
  findUnreferenced,
} from '../../src/store/service-state/own-rows.ts'
import type { Tx } from '../../src/store/store.ts'

type AnyStatement = Statement<Record<string, string | number>, unknown>

export async function setupStatementTexts(
  records: ReadonlyMap<string, RecordRules>,
  dialect: Dialect,
): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const used: AnyStatement[] = []
  const take = (statement: AnyStatement) => void used.push(statement)
  const tx = {
    companyId: 'EN',
    entryNo: 1,
    send: take,
    first: async (statement: AnyStatement) => take(statement),
    all: async (statement: AnyStatement) => {
      take(statement)
      return []
    },
  } as unknown as Tx
  for (const rules of records.values()) await askAll(tx, rules, records, take)
  return used.map((statement) => ({ name: statement.name, text: compileStatement(dialect, statement).text }))
}

async function askAll(
  tx: Tx,
  rules: RecordRules,
  records: ReadonlyMap<string, RecordRules>,
  take: (statement: AnyStatement) => void,
): Promise<void> {
  const { owner: ownerRules } = rules
  const statements = statementsOf(rules)
  const { find, insert, remove } = statements
  for (const statement of [find, insert, statements.update([]), statements.update(['title']), remove])
    take(statement as AnyStatement)
  if (ownerRules) take(statements.touchOwner(ownerRules) as AnyStatement)
  if (hasMembers(rules)) take(statementsOf(rules).findWhole(rules.record.document) as AnyStatement)
  for (const column of [undefined, 'line_no'])
    if (ownerRules) take(statementsOf(rules).keysOfLines(ownerRules, column) as AnyStatement)
  const [{ column: first } = { column: '' }] = rules.checks.filter(({ itemsOf }) => itemsOf === undefined)
  take(statementsOf(rules).holderOf(first) as AnyStatement)
  const { document, fields } = rules.record
  const keyColumns = ['supplier_id']
  await findPresentRecords(tx, rules, [])
  await hasRecord(tx, document, keyColumns, ['x'])
  await findReferrer(tx, records.values(), { document: rules.name, key: [] })
  const table = { document, keyColumns }
  const column = { column: 'title', type: 'string' } as const
  await Array.fromAsync(declaredRecordPages(tx, table, fields))
  await findDuplicates(tx, table, column, 1)
  await findUnreferenced(tx, table, [column], { table: document.table, columns: ['title'] }, 1)
  await findAll(tx, table, 1)
  const owner = { attributeId: 'A6', table: document.table, keyColumn: 'supplier_id' }
  const company = new CompanyRules({ id: 'EN', name: 'Company' }, [], [], undefined, {}, [], [owner])
  await bumpOwnerVersion(tx, company, { attribute_id: 'A6', attribute_value: 'x' })
}
