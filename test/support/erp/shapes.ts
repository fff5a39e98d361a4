// The documents of the ERP. Members of rows come in the order of the alphabet, so they stand so here too.
import { type Habits, type Kind, LAST_UPDATED, type Property, type Shape } from './kind.ts'

const text = (maxLength = 25, more: Partial<Property> = {}): Property => ({ type: 'string', maxLength, ...more })
const integer: Property = { type: 'integer' }
const number: Property = { type: 'number' }
const flag: Property = { type: 'boolean' }
const time: Property = { type: 'date-time' }

const USUAL: Habits = {
  zone: 'Z',
  localMs: 0,
  countHeader: 'X-ERP-Total-Count',
  filtering: 'yes',
  ordering: 'yes',
  hasSchema: true,
  versions: [1],
  isDescribed: true,
}

/** As object endpoints write contact points; single records say phoneNumbers and sortOrder. */
export const CONTACT_POINT: Shape = {
  additionalContactInfo: {
    group: {
      contactPerson: text(255),
      contactPosition: text(255),
      eMail: text(255),
      eMailCc: text(255),
      gtin: text(),
      url: text(255),
    },
  },
  address: {
    group: {
      countryCode: text(),
      place: text(40),
      postcode: text(15),
      province: text(40),
      streetAddress: text(160),
    },
  },
  contactPointType: text(),
  phoneNumber: {
    group: Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((at) => [`telephone${at}`, text(35)])),
  },
  sequenceNumber: integer,
}

const RELATED_VALUE: Shape = {
  dateFrom: time,
  dateTo: time,
  percentage: number,
  relatedValue: { group: { attributeId: text(), dimValue: text() } },
  relationGroup: text(),
  relationId: text(),
  relationName: text(255),
  unitValue: number,
}

const coding = Object.fromEntries(
  [1, 2, 3, 4, 5, 6, 7].flatMap((at) => [
    [`attributeId${at}`, text()],
    [`attributeValue${at}`, text()],
  ]),
)

const KINDS: Readonly<Record<string, Omit<Kind, 'name' | keyof Habits> & Partial<Habits>>> = {
  'attribute-relations': {
    key: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
    countHeader: undefined,
    shape: {
      attributeId: text(),
      attributeName: text(255),
      attributeValue: text(),
      attributeValueFrom: integer,
      attributeValueTo: integer,
      companyId: text(),
      dateFrom: time,
      dateTo: time,
      percentage: number,
      relatedAttributeId: text(),
      relatedAttributeName: text(255),
      relationValue: text(),
    },
  },
  'attribute-values': {
    key: ['attributeId', 'attributeValue', 'periodFrom'],
    zone: '',
    countHeader: 'x-erp-total-count',
    shape: {
      attributeId: text(),
      attributeName: text(255),
      attributeValue: text(),
      companyId: text(),
      contactPoints: { list: CONTACT_POINT },
      customValue: number,
      description: text(255),
      lastUpdated: LAST_UPDATED,
      owner: text(),
      ownerAttributeId: text(),
      ownerAttributeName: text(255),
      periodFrom: { type: 'integer', isText: true },
      periodTo: { type: 'integer', isText: true },
      relatedValues: { list: RELATED_VALUE },
      status: text(1, { valueList: 'STATUS' }),
    },
  },
  attributes: {
    key: ['attributeId'],
    countHeader: undefined,
    shape: {
      attributeId: text(),
      attributeName: text(255),
      autoNumbering: flag,
      companyId: text(),
      contactPoints: flag,
      description: text(255),
      maintenance: text(),
      ownerAttributeId: text(),
    },
  },
  companies: {
    key: [],
    countHeader: undefined,
    shape: { companyId: text(), companyName: text(255), currentAccountingPeriod: integer, language: text() },
  },
  'currency-rates': {
    key: ['currencyCode', 'dateFrom'],
    shape: {
      companyId: text(),
      currencyCode: text(3, { valueList: 'CURRENCY', isMandatory: true }),
      dateFrom: { ...time, isMandatory: true },
      dateTo: time,
      rate: number,
    },
  },
  customers: {
    key: ['customerId'],
    shape: {
      aliasName: text(255),
      companyId: text(),
      companyRegistrationNumber: text(),
      contactPoints: { list: CONTACT_POINT },
      countryCode: text(25, { isMandatory: true, valueList: 'COUNTRY' }),
      customerGroupId: text(25, { isMandatory: true, attributeId: 'A5' }),
      customerId: text(),
      customerName: text(255, { isMandatory: true }),
      externalReference: text(100),
      invoice: {
        group: {
          calculatePayDiscountOnTax: flag,
          checkCreditOnHeadOffice: flag,
          creditLimit: number,
          currencyCode: text(25, { valueList: 'CURRENCY' }),
          hasFixedCurrency: flag,
          hasFixedPaymentTerms: flag,
          hasFixedTaxSystem: flag,
          languageCode: text(),
          paymentTermsId: text(),
        },
      },
      lastUpdated: LAST_UPDATED,
      payment: {
        group: {
          bankAccount: text(35),
          debtCollectionCode: text(),
          expiryDate: time,
          payMethod: text(),
          postalAccount: text(35),
          status: text(1, { valueList: 'STATUS' }),
        },
      },
      relatedValues: { list: RELATED_VALUE },
    },
  },
  'document-archive': {
    key: ['id'],
    zone: '',
    countHeader: 'x-erp-total-count',
    isListed: (row) => row.status !== 'T',
    shape: {
      checkoutUserId: text(),
      companyId: text(),
      description: text(255),
      docSize: integer,
      docType: text(),
      expiryDate: time,
      fileName: text(255),
      id: text(36),
      indexes: { list: { indexValue: text(255), sequenceNo: integer } },
      lastUpdated: LAST_UPDATED,
      mimeType: text(255),
      revisionNo: integer,
      status: text(1),
      title: text(255),
    },
  },
  'general-ledger-transactions': {
    key: ['transactionNumber', 'sequenceNumber'],
    countHeader: undefined,
    hasStates: true,
    shape: {
      accountingInformation: { group: { account: text(25, { attributeId: 'A0' }), ...coding } },
      amounts: {
        group: { amount: number, currencyAmount: number, currencyCode: text(), debitCredit: integer },
      },
      companyId: text(),
      customerId: text(),
      description: text(255),
      externalReference: text(100),
      lastUpdated: LAST_UPDATED,
      period: integer,
      sequenceNumber: integer,
      state: text(),
      status: text(1, { valueList: 'STATUS' }),
      supplierId: text(),
      transactionDate: time,
      transactionNumber: integer,
      transactionType: text(),
    },
  },
  'purchase-orders': {
    key: ['orderNumber'],
    zone: '',
    versions: [1, 2],
    shape: {
      amounts: {
        group: {
          amount: { type: 'number', isText: true },
          currencyCode: text(3, { since: 2 }),
        },
      },
      companyId: text(),
      lastUpdated: LAST_UPDATED,
      lines: {
        list: {
          articleId: text(),
          lineNo: integer,
          price: { type: 'number', isText: true },
          quantity: { type: 'number', isText: true },
        },
      },
      orderDate: time,
      orderNumber: text(25, { isMandatory: true }),
      status: text(1, { valueList: 'STATUS' }),
      supplierId: text(),
    },
  },
  'stock-levels': {
    key: ['warehouseId', 'articleId'],
    countHeader: undefined,
    filtering: 'ignored',
    ordering: 'ignored',
    hasSchema: false,
    isDescribed: false,
    shape: { articleId: text(), companyId: text(), quantity: number, warehouseId: text() },
  },
  'time-sheets': {
    key: ['employeeId', 'period', 'lineNo'],
    countHeader: 'X-ERP-Total-Count',
    filtering: 'refused',
    ordering: 'refused',
    shape: {
      companyId: text(),
      description: text(255),
      employeeId: text(25, { isMandatory: true }),
      hours: number,
      lastUpdated: LAST_UPDATED,
      lineNo: integer,
      period: integer,
    },
  },
  'value-list': {
    key: ['name', 'number', 'description', 'language'],
    countHeader: undefined,
    shape: {
      companyId: text(),
      description: text(),
      language: text(),
      name: text(),
      number: integer,
      title: text(255),
    },
  },
}

export const KIND_NAMES: readonly string[] = Object.keys(KINDS)

/** The kinds with their habits; some may be given others. */
export function kindsWith(habits: Readonly<Record<string, Partial<Habits>>> = {}): ReadonlyMap<string, Kind> {
  return new Map(Object.entries(KINDS).map(([name, kind]) => [name, { ...USUAL, ...kind, ...habits[name], name }]))
}
