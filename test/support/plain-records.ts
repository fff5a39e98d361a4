// The records that table rows stand for, as plain objects: joins, lists, associations and descriptions written out by
// hand. A description stands beside its code as `name(description)`.

import { LongNumber } from '../../src/base/long-number.ts'
import type { CustomerTable } from '../../src/sql/tables.ts'
import type { EdgeCaseRows } from './edge-case-rows.ts'
import { type JobRow, jobRecord } from './external-jobs.ts'
import { withFurther } from './further-fields.ts'
import type { Row } from './query-evaluator.ts'

const OPEN_FROM = '1900-01-01T00:00:00.000Z'
const described = (name: string, code: unknown, description: string) => ({
  [name]: code,
  [`${name}(description)`]: description,
})

/** All records of one company, by document, with descriptions in one language. */
export function plainRecords(
  all: EdgeCaseRows & { foreign_job: readonly JobRow[] },
  company: string,
  language: string,
): Readonly<Record<string, Row[]>> {
  const own = <Row extends { company_id: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.company_id === company)
  const attributes = own(all.attribute)
  const attributeOf = (id: string | undefined) => attributes.find((row) => row.attribute_id === id)

  const title = (list: string, code: string) =>
    own(all.value_list).find((row) => row.name === list && row.language === language && row.code === code)?.title ?? ''
  /** The description of a value; of one with several periods, the newest. */
  const valueTitle = (attributeId: string | undefined, value: string) =>
    own(all.attribute_value)
      .filter((row) => row.attribute_id === attributeId && row.attribute_value === value)
      .sort((one, other) => other.period_from - one.period_from)[0]?.description ?? ''
  const titleByName = (name: string, value: string) =>
    valueTitle(attributes.find((row) => row.name === name)?.attribute_id, value)

  const lastUpdated = (row: { updated_at: string; updated_by: string }) => ({
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  })
  const contactPoints = (json: string): Row[] =>
    JSON.parse(json).map((point: Row) => ({
      ...point,
      ...described('contactPointType', point.contactPointType, titleByName('ADDRTYPE', String(point.contactPointType))),
    }))
  const relatedValues = (attributeId: string, value: string): Row[] =>
    own(all.attribute_relation)
      .filter((row) => row.attribute_id === attributeId && row.attribute_value === value)
      .sort((one, other) => one.created_no - other.created_no)
      .map((row) => {
        const relation = own(all.relation).find((one) => one.relation_id === row.relation_id)
        return {
          dateFrom: row.date_from,
          dateTo: row.date_to,
          percentage: row.percentage,
          ...described('relatedValue', row.relation_value, valueTitle(row.related_attribute_id, row.relation_value)),
          relationGroup: relation?.group_name ?? '',
          relationId: row.relation_id,
          relationName: relation?.name ?? '',
          unitValue: row.unit_value,
        }
      })

  const values = own(all.attribute_value).map((row): Row => {
    const attribute = attributeOf(row.attribute_id)
    const owner = attribute?.owner_attribute_id
    return {
      attributeId: row.attribute_id,
      attributeName: attribute?.name ?? '',
      attributeValue: row.attribute_value,
      companyId: company,
      customValue: row.custom_value,
      description: row.description,
      lastUpdated: lastUpdated(row),
      ...described('owner', row.owner, valueTitle(owner, row.owner)),
      ownerAttributeId: owner ?? '',
      ownerAttributeName: attributeOf(owner)?.name ?? '',
      periodFrom: row.period_from,
      periodTo: row.period_to,
      ...described('status', row.status, title('STATUS', row.status)),
      contactPoints: contactPoints(row.contact_points),
      relatedValues: relatedValues(row.attribute_id, row.attribute_value),
    }
  })

  const relations = own(all.attribute_relation).map(
    (row): Row => ({
      attributeId: row.attribute_id,
      attributeName: attributeOf(row.attribute_id)?.name ?? '',
      ...described('attributeValue', row.attribute_value, valueTitle(row.attribute_id, row.attribute_value)),
      attributeValueFrom: integerIn(row.attribute_value),
      attributeValueTo: integerIn(row.attribute_value),
      companyId: company,
      dateFrom: row.date_from,
      dateTo: row.date_to,
      lastUpdated: lastUpdated(row),
      percentage: row.percentage,
      relatedAttributeId: row.related_attribute_id,
      relatedAttributeName: attributeOf(row.related_attribute_id)?.name ?? '',
      ...described('relationValue', row.relation_value, valueTitle(row.related_attribute_id, row.relation_value)),
    }),
  )

  const customerOf = (row: CustomerTable | undefined): Row => {
    const fields = JSON.parse(row?.custom_fields ?? '{}').LOYALTY ?? {}
    const [country, group, currency] = [row?.country_code, row?.customer_group_id, row?.currency_code]
    const record = {
      aliasName: row?.alias_name ?? '',
      companyId: row?.company_id ?? '',
      companyRegistrationNumber: row?.company_registration_number ?? '',
      ...described('countryCode', country ?? '', row ? title('COUNTRY', row.country_code) : ''),
      ...described('customerGroupId', group ?? '', row ? valueTitle('A5', row.customer_group_id) : ''),
      customerId: row?.customer_id ?? '',
      customerName: row?.customer_name ?? '',
      externalReference: row?.external_reference ?? '',
      invoice: {
        calculatePayDiscountOnTax: row?.calculate_pay_discount_on_tax === 1,
        checkCreditOnHeadOffice: row?.check_credit_on_head_office === 1,
        creditLimit: decimal(row?.credit_limit ?? 0),
        ...described('currencyCode', currency ?? '', row ? title('CURRENCY', row.currency_code) : ''),
        hasFixedCurrency: row?.has_fixed_currency === 1,
        hasFixedPaymentTerms: row?.has_fixed_payment_terms === 1,
        hasFixedTaxSystem: row?.has_fixed_tax_system === 1,
        languageCode: row?.language_code ?? '',
        paymentTermsId: row?.payment_terms_id ?? '',
      },
      lastUpdated: row ? lastUpdated(row) : { updatedAt: OPEN_FROM, updatedBy: '' },
      payment: {
        bankAccount: row?.bank_account ?? '',
        debtCollectionCode: row?.debt_collection_code ?? '',
        expiryDate: row?.expiry_date ?? OPEN_FROM,
        payMethod: row?.pay_method ?? '',
        postalAccount: row?.postal_account ?? '',
        ...described('status', row?.status ?? '', row ? title('STATUS', row.status) : ''),
      },
      contactPoints: contactPoints(row?.contact_points ?? '[]'),
      relatedValues: row ? relatedValues(row.attribute_id, row.customer_id) : [],
      customFieldGroups: {
        LOYALTY: {
          ...described('tier', fields.tier ?? '', row ? title('TIER', fields.tier ?? '') : ''),
          points: fields.points ?? 0,
          rate: fields.rate ?? 0,
          isGold: fields.isGold ?? false,
          since: fields.since ?? OPEN_FROM,
        },
      },
    }
    const further = row as Readonly<Record<string, unknown>> | undefined
    return withFurther(record, ({ column, absent }) => {
      const value = further?.[column] ?? absent
      return typeof absent === 'boolean' ? value === true || value === 1 : value
    })
  }

  const lines = own(all.ledger_transaction).map((row): Row => {
    const further = ([1, 2, 3, 4, 5, 6, 7] as const).map((no) => {
      const [id, value] = [row[`attribute_id_${no}`], row[`attribute_value_${no}`]]
      return { [`attributeId${no}`]: id, ...described(`attributeValue${no}`, value, valueTitle(id, value)) }
    })
    return {
      accountingInformation: Object.assign(
        described('account', row.account, titleByName('ACCOUNT', row.account)),
        ...further,
      ),
      amounts: {
        amount: decimal(row.amount),
        currencyAmount: decimal(row.currency_amount),
        ...described('currencyCode', row.currency_code, title('CURRENCY', row.currency_code)),
        debitCredit: row.debit_credit,
      },
      companyId: company,
      customerId: row.customer_id,
      supplierId: row.supplier_id,
      description: row.description,
      externalReference: row.external_reference,
      lastUpdated: lastUpdated(row),
      period: row.period,
      sequenceNumber: row.sequence_number,
      state: row.state,
      ...described('status', row.status, title('STATUS', row.status)),
      transactionDate: row.transaction_date,
      transactionNumber: row.transaction_number,
      ...described('transactionType', row.transaction_type, titleByName('VOUCHTYPE', row.transaction_type)),
      customer: customerOf(own(all.customer).find((one) => one.customer_id === row.customer_id)),
    }
  })

  return {
    'attribute-values': values,
    'attribute-relations': relations,
    attributes: attributes.map((row) => ({
      attributeId: row.attribute_id,
      attributeName: row.name,
      autoNumbering: row.auto_numbering === 1,
      companyId: company,
      contactPoints: row.contact_points === 1,
      description: row.description,
      lastUpdated: lastUpdated(row),
      maintenance: row.maintenance,
      ownerAttributeId: row.owner_attribute_id,
    })),
    companies: own(all.company).map((row) => ({
      companyId: company,
      companyName: row.name,
      currentAccountingPeriod: row.current_period,
      language: row.language,
      lastUpdated: lastUpdated(row),
    })),
    customers: own(all.customer).map(customerOf),
    'general-ledger-transactions': lines,
    'value-list': own(all.value_list)
      .filter((row) => row.is_fallback === 0)
      .map((row) => ({
        companyId: company,
        description: row.code,
        language: row.language,
        lastUpdated: lastUpdated(row),
        name: row.name,
        number: row.number,
        title: row.title,
      })),
    'work-orders': own(all.own_work_orders).map((row) => ({
      companyId: company,
      workOrderId: row.work_order_id,
      description: row.description,
      ...described('costCentre', row.cost_centre, valueTitle('C1', row.cost_centre)),
      ...described('status', row.status, title('STATUS', row.status)),
      ...described('stage', row.stage, title('STAGE', String(row.stage))),
      isUrgent: row.is_urgent === 1,
      plan: { startDate: row.plan_start_date, hours: row.plan_hours },
      lastUpdated: lastUpdated(row),
    })),
    jobs: own(all.foreign_job).map((row) => jobRecord(row, { title, valueTitle })),
  }
}

/** An integer that 64 bits hold, written in at most 20 characters; 0 for anything else. */
function integerIn(text: string): number | bigint {
  if (text.length > 20 || !/^-?[0-9]+$/.test(text)) return 0
  const whole = BigInt(text)
  if (whole !== BigInt.asIntN(64, whole)) return 0
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}

/** As the parser reads it: a decimal that no number represents exactly stays a text. */
function decimal(text: string | number): number | LongNumber {
  const number = Number(text)
  return String(number) === String(text) ? number : new LongNumber(String(text))
}
