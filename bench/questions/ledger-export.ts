// The complete ledger line, for the export.
import type { Members } from './question.ts'

/** The floor stores two further attributes of a line, because the data uses two; the interface returns seven. */
const FURTHER: Members = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7].flatMap((no) => [
    [`attributeId${no}`, no < 3 ? `attribute_id_${no}` : "''"],
    [`attributeValue${no}`, no < 3 ? `attribute_value_${no}` : "''"],
  ]),
)

/** In the order of the answers of the service, which exports are compared in. */
export const LEDGER_MEMBERS: Members = {
  companyId: "'EN'",
  transactionNumber: 'transaction_number',
  sequenceNumber: 'sequence_number',
  state: 'state',
  status: 'status',
  transactionType: 'transaction_type',
  transactionDate: 'transaction_date',
  period: 'period',
  description: 'description',
  externalReference: 'external_reference',
  customerId: 'customer_id',
  supplierId: "''",
  accountingInformation: { account: 'account', ...FURTHER },
  amounts: {
    amount: 'amount',
    currencyAmount: 'currency_amount',
    currencyCode: 'currency_code',
    debitCredit: 'debit_credit',
  },
  lastUpdated: { updatedAt: "updated_at || 'Z'", updatedBy: 'updated_by' },
}

export const POSTED_IN_ORDER = "from ledger where state = 'posted' order by transaction_number, sequence_number"
