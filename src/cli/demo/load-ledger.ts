// Puts the generated ledger into the store: all of it in one transaction, so that an interrupted start leaves none.
import { unitsOf } from '../../base/decimal.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { ledgerDocument } from '../../objects/documents/general-ledger-transactions.ts'
import { customerDocument } from '../../records/customers/customer-document.ts'
import type { Service } from '../../records/shared/service.ts'
import { compileCount } from '../../store/compile/compile-query.ts'
import { writeEntry } from '../../store/journal.ts'
import type { SqlValue } from '../../store/statement.ts'
import { NOBODY } from '../../store/store.ts'
import { targetOf } from '../../transfer/row-target.ts'
import { type LedgerLine, ledgerLines, type ParsedDemoSetup } from './ledger.ts'

const COMPANY = 'EN'
const ACTOR = { userId: 'demo', clientId: '', requestId: '' }
const ROWS_AT_ONCE = 10_000

/** Makes `count` transactions unless the company has some already; `progress` is told how many there are so far. */
export async function loadLedger(
  service: Service,
  setup: ParsedDemoSetup,
  count: number,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const definition = ledgerDocument(customerDocument(undefined))
  if ((await transactionsIn(service, definition)) > 0) return
  const target = targetOf(definition)
  await service.store.write(COMPANY, ACTOR, async (tx) => {
    let rows: SqlValue[][] = []
    let done = 0
    const insertRows = async () => {
      await tx.insertRows(target, rows)
      done += rows.length
      rows = []
      progress(done, count)
    }
    for (const line of ledgerLines(count, setup)) {
      const row = rowOf(line)
      rows.push(
        target.columns.map(({ name, type, scale = 0 }) => {
          const value = row[name]!
          return type === 'decimal' ? (unitsOf(value, scale) ?? 0) : value
        }),
      )
      if (rows.length === ROWS_AT_ONCE) await insertRows()
    }
    await insertRows()
    const after = JSON.stringify({ rows: count })
    await writeEntry(tx, {
      entity: 'general-ledger-transactions',
      key: ['demo'],
      operation: 'create',
      before: '',
      after,
    })
  })
}

function transactionsIn({ store }: Service, definition: DocumentDefinition): Promise<number> {
  return store.count(COMPANY, {
    compile: (engine) => compileCount(definition, undefined, [['company_id', COMPANY]], engine),
    ...NOBODY,
  })
}

function rowOf(line: LedgerLine): Record<string, SqlValue> {
  const { accountingInformation: about, amounts } = line
  return {
    transaction_number: line.transactionNumber,
    sequence_number: line.sequenceNumber,
    state: line.state,
    status: line.status,
    transaction_type: line.transactionType,
    transaction_date: line.transactionDate,
    period: line.period,
    description: line.description,
    external_reference: line.externalReference,
    customer_id: line.customerId,
    account: about.account,
    attribute_id_1: about.attributeId1,
    attribute_value_1: about.attributeValue1,
    attribute_id_2: about.attributeId2,
    attribute_value_2: about.attributeValue2,
    attribute_id_3: about.attributeId3,
    attribute_value_3: about.attributeValue3,
    attribute_id_4: about.attributeId4,
    attribute_value_4: about.attributeValue4,
    attribute_id_5: about.attributeId5,
    attribute_value_5: about.attributeValue5,
    attribute_id_6: about.attributeId6,
    attribute_value_6: about.attributeValue6,
    attribute_id_7: about.attributeId7,
    attribute_value_7: about.attributeValue7,
    amount: amounts.amount,
    currency_amount: amounts.currencyAmount,
    currency_code: amounts.currencyCode,
    debit_credit: amounts.debitCredit,
  }
}
