// Which records are referred to, and by whom: as values of an attribute, in the ledger, or by their keys, in records of
// the setup by the references that it declares.

import { sql } from 'kysely'
import { memo } from '../base/memo.ts'
import { keyFrom } from '../records/engine/record.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import { removableKindOf } from '../records/kinds/engine-records.ts'
import type { RemovableKind } from '../records/kinds/kind.ts'
import type { ValueName } from '../records/shared/master-data/value-store.ts'
import { declaredTableName } from '../setup/rules/declared-table.ts'
import type { RecordRules, ReferenceRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { quote, type SqlValue } from '../sql/dialect.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import { setupStatement } from '../sql/statement.ts'
import type { ReadTx } from '../store/store.ts'
import { keyFilterOf, type RecordName, valueBehind } from './record-name.ts'
import type { RecordsAtWork } from './records-at-work.ts'
import { findReferred } from './references.ts'

type Values = Record<string, SqlValue>

/** A record by its document and the columns of its key. */
interface ReferredRecord {
  readonly document: string
  readonly key: KeyFilter
}

/** The name of a document with a record that refers to this one, other than itself; undefined when there is none. */
export async function findReferrer(
  tx: ReadTx,
  declaredRecords: Iterable<RecordRules>,
  { document, key }: ReferredRecord,
): Promise<string | undefined> {
  const values = { ...Object.fromEntries(key), company_id: tx.companyId }
  for (const rules of declaredRecords) {
    for (const reference of rules.references.filter((one) => one.document === document)) {
      if (await tx.first(statementOf(rules)(reference), values)) return rules.name
    }
  }
  return undefined
}

const statementOf = memo((rules: RecordRules) =>
  memo(({ name, document, keyColumns, otherColumns }: ReferenceRules) => {
    const table = declaredTableName(rules)
    return setupStatement<Values, { found: number }>(`find_${name}_in_${table}`, (_db, p) => {
      const refers = keyColumns.map((column, at) => sql`${sql.ref(column)} = ${p(otherColumns[at] ?? '')}`)
      const isItself = otherColumns.map((column) => sql`${sql.ref(column)} = ${p(column)}`)
      const others = document === rules.name ? [sql`not (${sql.join(isItself, sql` and `)})`] : []
      const terms = [sql`company_id = ${p('company_id')}`, ...refers, ...others]
      return sql`select 1 as found from ${sql.raw(quote(table))} where ${sql.join(terms, sql` and `)} limit 1`
    })
  }),
)

/** Those of the records that something refers to by a text, each with the name of a document that does. */
export async function findReferredRecords(
  work: RecordsAtWork,
  company: CompanyRules,
  targets: readonly RecordName[],
): Promise<ReadonlyMap<RecordName, string>> {
  const referred = new Map<RecordName, string>()
  const groups = Map.groupBy(targets, (target) => valueBehind(company, target)?.attributeId)
  for (const [attributeId, some] of groups) {
    const [first] = some
    if (!first) continue
    const texts = some.map((target) => valueBehind(company, target)?.attributeValue ?? target.key.texts[0] ?? '')
    const found = await findReferred(work, company, { document: first.kind.document, attributeId }, texts)
    for (const [at, target] of some.entries()) {
      const by = found.get(texts[at] ?? '')
      if (by !== undefined) referred.set(target, by)
    }
  }
  return referred
}

/** The document with a record that refers to this one by its key, or that is this value. */
export async function findHolder(
  tx: ReadTx,
  { declaredRecords }: Pick<RecordsAtWork, 'declaredRecords'>,
  company: CompanyRules,
  target: RecordName,
): Promise<string | undefined> {
  const value = target.kind === valueKind ? valueBehind(company, target) : undefined
  const own = declaredRecords.values()
  if (value) return (await findRecordOfValue(tx, company, own.map(removableKindOf), value))?.kind.name
  return findReferrer(tx, own, { document: target.kind.document, key: keyFilterOf(target) })
}

/** The record of one of these kinds that is this value. */
export async function findRecordOfValue(
  tx: ReadTx,
  company: CompanyRules,
  kinds: Iterable<RemovableKind>,
  { attributeId, attributeValue }: ValueName,
): Promise<RecordName | undefined> {
  for (const kind of kinds) {
    const key = kind.kindIn?.(company).attributeId === attributeId ? keyFrom(kind, [attributeValue]) : undefined
    if (key && (await kind.find(tx, company, key.stored)).text !== '') return { kind, key }
  }
  return undefined
}
