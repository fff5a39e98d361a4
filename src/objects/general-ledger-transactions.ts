import { memo } from '../base/memo.ts'
import { association, type DocumentDefinition, group, lastUpdated, type TableIndex, value } from '../model/document.ts'
import { AMOUNT_SCALE } from '../model/schema.ts'
import { keyNamesOf } from '../setup/rules/declared-properties.ts'

const ATTRIBUTE_NUMBERS = [1, 2, 3, 4, 5, 6, 7] as const

/** The id and the value of each further attribute of a line. */
const furtherAttributes = Object.fromEntries(
  ATTRIBUTE_NUMBERS.flatMap((no) => {
    const attributeId = { column: `attribute_id_${no}` }
    return [
      [`attributeId${no}`, value('string', attributeId, { maxLength: 255 })],
      [
        `attributeValue${no}`,
        value('string', `attribute_value_${no}`, { maxLength: 255, codes: { attributeIdIn: attributeId } }),
      ],
    ]
  }),
) as Record<
  `${'attributeId' | 'attributeValue'}${(typeof ATTRIBUTE_NUMBERS)[number]}`,
  ReturnType<typeof value<'string'>>
>

const KEY = ['transaction_number', 'sequence_number'] as const

/**
 * Each index starts with the state, which every query filters by. The period after the key lets conditions on it be
 * evaluated in the index.
 */
const INDEXES: readonly TableIndex[] = [
  { name: 'ledger_state', columns: ['company_id', 'state', ...KEY, 'period'] },
  { name: 'ledger_account', columns: ['company_id', 'state', 'account', ...KEY, 'period'] },
  { name: 'ledger_account_period', columns: ['company_id', 'state', 'account', 'period', ...KEY] },
  { name: 'ledger_period', columns: ['company_id', 'state', 'period', ...KEY] },
  {
    name: 'ledger_customer',
    columns: ['company_id', 'state', 'customer_id', ...KEY, 'period'],
    without: { column: 'customer_id', value: '' },
  },
  {
    name: 'ledger_supplier',
    columns: ['company_id', 'state', 'supplier_id', ...KEY, 'period'],
    without: { column: 'supplier_id', value: '' },
  },
]

/** A setup of mirrors may declare it as their ERP system has it. */
export const LEDGER = 'general-ledger-transactions'

/** The document of a setup that lines name their suppliers in, if its key is the id of a supplier. */
export const SUPPLIERS = 'suppliers'

const linesWithSuppliers = memo((ledger: DocumentDefinition) =>
  memo((suppliers: DocumentDefinition) => extendedBySupplier(ledger, suppliers)),
)

/** The ledger with the supplier of a line as an association: the same object for the same documents. */
export function withSupplier(ledger: DocumentDefinition, suppliers: DocumentDefinition): DocumentDefinition {
  return linesWithSuppliers(ledger)(suppliers)
}

function extendedBySupplier(ledger: DocumentDefinition, suppliers: DocumentDefinition): DocumentDefinition {
  const [id = '', ...others] = keyNamesOf(suppliers)
  const property = suppliers.properties[id]
  if (others.length > 0 || property?.kind !== 'value' || property.type !== 'string') return ledger
  if (!('column' in property.source)) return ledger
  const supplier = association(suppliers, [['supplier_id', property.source.column]])
  return { ...ledger, properties: { ...ledger.properties, supplier } }
}

const COLUMNS = [
  'transactionDate',
  'transactionNumber',
  'accountingInformation/account',
  'accountingInformation/attributeValue1',
  'amounts/amount',
  'description',
  'customer/customerName',
  'supplier/supplierName',
]

/** A line of a voucher. The account is a value of the attribute named ACCOUNT, the type one of VOUCHTYPE. */
export function ledgerDocument(customers: DocumentDefinition) {
  return {
    name: LEDGER,
    version: 1,
    description: 'A line of a voucher in the general ledger.',
    table: 'ledger_transaction',
    companyColumn: 'company_id',
    joins: {},
    key: ['companyId', 'transactionNumber', 'sequenceNumber'],
    indexes: INDEXES,
    defaultColumns: COLUMNS,
    searched: ['description', 'externalReference', 'customerId', 'supplierId'],
    sums: ['amounts/amount'],
    voucher: { number: 'transactionNumber', balance: 'amounts/amount' },
    properties: {
      companyId: value('string', 'company_id', { maxLength: 255 }),
      transactionNumber: value('integer', 'transaction_number', { description: 'Of the voucher.' }),
      sequenceNumber: value('integer', 'sequence_number', { description: 'Within the transaction.' }),
      state: value('string', 'state', { maxLength: 255, description: 'registered, posted or historical.' }),
      status: value('string', 'status', { maxLength: 255, codes: { valueList: 'STATUS' } }),
      transactionType: value('string', 'transaction_type', { maxLength: 255, codes: { attributeName: 'VOUCHTYPE' } }),
      transactionDate: value('date-time', 'transaction_date'),
      period: value('integer', 'period', { description: 'yyyypp.' }),
      description: value('string', 'description', { maxLength: 4_000 }),
      externalReference: value('string', 'external_reference', { maxLength: 255 }),
      customerId: value('string', 'customer_id', { maxLength: 255 }),
      supplierId: value('string', 'supplier_id', { maxLength: 255 }),
      accountingInformation: group({
        account: value('string', 'account', { maxLength: 255, codes: { attributeName: 'ACCOUNT' } }),
        ...furtherAttributes,
      }),
      amounts: group({
        amount: value('decimal', 'amount', {
          scale: AMOUNT_SCALE,
          description: "In the company's currency; debit is positive.",
        }),
        currencyAmount: value('decimal', 'currency_amount', { scale: AMOUNT_SCALE }),
        currencyCode: value('string', 'currency_code', { maxLength: 255, codes: { valueList: 'CURRENCY' } }),
        debitCredit: value('integer', 'debit_credit', { description: '1 debit, -1 credit.' }),
      }),
      lastUpdated,
      customer: association(customers, [['customer_id', 'customer_id']]),
    },
  } satisfies DocumentDefinition
}
