// Puts the generated ledger into the store: all of it in one transaction, so that an interrupted start leaves none.
import { ledgerDocument } from '../../objects/documents/general-ledger-transactions.ts'
import { customerDocument } from '../../records/customers/customer-document.ts'
import type { Service } from '../../records/shared/service.ts'
import { compileCount } from '../../store/compile/compile-query.ts'
import { writeEntry } from '../../store/journal.ts'
import type { SqlValue } from '../../store/statement.ts'
import { type LedgerLine, ledgerLines, type ParsedDemoSetup } from './ledger.ts'

const COMPANY = 'EN'
const ACTOR = { userId: 'demo', clientId: '', requestId: '' }
const TOLD_EVERY = 10_000

/** Makes `count` transactions unless the company has some already; `progress` is told how many there are so far. */
export async function loadLedger(
  service: Service,
  setup: ParsedDemoSetup,
  count: number,
  progress: (done: number, total: number) => void,
): Promise<void> {
  if ((await transactionsIn(service)) > 0) return
  await service.store.write(COMPANY, ACTOR, async (tx) => {
    let done = 0
    for (const line of ledgerLines(count, setup)) {
      await tx.insert('ledger_transaction', rowOf(line))
      done += 1
      if (done % TOLD_EVERY === 0) progress(done, count)
    }
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

function transactionsIn({ store }: Service): Promise<number> {
  const definition = ledgerDocument(customerDocument(undefined))
  return store.count(COMPANY, (engine) => compileCount(definition, undefined, [['company_id', COMPANY]], engine))
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
