// Each object endpoint answers its shape: decision 6, endpoints and shapes; specification, object endpoints.

import { expect, it } from 'vitest'
import { withFurther } from '../support/further-fields.ts'
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
        companyId: 'EN',
        attributeId: 'C1',
        attributeValue: 'CC100',
        periodFrom: 0,
        attributeName: 'COSTC',
        description: 'Head office',
        periodTo: 209912,
        owner: '100',
        ownerAttributeId: 'C2',
        ownerAttributeName: 'DEPT',
        status: 'N',
        customValue: 12.5,
        lastUpdated,
      },
      {
        companyId: 'EN',
        attributeId: 'C1',
        attributeValue: 'CC200',
        periodFrom: 0,
        attributeName: 'COSTC',
        description: 'Warehouse',
        periodTo: 209912,
        owner: '',
        ownerAttributeId: 'C2',
        ownerAttributeName: 'DEPT',
        status: 'N',
        customValue: 0,
        lastUpdated,
      },
    ],
  },
  {
    name: 'answers attribute relations with names, numbers of the value and dates with Z (decision 0, date-times)',
    url: objects('attribute-relations', { filter: "attributeValue eq 'CC100' and relationValue eq '200'" }),
    answer: [
      {
        companyId: 'EN',
        attributeId: 'C1',
        attributeValue: 'CC100',
        relatedAttributeId: 'C2',
        relationValue: '200',
        attributeName: 'COSTC',
        attributeValueFrom: 0,
        attributeValueTo: 0,
        relatedAttributeName: 'DEPT',
        dateFrom: '2026-01-01T00:00:00.000Z',
        dateTo: '2099-12-31T00:00:00.000Z',
        percentage: 40.5,
        lastUpdated,
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
        companyId: 'EN',
        attributeId: 'C1',
        attributeName: 'COSTC',
        description: 'Cost centre',
        maintenance: 'manual',
        contactPoints: true,
        autoNumbering: false,
        ownerAttributeId: 'C2',
        lastUpdated,
      },
      {
        companyId: 'EN',
        attributeId: 'C5',
        attributeName: 'PROJECT',
        description: '',
        maintenance: 'manual',
        contactPoints: false,
        autoNumbering: true,
        ownerAttributeId: '',
        lastUpdated,
      },
      {
        companyId: 'EN',
        attributeId: 'VT',
        attributeName: 'VOUCHTYPE',
        description: '',
        maintenance: 'system',
        contactPoints: false,
        autoNumbering: false,
        ownerAttributeId: '',
        lastUpdated,
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
        language: 'EN',
        currentAccountingPeriod: 202603,
        lastUpdated,
      },
    ],
  },
  {
    name: 'answers customers with the fields of the resource and lastUpdated (decision 6, shapes)',
    url: objects('customers', { filter: 'customerId eq 1001' }),
    answer: [
      withFurther({
        companyId: 'EN',
        customerId: '1001',
        customerName: 'Nordlys AS',
        aliasName: 'NORD',
        companyRegistrationNumber: '',
        countryCode: 'NO',
        customerGroupId: 'DOM',
        externalReference: '42',
        lastUpdated,
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
        payment: {
          bankAccount: '',
          debtCollectionCode: '',
          payMethod: '',
          postalAccount: '',
          status: 'N',
          expiryDate: '2099-12-31T00:00:00.000Z',
        },
      }),
    ],
  },
  {
    name: 'answers ledger lines with seven further attributes and the amounts (decision 6, endpoints)',
    url: ledger({ filter: "supplierId eq '20610'" }),
    answer: [
      {
        companyId: 'EN',
        transactionNumber: 2,
        sequenceNumber: 1,
        state: 'posted',
        status: 'N',
        transactionType: 'PA',
        transactionDate: '2026-02-01T12:30:00.500Z',
        period: 202602,
        description: 'Payment; "urgent", 50%',
        externalReference: '',
        customerId: '9999',
        supplierId: '20610',
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
        lastUpdated,
      },
    ],
  },
  {
    name: 'answers value lists with the code as text and as number, a row for each language (decision 6, value-list)',
    url: objects('value-list', { filter: "name eq 'STAGE'" }),
    answer: [
      { companyId: 'EN', name: 'STAGE', language: 'EN', description: '1', number: 1, title: 'Planned', lastUpdated },
      { companyId: 'EN', name: 'STAGE', language: 'EN', description: '2', number: 2, title: 'Started', lastUpdated },
      { companyId: 'EN', name: 'STAGE', language: 'NO', description: '2', number: 2, title: 'Startet', lastUpdated },
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
            unitValue: 0,
            relationGroup: 'ORG',
            relationId: 'REL1',
            relationName: 'Department',
            relatedValue: '200',
            percentage: 40.5,
            dateFrom: '2026-01-01T00:00:00.000Z',
            dateTo: '2099-12-31T00:00:00.000Z',
          },
          {
            unitValue: 3,
            relationGroup: 'ORG',
            relationId: 'REL1',
            relationName: 'Department',
            relatedValue: '100',
            percentage: 59.5,
            dateFrom: '1900-01-01T00:00:00.000Z',
            dateTo: '2099-12-31T00:00:00.000Z',
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
      expect(answer.json).toEqual([{ currentAccountingPeriod: 202_603 }])
      const filter = `currentAccountingPeriod eq ${answer.json[0].currentAccountingPeriod}`
      const found = await world().send({ as: 'sv', url: objects('companies', { select: 'companyId', filter }) })
      expect(found.json).toEqual([{ companyId: 'SV' }])
    })
  },
  // No day ends while the tests run.
  (kind) => startObjects(kind, { clock: () => new Date('2026-03-10T12:00:00.000Z') }),
)
