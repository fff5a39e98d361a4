// What POST accepts, with its answers: specification, customers 2; decision 5.

import { expect } from 'vitest'
import { withFurther } from '../further-fields.ts'
import type { Scenario } from '../scenario.ts'
import { custom, recordsOf, statusOf } from './records.ts'
import { CUSTOMERS, type Resource, unless } from './resource.ts'

const emptyPoint = {
  additionalContactInfo: { contactPerson: '', contactPosition: '', eMail: '', eMailCc: '', gtin: '', url: '' },
  address: { countryCode: '', place: '', postcode: '', province: '', streetAddress: '' },
  contactPointType: '1',
  phoneNumbers: {
    telephone1: '',
    telephone2: '',
    telephone3: '',
    telephone4: '',
    telephone5: '',
    telephone6: '',
    telephone7: '',
  },
  sortOrder: 0,
}
/** The minimal customer as it is answered. */
function least(resource: Resource) {
  return {
    aliasName: '',
    companyId: 'EN',
    companyRegistrationNumber: '',
    contactPoints: [{ ...emptyPoint, address: { ...emptyPoint.address, countryCode: 'NO', place: 'Oslo' } }],
    countryCode: 'NO',
    ...custom(resource, {
      delivery: {
        route: 'R1',
        zone: '',
        agent: '',
        stops: 0,
        class: 0,
        weight: 0,
        isFragile: false,
        since: '1900-01-01T00:00:00.000',
      },
      rating: { score: 5, auditedAt: '2026-01-31T00:00:00.000' },
      notes: { text: '' },
    }),
    customerGroupId: '10',
    customerId: 'LEAST',
    customerName: 'Customer LEAST',
    externalReference: '',
    invoice: {
      calculatePayDiscountOnTax: false,
      checkCreditOnHeadOffice: false,
      creditLimit: 0,
      currencyCode: '',
      hasFixedCurrency: false,
      hasFixedPaymentTerms: false,
      hasFixedTaxSystem: false,
      languageCode: '',
      paymentTermsId: '',
    },
    lastUpdated: { updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}$/), updatedBy: 'svc-integration' },
    payment: {
      bankAccount: '',
      debtCollectionCode: '',
      expiryDate: '2099-12-31T00:00:00.000',
      payMethod: '',
      postalAccount: '',
      status: statusOf(resource, 'Active'),
    },
    relatedValues: [
      {
        dateFrom: '1900-01-01T00:00:00.000',
        dateTo: '2099-12-31T00:00:00.000',
        percentage: 0,
        relatedValue: 'NO1',
        relationGroup: 'LEGAL',
        relationId: 'LEGALID',
        relationName: 'Legal entity',
        unitValue: 0,
      },
    ],
  }
}

const related = (relatedValue: string) => [{ relationId: 'LEGALID', relatedValue }]
/** How a status may be given, and how it is answered then. */
function statusSpellings({ differs }: Resource): readonly (readonly [given: string, answered: string])[] {
  if (differs.statusNames !== undefined) return ['N', 'P', 'C'].map((code) => [code, code])
  return [
    ['Active', 'Active'],
    ['Parked', 'Parked'],
    ['Closed', 'Closed'],
    ['N', 'Active'],
    ['P', 'Parked'],
    ['C', 'Closed'],
    ['parked', 'Parked'],
  ]
}

/** Bodies that are accepted, each with its answer. */
export function accepted(resource: Resource): Scenario[] {
  const { bodyOf, numberedBody, post, postNumbered } = recordsOf(resource)
  const { usual, numbered } = resource.collections
  return [
    {
      name: 'customers 2: creates a customer with the least that is needed, everything else absent (no null)',
      ...post(bodyOf('LEAST')),
      status: 201,
      json: resource === CUSTOMERS ? withFurther(least(resource)) : least(resource),
      answerHeaders: { location: '/v1/customers/LEAST' },
    },
    {
      name: 'customers 2: creates a customer with every field',
      ...post(
        bodyOf('WHOLE', {
          companyId: 'en',
          aliasName: 'whole',
          companyRegistrationNumber: '987654321',
          customerGroupId: '20',
          externalReference: 'REF-7',
          invoice: {
            calculatePayDiscountOnTax: true,
            checkCreditOnHeadOffice: true,
            creditLimit: 12500.5,
            currencyCode: 'SEK',
            hasFixedCurrency: true,
            hasFixedPaymentTerms: true,
            hasFixedTaxSystem: true,
            languageCode: 'NO',
            paymentTermsId: '14',
          },
          payment: {
            bankAccount: '12345678903',
            debtCollectionCode: 'D2',
            payMethod: 'CH',
            postalAccount: '99',
            status: statusOf(resource, 'Parked'),
            expiryDate: '2027-06-30T10:00:00+02:00',
          },
          relatedValues: [...related('NO2'), { relationId: 'REGION', relatedValue: 'N', percentage: 40, unitValue: 2 }],
          ...custom(resource, {
            delivery: {
              route: 'R2345',
              zone: 'Z2',
              agent: 'IP',
              stops: 9,
              class: 2,
              weight: 99.5,
              isFragile: true,
              since: '2026-01-31T12:00:00',
            },
            rating: { score: 9.5, auditedAt: '2026-02-28' },
            notes: { text: 'careful' },
          }),
        }),
      ),
      status: 201,
      includes: {
        companyId: 'EN',
        externalReference: 'REF-7',
        invoice: { calculatePayDiscountOnTax: true, creditLimit: 12500.5, languageCode: 'NO', paymentTermsId: '14' },
        payment: { payMethod: 'CH', status: statusOf(resource, 'Parked'), expiryDate: '2027-06-30T08:00:00.000' },
        relatedValues: [
          { relationId: 'LEGALID', relatedValue: 'NO2' },
          { relationId: 'REGION', relatedValue: 'N', percentage: 40, unitValue: 2, relationName: 'Region' },
        ],
        ...custom(resource, {
          delivery: {
            zone: 'Z2',
            agent: 'IP',
            stops: 9,
            weight: 99.5,
            isFragile: true,
            since: '2026-01-31T12:00:00.000',
          },
          rating: { score: 9.5, auditedAt: '2026-02-28T00:00:00.000' },
          notes: { text: 'careful' },
        }),
      },
    },
    {
      name: 'decision 5: takes POST /v1/customers/ with the slash, PascalCase, nulls and unknown members (habits)',
      method: 'POST',
      url: `${usual}/`,
      body: {
        CustomerId: 'PASCAL',
        CustomerName: 'Pascal',
        CustomerGroupId: 10,
        CountryCode: 'NO',
        AliasName: null,
        Nonsense: { deep: [1] },
        Invoice: { CreditLimit: '100', HasFixedCurrency: 'true', Other: 1, CurrencyCode: null },
        Payment: null,
        ContactPoints: [{ ContactPointType: 1, Address: { Place: 'Oslo', Nope: 1 }, AdditionalContactInfo: null }],
        RelatedValues: [{ RelationId: 'LEGALID', RelatedValue: 'NO1' }],
        ...custom(
          resource,
          {
            Delivery: { ROUTE: 'R1', nope: 1 },
            Rating: { score: '2', AuditedAt: '2026-01-01' },
            Nope: {},
          },
          'CustomFieldGroups',
        ),
        NotificationMessages: null,
      },
      status: 201,
      includes: {
        customerId: 'PASCAL',
        customerGroupId: '10',
        aliasName: '',
        invoice: { creditLimit: 100, hasFixedCurrency: true, currencyCode: '' },
        payment: { status: statusOf(resource, 'Active') },
        contactPoints: [{ contactPointType: '1', address: { place: 'Oslo' } }],
        ...custom(resource, { delivery: { route: 'R1' }, rating: { score: 2 } }),
      },
      answerHeaders: { location: '/v1/customers/PASCAL' },
    },
    ...unless(resource, 'textOrNumber', {
      name: 'decision 5: keeps an external reference that is a number as a number',
      ...post(bodyOf('REFNUM', { externalReference: 4711 })),
      status: 201,
      includes: { externalReference: 4711 },
    }),
    {
      name: 'decision 5: keeps an external reference that is a text as a text, its zeros too',
      ...post(bodyOf('REFTEXT', { externalReference: '0004711' })),
      status: 201,
      includes: { externalReference: '0004711' },
    },
    ...statusSpellings(resource).map(
      ([given, status]): Scenario => ({
        name: `decision 5: takes payment.status ${given} and answers ${status}`,
        ...post(bodyOf(`ST-${given}`, { payment: { status: given } })),
        status: 201,
        includes: { payment: { status } },
      }),
    ),
    {
      name: 'customers 2: puts an id in the location as an address needs it',
      ...post(bodyOf('A/B Ø')),
      status: 201,
      includes: { customerId: 'A/B Ø' },
      answerHeaders: { location: '/v1/customers/A%2FB%20%C3%98' },
    },
    {
      name: 'customers 2: gives the first number of the series (auto-numbering)',
      ...postNumbered(numberedBody()),
      status: 201,
      includes: { customerId: '100000', companyId: 'NU' },
      answerHeaders: { location: `${numbered}/100000?companyId=NU` },
    },
    {
      name: 'customers 2: takes an empty id for none, and gives the next number (auto-numbering)',
      ...postNumbered({ ...numberedBody(), customerId: '' }),
      status: 201,
      includes: { customerId: '100001' },
    },
  ]
}
