// Inserts the generated ledger in one transaction, so that an interrupted start leaves no partial ledger.

import { unitsOf } from '../base/numbers/decimal.ts'
import { ledgerDocument } from '../objects/general-ledger-transactions.ts'
import { customerDocument } from '../records/kinds/customer-document.ts'
import type { Service } from '../records/shared/service.ts'
import type { SqlValue } from '../sql/dialect.ts'
import { writeRowsEntry } from '../store/journal/journal.ts'
import { targetOf } from '../transfer/row-target.ts'
import { COMPANY, DEMO_ACTOR, hasRecords, readDemoRecords, type TellProgress } from './demo-records.ts'
import { ledgerLines } from './ledger.ts'
import type { DemoCompany, DemoSupplier } from './pools.ts'
import type { PurchaseLedger } from './purchases.ts'

const BATCH_ROWS = 10_000

/**
 * Inserts `count` transactions unless the company has some already; `progress` is called with the number so far, and
 * `purchases` is told of each.
 */
export async function loadLedger(
  service: Service,
  { attributeValues }: Pick<DemoCompany, 'attributeValues'>,
  count: number,
  progress: TellProgress,
  purchases?: PurchaseLedger,
): Promise<void> {
  const definition = ledgerDocument(customerDocument(undefined))
  if (await hasRecords(service, definition)) return
  const target = targetOf(definition)
  const suppliers = readDemoRecords<DemoSupplier>('suppliers').filter(({ companyId }) => companyId === COMPANY)
  await service.store.write(COMPANY, DEMO_ACTOR, async (tx) => {
    let rows: SqlValue[][] = []
    let done = 0
    const insertRows = async () => {
      const batch = done === 0 ? tx : tx.nextEntry()
      await batch.insertRows(target, rows)
      writeRowsEntry(batch, definition.name, ['demo', done + 1], rows.length)
      done += rows.length
      rows = []
      progress(done, count)
    }
    for (const line of ledgerLines(count, { attributeValues, suppliers })) {
      purchases?.take(line)
      const row: Readonly<Record<string, SqlValue>> = line
      rows.push(
        target.columns.map(({ name, type, scale = 0 }) => {
          const value = row[name]!
          return type === 'decimal' ? (unitsOf(value, scale) ?? 0) : value
        }),
      )
      if (rows.length === BATCH_ROWS) await insertRows()
    }
    if (rows.length > 0) await insertRows()
  })
}
