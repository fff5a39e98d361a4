// Edge-case rows for every table that a query reads: texts that the engines fold and order differently, numbers and
// dates at their limits, codes that are nearly numbers, lists of any length, references to missing rows.

import type {
  AttributeRelationTable,
  AttributeTable,
  AttributeValueTable,
  CompanyTable,
  CustomerTable,
  LedgerTransactionTable,
  RelationTable,
  ValueListTable,
} from '../../src/sql/tables.ts'
import { furtherFields } from './further-fields.ts'

export const TEXTS = [
  ...[
    '',
    ' ',
    '  ',
    'a',
    'A',
    'ab',
    'aB',
    'Ab ',
    ' ab',
    'b',
    'ba',
    'B',
    'c',
    '!',
    '1',
    "o'hara",
    "''",
    '"',
    '\\',
    '100%',
    'a_b',
    '*',
    '?',
  ],
  ...['\u00e6\u00f8\u00e5', '\u00c6\u00d8\u00c5', '\u00e9', 'e\u0301', 'E\u0301', '\u00df', 'ss', 'SS', '\u1e9e'],
  ...['\u0130', '\u0131', 'i', 'I', 'i\u0307', '\u03a3\u03c3\u03c2', '\u212a', 'k', '\u01c5', '\ufb01', '\u0149'],
  ...['\ud83d\ude00', '\ud83d\ude00b', '\ufffd', '\uffff', '\ue000', '\ud7ff', '\u{10ffff}', '\u{10400}', '\u{10428}'],
  ...['\t', '\n', '\u0001', '\u007f', '\u2028', '\u00a0a\u00a0', 'null', 'true', '2026-01-31', '10019', '007', '-5'],
]

/** Texts of which some are integers and some are not. */
const INTEGER_LIKE = [
  ...['0', '-0', '7', '007', '-5', '-05', '+5', '1-2', '-', '--5', '5-', '1.0', '1e3', '0x10', ' 5', '5 ', '\u0663'],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809'],
  ...['00000000000000000005', '000000000000000000005', '-0000000000000000005', '99999999999999999999'],
]
export const NUMBERS = [
  ...[0, 1, -1, 0.5, -0.001, 12.5, 0.1, 0.30000000000000004, 12_345.6789, 1e-7],
  ...[123_456_789_012_345, -999_999_999_999_999, 99_999_999_999.9999],
]
/** Decimals as a caller may send them; each fits in 18 digits, four of them behind the point. */
export const DECIMALS = [
  ...['0', '1', '-1', '0.5', '-0.001', '12.5', '0.1', '0.3', '12345.6789', '-0.0001', '99999999999999.9999'],
  ...['-99999999999999.9999', '12345678901234.56', '12345678901234.5601', '-12345678901234.56', '99999999999.9999'],
]
const INTEGERS = [0, 1, -1, 2, 3, 202_601, 209_912, 2 ** 31, 999_999_999_999_999, -999_999_999_999_999]
export const INSTANTS = [
  ...['1900-01-01T00:00:00.000Z', '2099-12-31T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'],
  ...['2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z', '2024-02-29T12:30:00.500Z', '2026-02-01T00:00:00.000Z'],
]

/** A seeded random number generator. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * count)
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }

  text(): string {
    return this.below(4) === 0 ? this.pick(TEXTS) + this.pick(TEXTS) : this.pick(TEXTS)
  }

  number = () => this.pick(NUMBERS)
  decimal = () => this.pick(DECIMALS)
  integer = () => this.pick(INTEGERS)
  instant = () => this.pick(INSTANTS)
  flag = () => this.below(2)
  times<Value>(count: number, make: (index: number) => Value): Value[] {
    return Array.from({ length: count }, (_, index) => make(index))
  }
}

export interface WorkOrderRow {
  company_id: string
  work_order_id: string
  description: string
  cost_centre: string
  status: string
  stage: number
  is_urgent: number
  plan_start_date: string
  plan_hours: number
  updated_at: string
  updated_by: string
}

export interface EdgeCaseRows {
  attribute: AttributeTable[]
  relation: RelationTable[]
  attribute_value: AttributeValueTable[]
  attribute_relation: AttributeRelationTable[]
  company: CompanyTable[]
  value_list: ValueListTable[]
  customer: CustomerTable[]
  ledger_transaction: LedgerTransactionTable[]
  own_work_orders: WorkOrderRow[]
}

const COMPANIES = ['EN', 'SV']
const CODES = ['N', 'P', 'n', '', ' ', '\u00df', '1', '2', '-1', '0', "o'hara", '\ud83d\ude00', 'X']
const ATTRIBUTES = ['C1', 'C2', 'c1', 'A0', 'A4', 'A5', 'AT', 'VT', '\ud83d\ude00', '\ufffd']
const NAMES: Readonly<Record<string, string>> = { A0: 'ACCOUNT', AT: 'ADDRTYPE', VT: 'VOUCHTYPE', C1: 'COSTC', c1: '' }
const GONE = ['XX', '']
/** Each starts with the one before it, or sorts directly after all that do. */
const NEIGHBOURS = ['a', 'ab', 'b', 'ba', 'c', '\ud7ff', '\ud7ffa', '\ue000', '\u{10ffff}', '\u{10ffff}a']
const CUSTOMERS = ['1001', '1001 ', '0', 'a', 'A', '\u00df', '\ud83d\ude00', '\ufffd', "o'hara", '10019', '-5', 'SS']
const RELATIONS = ['REL1', 'LEGALID', 'rel1']

/** The rows of two companies: answers for the first must never contain rows of the second. */
export function edgeCaseRows(seed: number): EdgeCaseRows {
  const made = COMPANIES.map((company, index) => rowsOf(company, new Dice(seed + index)))
  const tables = Object.keys(made[0] ?? {}) as (keyof EdgeCaseRows)[]
  return Object.fromEntries(tables.map((table) => [table, made.flatMap((rows): object[] => rows[table])])) as never
}

function rowsOf(company_id: string, dice: Dice): EdgeCaseRows {
  const changed = () => ({ updated_at: dice.instant(), updated_by: dice.text() })
  const code = () => dice.pick(CODES)
  const attributeId = () => dice.pick([...ATTRIBUTES, ...GONE])
  const values = [...TEXTS, ...INTEGER_LIKE, ...CODES]
  const attribute = ATTRIBUTES.map((attribute_id) => ({
    company_id,
    attribute_id,
    name: NAMES[attribute_id] ?? dice.text(),
    description: dice.text(),
    maintenance: dice.pick(['manual', 'system']),
    contact_points: dice.flag(),
    auto_numbering: dice.flag(),
    owner_attribute_id: dice.pick(['', 'C2', 'C1', 'XX', attribute_id]),
    ...changed(),
  }))
  const relation = RELATIONS.map((relation_id) => ({
    company_id,
    relation_id,
    name: dice.text(),
    group_name: dice.text(),
    attribute_id: 'C1',
    related_attribute_id: 'C2',
  }))
  const attribute_value = unique(
    dice.times(110, () => ({
      company_id,
      attribute_id: dice.pick(ATTRIBUTES),
      attribute_value: dice.pick(dice.flag() ? CODES : values),
      period_from: dice.pick([0, 202_601, 209_912]),
      period_to: dice.pick([209_912, 202_612]),
      description: dice.text(),
      owner: code(),
      status: code(),
      custom_value: dice.number(),
      contact_points: contactPoints(dice),
      ...changed(),
      change_no: 1,
    })),
    (row) => [row.attribute_id, row.attribute_value, row.period_from],
  )
  const attribute_relation = unique(
    dice.times(130, (created_no) => {
      const isOfCustomer = dice.below(3) === 0
      return {
        company_id,
        attribute_id: isOfCustomer ? 'A4' : attributeId(),
        attribute_value: INTEGER_LIKE[created_no] ?? dice.pick(isOfCustomer ? CUSTOMERS : values),
        related_attribute_id: attributeId(),
        relation_value: dice.pick(dice.flag() ? CODES : values),
        relation_id: dice.pick([...RELATIONS, 'GONE']),
        unit_value: dice.number(),
        percentage: dice.number(),
        date_from: dice.instant(),
        date_to: dice.instant(),
        ...changed(),
        // The order of insertion differs from the order of the keys.
        created_no: 1000 - created_no,
        change_no: 1,
      }
    }),
    (row) => [row.attribute_id, row.attribute_value, row.related_attribute_id, row.relation_value],
  )
  const company = [
    { company_id, name: dice.text(), language: 'EN', current_period: 202_603, ...changed(), updated_by: '' },
  ]
  const value_list = ['STATUS', 'COUNTRY', 'CURRENCY', 'TIER', 'STAGE'].flatMap((name) =>
    ['EN', 'NO'].flatMap((language) =>
      CODES.filter(() => dice.below(4) > 0).map((one) => ({
        company_id,
        name,
        language,
        code: one,
        number: Number.isInteger(Number(one)) ? Number(one) : 0,
        title: dice.text() + language,
        is_fallback: dice.flag(),
        ...changed(),
      })),
    ),
  )
  // One customer is missing, so that a ledger line may refer to a customer that does not exist.
  const customer = CUSTOMERS.slice(1).map((customer_id) => ({
    company_id,
    customer_id,
    attribute_id: dice.pick(['A4', 'A4', 'C1']),
    customer_name: dice.text(),
    alias_name: dice.text(),
    company_registration_number: dice.text(),
    country_code: code(),
    customer_group_id: code(),
    external_reference: dice.text(),
    external_reference_json: '""',
    calculate_pay_discount_on_tax: dice.flag(),
    check_credit_on_head_office: dice.flag(),
    credit_limit: dice.decimal(),
    currency_code: code(),
    has_fixed_currency: dice.flag(),
    has_fixed_payment_terms: dice.flag(),
    has_fixed_tax_system: dice.flag(),
    language_code: code(),
    payment_terms_id: code(),
    bank_account: dice.text(),
    debt_collection_code: code(),
    pay_method: code(),
    postal_account: dice.text(),
    status: code(),
    expiry_date: dice.instant(),
    contact_points: contactPoints(dice),
    custom_fields: customFields(dice),
    ...changed(),
    change_no: 1,
  }))
  const whole = customer.map((row) => ({ ...row, ...furtherColumns(row, dice) })) as CustomerTable[]
  const further = () =>
    Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].flatMap((no) => [
        [`attribute_id_${no}`, attributeId()],
        [`attribute_value_${no}`, code()],
      ]),
    ) as Pick<LedgerTransactionTable, `attribute_${'id' | 'value'}_${1 | 2 | 3 | 4 | 5 | 6 | 7}`>
  const ledger_transaction = dice.times(70, (index) => ({
    company_id,
    transaction_number: dice.pick([index, -index, 999_999_999_999_000 + index]),
    sequence_number: index % 3,
    state: dice.pick(['registered', 'posted', 'historical']),
    status: code(),
    transaction_type: code(),
    transaction_date: dice.instant(),
    period: dice.integer(),
    description: dice.text(),
    external_reference: dice.text(),
    customer_id: dice.pick([...CUSTOMERS, 'gone', '']),
    supplier_id: dice.pick([...CUSTOMERS, '']),
    account: code(),
    ...further(),
    amount: dice.decimal(),
    currency_amount: dice.decimal(),
    currency_code: code(),
    debit_credit: dice.pick([1, -1]),
    ...changed(),
    _change_no: 0,
  }))
  const own_work_orders = dice.times(40, (index) => ({
    company_id,
    work_order_id: NEIGHBOURS[index] ?? dice.text() + (index % 7 === 0 ? '' : index),
    description: dice.text(),
    cost_centre: code(),
    status: code(),
    stage: dice.pick([0, 1, 2, -1, 999_999_999_999_999]),
    is_urgent: dice.flag(),
    plan_start_date: dice.instant(),
    plan_hours: dice.number(),
    ...changed(),
  }))
  return {
    attribute,
    relation,
    attribute_value,
    attribute_relation,
    company,
    value_list,
    customer: whole,
    ledger_transaction,
    own_work_orders: unique(own_work_orders, (row) => [row.work_order_id]),
  }
}

function unique<Value>(rows: readonly Value[], keyOf: (row: Value) => readonly unknown[]): Value[] {
  return [...new Map(rows.map((row) => [JSON.stringify(keyOf(row)), row])).values()]
}

/** As the service stores them: every member, in the order of the definition. */
function contactPoints(dice: Dice): string {
  const points = dice.times(dice.below(5), () => ({
    additionalContactInfo: texts(dice, 'contactPerson', 'contactPosition', 'eMail', 'eMailCc', 'gtin', 'url'),
    address: texts(dice, 'countryCode', 'place', 'postcode', 'province', 'streetAddress'),
    contactPointType: dice.pick(CODES),
    phoneNumbers: texts(dice, ...[1, 2, 3, 4, 5, 6, 7].map((no) => `telephone${no}`)),
    sortOrder: dice.integer(),
  }))
  return JSON.stringify(points)
}

const texts = (dice: Dice, ...names: string[]) => Object.fromEntries(names.map((name) => [name, dice.text()]))

/** Groups and fields may be missing. */
function customFields(dice: Dice): string {
  if (dice.below(4) === 0) return '{}'
  const fields = {
    tier: dice.pick(CODES),
    points: dice.integer(),
    rate: dice.number(),
    isGold: dice.flag() === 1,
    since: dice.instant(),
  }
  return JSON.stringify({ LOYALTY: Object.fromEntries(Object.entries(fields).filter(() => dice.below(3) > 0)) })
}

/** The columns of customers that a row does not name. */
function furtherColumns(row: object, dice: Dice): object {
  const further = furtherFields({ invoice: {}, payment: {} }).filter(({ column }) => !Object.hasOwn(row, column))
  return Object.fromEntries(further.map(({ column, absent, stored }) => [column, absent === '' ? dice.text() : stored]))
}
