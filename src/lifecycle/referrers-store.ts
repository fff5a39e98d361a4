// The SQL that finds who refers to a record by its key: records of the setup, by the references that it declares.

import { sql } from 'kysely'
import { memo } from '../base/memo.ts'
import { declaredTableName } from '../setup/rules/declared-table.ts'
import type { RecordRules, ReferenceRules } from '../setup/rules/record-rules.ts'
import { quote, type SqlValue } from '../sql/dialect.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import { setupStatement } from '../sql/statement.ts'
import type { ReadTx } from '../store/store.ts'

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
