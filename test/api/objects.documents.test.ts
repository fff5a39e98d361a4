// Each object endpoint answers its shape: decision 6, endpoints and shapes; specification, object endpoints.
import { expect, it } from 'vitest'
import { contactPoint, lastUpdated, ledger, objects, startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

/** Compared as text: members, their order, and no blanks in between. */
const SHAPES: readonly { name: string; url: string; as?: string; answer: unknown }[] = [
  {
    name: 'answers attribute values with the base data, owner and lastUpdated (decision 6, shapes)',
    url: objects('attribute-values', { filter: "attributeId eq 'C1' and attributeValue le 'CC200'" }),
    answer: [
      {
        attributeId: 'C1',
        attributeName: 'COSTC',
        attributeValue: 'CC100',
        companyId: 'EN',
        customValue: 12.5,
        description: 'Head office',
        lastUpdated,
        owner: '100',
        ownerAttributeId: 'C2',
        ownerAttributeName: 'DEPT',
        periodFrom: 0,
        periodTo: 209912,
        status: 'N',
      },
      {
        attributeId: 'C1',
        attributeName: 'COSTC',
        attributeValue: 'CC200',
        companyId: 'EN',
        customValue: 0,
        description: 'Warehouse',
        lastUpdated,
        owner: '',
        ownerAttributeId: 'C2',
        ownerAttributeName: 'DEPT',
        periodFrom: 0,
        periodTo: 209912,
        status: 'N',
      },
    ],
  },
  {
    name: 'answers attribute relations with names, numbers of the value and dates with Z (decision 0, date-times)',
    url: objects('attribute-relations', { filter: "attributeValue eq 'CC100' and relationValue eq '200'" }),
    answer: [
      {
        attributeId: 'C1',
        attributeName: 'COSTC',
        attributeValue: 'CC100',
        attributeValueFrom: 0,
        attributeValueTo: 0,
        companyId: 'EN',
        dateFrom: '2026-01-01T00:00:00.000Z',
        dateTo: '2099-12-31T00:00:00.000Z',
        lastUpdated,
        percentage: 40.5,
        relatedAttributeId: 'C2',
        relatedAttributeName: 'DEPT',
        relationValue: '200',
      },
    ],
  },
  {
    name: 'answers the value of a relation as an integer where it is one (decision 3)',
    url: objects('attribute-relations', {
      filter: "attributeId eq 'A4'",
      select: 'attributeValueFrom,attributeValueTo',
    }),
    answer: [{ attributeValueFrom: 1001, attributeValueTo: 1001 }],
  },
  {
    name: 'answers attributes with maintenance, contact points and auto-numbering (decision 6, shapes)',
    url: objects('attributes', { filter: "attributeId in ('C1', 'C5', 'VT')" }),
    answer: [
      {
        attributeId: 'C1',
        attributeName: 'COSTC',
        autoNumbering: false,
        companyId: 'EN',
        contactPoints: true,
        description: 'Cost centre',
        lastUpdated,
        maintenance: 'manual',
        ownerAttributeId: 'C2',
      },
      {
        attributeId: 'C5',
        attributeName: 'PROJECT',
        autoNumbering: true,
        companyId: 'EN',
        contactPoints: false,
        description: '',
        lastUpdated,
        maintenance: 'manual',
        ownerAttributeId: '',
      },
      {
        attributeId: 'VT',
        attributeName: 'VOUCHTYPE',
        autoNumbering: false,
        companyId: 'EN',
        contactPoints: false,
        description: '',
        lastUpdated,
        maintenance: 'system',
        ownerAttributeId: '',
      },
    ],
  },
  {
    name: 'answers the one company that is asked for (decision 6, companies)',
    url: objects('companies', { companyId: 'en' }),
    answer: [
      {
        companyId: 'EN',
        companyName: 'Example Nordic AS',
        currentAccountingPeriod: 202603,
        language: 'EN',
        lastUpdated,
      },
    ],
  },
  {
    name: 'answers customers with the fields of the resource and lastUpdated (decision 6, shapes)',
    url: objects('customers', { filter: 'customerId eq 1001' }),
    answer: [
      {
        aliasName: 'NORD',
        companyId: 'EN',
        companyRegistrationNumber: '',
        countryCode: 'NO',
        customerGroupId: 'DOM',
        customerId: '1001',
        customerName: 'Nordlys AS',
        externalReference: '42',
        invoice: {
          calculatePayDiscountOnTax: false,
          checkCreditOnHeadOffice: false,
          creditLimit: 50000.5,
          currencyCode: 'NOK',
          hasFixedCurrency: true,
          hasFixedPaymentTerms: false,
          hasFixedTaxSystem: false,
          languageCode: '',
          paymentTermsId: '',
        },
        lastUpdated,
        payment: {
          bankAccount: '',
          debtCollectionCode: '',
          expiryDate: '2099-12-31T00:00:00.000Z',
          payMethod: '',
          postalAccount: '',
          status: 'N',
        },
      },
    ],
  },
  {
    name: 'answers ledger lines with seven further attributes and the amounts (decision 6, endpoints)',
    url: ledger({ filter: 'transactionNumber eq 2' }),
    answer: [
      {
        accountingInformation: {
          account: '1900',
          attributeId1: 'C2',
          attributeValue1: '100',
          ...Object.fromEntries(
            [2, 3, 4, 5, 6, 7].flatMap((no) => [
              [`attributeId${no}`, ''],
              [`attributeValue${no}`, ''],
            ]),
          ),
        },
        amounts: { amount: 250.75, currencyAmount: 21.5, currencyCode: 'EUR', debitCredit: 1 },
        companyId: 'EN',
        customerId: '9999',
        description: 'Payment; "urgent", 50%',
        externalReference: '',
        lastUpdated,
        period: 202602,
        sequenceNumber: 1,
        state: 'posted',
        status: 'N',
        transactionDate: '2026-02-01T12:30:00.500Z',
        transactionNumber: 2,
        transactionType: 'PA',
      },
    ],
  },
  {
    name: 'answers value lists with the code as text and as number, a row for each language (decision 6, value-list)',
    url: objects('value-list', { filter: "name eq 'STAGE'" }),
    answer: [
      { companyId: 'EN', description: '1', language: 'EN', lastUpdated, name: 'STAGE', number: 1, title: 'Planned' },
      { companyId: 'EN', description: '2', language: 'EN', lastUpdated, name: 'STAGE', number: 2, title: 'Started' },
      { companyId: 'EN', description: '2', language: 'NO', lastUpdated, name: 'STAGE', number: 2, title: 'Startet' },
    ],
  },
  {
    name: 'answers a document of the setup, empty until there are records (decision 6, endpoints)',
    url: objects('work-orders'),
    answer: [],
  },
  {
    name: 'answers a document of the setup in another version under its path (decision 6, endpoints)',
    url: '/v2/objects/readings',
    answer: [],
  },
  {
    name: 'answers related values as a list, in the order in which they were added, when it is named (decision 6, shapes)',
    url: objects('attribute-values', { filter: "attributeValue eq 'CC100'", select: 'attributeValue,relatedValues' }),
    answer: [
      {
        attributeValue: 'CC100',
        relatedValues: [
          {
            dateFrom: '2026-01-01T00:00:00.000Z',
            dateTo: '2099-12-31T00:00:00.000Z',
            percentage: 40.5,
            relatedValue: '200',
            relationGroup: 'ORG',
            relationId: 'REL1',
            relationName: 'Department',
            unitValue: 0,
          },
          {
            dateFrom: '1900-01-01T00:00:00.000Z',
            dateTo: '2099-12-31T00:00:00.000Z',
            percentage: 59.5,
            relatedValue: '100',
            relationGroup: 'ORG',
            relationId: 'REL1',
            relationName: 'Department',
            unitValue: 3,
          },
        ],
      },
    ],
  },
  {
    name: 'answers contact points as a list when it is named, empty where there are none (decision 6, select)',
    url: objects('customers', { filter: "customerId in ('1002', '1003')", select: 'contactPoints' }),
    answer: [{ contactPoints: [contactPoint('1', 'Malmö', 1)] }, { contactPoints: [] }],
  },
  {
    name: 'answers custom fields when they are named, absent ones as the absent value of their type (decision 0, no null)',
    url: objects('customers', { filter: "customerId le '1002'", select: 'customFieldGroups' }),
    answer: [
      {
        customFieldGroups: {
          LOYALTY: { tier: 'G', points: 120, rate: 2.5, isGold: true, since: '2025-05-17T00:00:00.000Z' },
        },
      },
      {
        customFieldGroups: {
          LOYALTY: { tier: '', points: 0, rate: 0, isGold: false, since: '1900-01-01T00:00:00.000Z' },
        },
      },
    ],
  },
]

const numbers = (...all: number[]) => all.map((transactionNumber) => ({ transactionNumber }))
const states = (text: string) => ({
  url: `/v1/objects/general-ledger-transactions?select=transactionNumber&filter=sequenceNumber+eq+1&${text}`,
})
const NO_STATE = {
  status: 400,
  json: { code: 1020, message: 'At least one of registered, posted, historical should be set to true.' },
}

const ledgerStates: Scenario[] = [
  { name: 'answers registered lines (rule: registered)', ...states('registered=true'), status: 200, json: numbers(3) },
  { name: 'answers posted lines', ...states('posted=True'), status: 200, json: numbers(1, 2) },
  { name: 'answers historical lines', ...states('historical=TRUE'), status: 200, json: numbers(4) },
  {
    name: 'answers several states in one order, in any letter case of name and value (decision 0)',
    ...states('Registered=true&POSTED=False&historical=tRuE'),
    status: 200,
    json: numbers(3, 4),
  },
  { name: 'refuses a ledger query without any state (1020)', ...states(''), ...NO_STATE },
  { name: 'refuses a ledger query with every state false', ...states('registered=false&posted=False'), ...NO_STATE },
  { name: 'refuses a ledger query with an empty state', ...states('posted='), ...NO_STATE },
  { name: 'refuses a state that is given twice', ...states('posted=true&Posted=true'), status: 400, code: 1020 },
  {
    name: 'refuses a state that is neither true nor false (1010)',
    ...states('posted=yes'),
    status: 400,
    json: { code: 1010, message: "The value 'yes' is not valid for posted." },
  },
  {
    name: 'counts the lines of a state, and refuses to count without one (HEAD)',
    method: 'HEAD',
    ...states('posted=true'),
    status: 200,
    answerHeaders: { 'x-erp-total-count': '2' },
  },
  { name: 'refuses to count without a state', method: 'HEAD', ...states(''), status: 400 },
]

onEachStore(
  'GET /v1/objects/{document}',
  (world) => {
    it.each(SHAPES)('$name', async ({ url, as = 'integration', answer }) => {
      const { status, text, headers } = await world().send({ as, url })
      expect({ status, text }).toEqual({ status: 200, text: JSON.stringify(answer) })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
    })

    runScenarios(world, ledgerStates)

    it('never answers a null, in no document and with everything selected (decision 0)', async () => {
      const lists: Record<string, string> = {
        'attribute-values': '*,contactPoints,relatedValues',
        customers: '*,contactPoints,relatedValues,customFieldGroups',
        'general-ledger-transactions': '*,customer(*,payment,contactPoints,relatedValues,customFieldGroups)',
      }
      for (const document of [
        'attribute-values',
        'attribute-relations',
        'attributes',
        'companies',
        'customers',
        'general-ledger-transactions',
        'value-list',
      ]) {
        const options = { select: lists[document] ?? '*', posted: 'true', historical: 'true' }
        const answer = await world().send({ as: 'integration', url: objects(document, options) })
        expect({ document, status: answer.status, text: answer.text }).toMatchObject({ document, status: 200 })
        expect(answer.json.length).toBeGreaterThan(0)
        expect(answer.text).not.toContain('null')
      }
    })

    it('counts what the filter leaves in every document (decision 6, HEAD)', async () => {
      const counts: string[] = []
      for (const document of ['attribute-relations', 'companies', 'customers', 'attributes', 'work-orders']) {
        const url = objects(document, { filter: "companyId eq 'EN'" })
        const answer = await world().send({ as: 'integration', method: 'HEAD', url })
        counts.push(`${document} ${answer.status} ${answer.headers['x-erp-total-count']} ${answer.text}`)
      }
      expect(counts).toEqual([
        'attribute-relations 200 4 ',
        'companies 200 1 ',
        'customers 200 4 ',
        'attributes 200 11 ',
        'work-orders 200 0 ',
      ])
    })

    it('takes the period of today where none is set up (decision 6, shapes)', async () => {
      const answer = await world().send({ as: 'sv', url: objects('companies', { select: 'currentAccountingPeriod' }) })
      const now = new Date()
      expect(answer.json).toEqual([{ currentAccountingPeriod: now.getUTCFullYear() * 100 + now.getUTCMonth() + 1 }])
      const filter = `currentAccountingPeriod eq ${answer.json[0].currentAccountingPeriod}`
      const found = await world().send({ as: 'sv', url: objects('companies', { select: 'companyId', filter }) })
      expect(found.json).toEqual([{ companyId: 'SV' }])
    })
  },
  startObjects,
)
