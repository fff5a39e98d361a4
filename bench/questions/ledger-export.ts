// The complete ledger line, for the export.
import type { Members } from './question.ts'

/** The floor stores two further attributes of a line, because the data uses two; the interface returns seven. */
const FURTHER: Members = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7].flatMap((no) => [
    [`attributeId${no}`, no < 3 ? `attribute_id_${no}` : "''"],
    [`attributeValue${no}`, no < 3 ? `attribute_value_${no}` : "''"],
  ]),
)

export const LEDGER_MEMBERS: Members = {
  accountingInformation: { account: 'account', ...FURTHER },
  amounts: {
    amount: 'amount',
    currencyAmount: 'currency_amount',
    currencyCode: 'currency_code',
    debitCredit: 'debit_credit',
  },
  companyId: "'EN'",
  customerId: 'customer_id',
  description: 'description',
  externalReference: 'external_reference',
  lastUpdated: { updatedAt: "updated_at || 'Z'", updatedBy: 'updated_by' },
  period: 'period',
  sequenceNumber: 'sequence_number',
  state: 'state',
  status: 'status',
  supplierId: "''",
  transactionDate: 'transaction_date',
  transactionNumber: 'transaction_number',
  transactionType: 'transaction_type',
}

export const POSTED_IN_ORDER = "from ledger where state = 'posted' order by transaction_number, sequence_number"
