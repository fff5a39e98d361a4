// Patches that are applied: specification, customers 3; decision 5.
import type { Scenario } from '../scenario.ts'
import { add, custom, customPath, GENERAL, patchOf, remove, replace, statusOf } from './records.ts'
import { type Resource, unless } from './resource.ts'

/** The operations that replace all groups of custom fields. */
function replaceGroups({ differs }: Resource, groups: Record<string, unknown>) {
  if (differs.customFieldGroups === undefined) return [replace('/customFieldGroups', groups)]
  return [...Object.entries(groups).map(([name, group]) => replace(`/${name}`, group)), remove('/notes')]
}

/** Patches that are applied. Each row continues with the state that the earlier rows have left. */
export function changed(resource: Resource): Scenario[] {
  const patch = patchOf(resource)
  const parked = resource.differs.statusNames === undefined ? 'p' : 'P'
  const at = (path: string, start?: string) => customPath(resource, path, start)
  return [
    {
      name: 'customers 3: replaces the paths of the specification in one call and answers the customer whole (decision 5)',
      ...patch([
        replace('/payment/payMethod', 'IP'),
        replace('/invoice/currencyCode', 'NOK'),
        replace('/contactPoints/0/additionalContactInfo/contactPerson', 'Kari Nordmann'),
        replace('/payment/status', statusOf(resource, 'Parked')),
        replace('/countryCode', 'SE'),
      ]),
      status: 200,
      includes: {
        customerId: 'PATCH',
        countryCode: 'SE',
        invoice: { currencyCode: 'NOK' },
        payment: { payMethod: 'IP', status: statusOf(resource, 'Parked') },
        contactPoints: [{ contactPointType: '1', additionalContactInfo: { contactPerson: 'Kari Nordmann' } }],
      },
    },
    {
      name: 'customers 3: adds a contact point at the end, and changes every part of it by its index',
      ...patch([
        add('/contactPoints/-', {
          contactPointType: '2',
          address: { place: 'Bergen', countryCode: 'NO' },
          sortOrder: 2,
        }),
        replace('/contactPoints/1/address/postcode', 5003),
        replace('/contactPoints/1/phoneNumbers/telephone7', 47),
        add('/contactPoints/1/additionalContactInfo/url', 'https://example.com'),
        remove('/contactPoints/1/address/countryCode'),
        replace('/contactPoints/1/sortOrder', '7'),
      ]),
      status: 200,
      includes: {
        contactPoints: [
          { contactPointType: '1' },
          {
            contactPointType: '2',
            address: { place: 'Bergen', postcode: '5003', countryCode: '' },
            phoneNumbers: { telephone7: '47' },
            additionalContactInfo: { url: 'https://example.com' },
            sortOrder: 7,
          },
        ],
      },
    },
    {
      name: 'customers 3: replaces a whole address and all phone numbers (habits, whole objects)',
      ...patch([
        replace('contactPoints/1/address', { Place: 'Tromsø' }),
        replace('/contactPoints/1/phoneNumbers', { telephone1: '1', telephone7: null }),
      ]),
      status: 200,
      includes: {
        contactPoints: [
          {},
          {
            address: { place: 'Tromsø', postcode: '' },
            phoneNumbers: { telephone1: '1', telephone7: '' },
            sortOrder: 7,
          },
        ],
      },
    },
    {
      name: 'customers 3: removes a contact point by its index',
      ...patch([remove('/contactPoints/1')]),
      status: 200,
      includes: { contactPoints: [{ contactPointType: '1' }] },
    },
    {
      name: 'customers 3: replaces all contact points at once',
      ...patch([replace('/contactPoints', [{ contactPointType: '3' }, GENERAL, { contactPointType: '1' }])]),
      status: 200,
      includes: { contactPoints: [{ contactPointType: '3' }, { contactPointType: '1' }, { contactPointType: '1' }] },
    },
    {
      name: 'customers 3: removes a General contact point while another one is left',
      ...patch([remove('/contactPoints/2')]),
      status: 200,
      includes: { contactPoints: [{ contactPointType: '3' }, { contactPointType: '1' }] },
    },
    {
      name: 'customers 3: takes members in the order path, op, value, capitalised and without the slash (habits)',
      ...patch([
        { path: 'CustomerName', op: 'Replace', value: 'Renamed' },
        { Path: 'INVOICE/hasFixedCurrency', OP: 'REPLACE', Value: 'true' },
        { path: '/Payment/BankAccount', op: 'Add', value: 12345678903 },
      ]),
      status: 200,
      includes: {
        customerName: 'Renamed',
        invoice: { hasFixedCurrency: true },
        payment: { bankAccount: '12345678903' },
      },
    },
    {
      name: 'customers 3: takes custom field groups in both letter cases within one call (habits)',
      ...patch([
        replace(at('delivery/zone'), 'Z1'),
        replace(at('DELIVERY/Stops', '/CustomFieldGroups'), '3'),
        replace(at('Delivery/isfragile', 'customfieldgroups'), 'True'),
        replace(at('delivery/since'), '2026-03-01'),
        add(at('notes/text'), 'ring first'),
      ]),
      status: 200,
      includes: {
        ...custom(resource, {
          delivery: { route: 'R1', zone: 'Z1', stops: 3, isFragile: true, since: '2026-03-01T00:00:00.000' },
          notes: { text: 'ring first' },
        }),
      },
    },
    {
      name: 'customers 3: removes a custom field',
      ...patch([remove(at('delivery/stops')), remove(at('notes/text'))]),
      status: 200,
      includes: { ...custom(resource, { delivery: { stops: 0, zone: 'Z1' }, notes: { text: '' } }) },
    },
    {
      name: 'customers 3: replaces a custom field group as a whole object (habits): what is not given is absent',
      ...patch([replace(at('Delivery'), { Route: 'R2', AGENT: 'CH', unknown: 1 })]),
      status: 200,
      includes: { ...custom(resource, { delivery: { route: 'R2', agent: 'CH', zone: '', isFragile: false } }) },
    },
    {
      name: 'customers 3: replaces all custom field groups as one object',
      ...patch([
        ...replaceGroups(resource, { delivery: { route: 'R3' }, rating: { score: 1, auditedAt: '2026-01-01' } }),
      ]),
      status: 200,
      includes: {
        ...custom(resource, {
          delivery: { route: 'R3', agent: '' },
          rating: { score: 1, auditedAt: '2026-01-01T00:00:00.000' },
        }),
      },
    },
    {
      name: 'customers 3: replaces invoice and payment as whole objects (habits)',
      ...patch([
        replace('/invoice', { CreditLimit: '1e3', LanguageCode: 'EN', CheckCreditOnHeadOffice: 'TRUE' }),
        replace('/payment', { debtCollectionCode: 'D1', expiryDate: '2027-01-01', status: parked }),
      ]),
      status: 200,
      includes: {
        invoice: { creditLimit: 1000, languageCode: 'EN', currencyCode: '', checkCreditOnHeadOffice: true },
        payment: {
          debtCollectionCode: 'D1',
          bankAccount: '',
          expiryDate: '2027-01-01T00:00:00.000',
          status: statusOf(resource, 'Parked'),
        },
      },
    },
    {
      name: 'customers 3: sets removed fields of every kind back to absent',
      ...patch([
        replace('/externalReference', 47),
        replace('/aliasName', 'alias'),
        remove('/aliasName'),
        remove('/externalReference'),
        remove('/invoice/creditLimit'),
        remove('/invoice/checkCreditOnHeadOffice'),
        remove('/payment/expiryDate'),
        replace('/payment/debtCollectionCode', null),
        remove('/payment/status'),
      ]),
      status: 200,
      includes: {
        aliasName: '',
        externalReference: '',
        invoice: { creditLimit: 0, checkCreditOnHeadOffice: false },
        payment: {
          expiryDate: '2099-12-31T00:00:00.000',
          debtCollectionCode: '',
          status: statusOf(resource, 'Active'),
        },
      },
    },
    ...unless(resource, 'textOrNumber', {
      name: 'decision 5: keeps an external reference as it is sent, number or text',
      ...patch([replace('/externalReference', 4711)]),
      status: 200,
      includes: { externalReference: 4711 },
    }),
    {
      name: 'decision 5: adds, changes and removes related values as on attribute values',
      ...patch([
        add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'N', percentage: '60' }),
        add('/relatedValues/-', { RelationId: 'REGION', RelatedValue: 'S', Percentage: 40 }),
        replace('/relatedValues/1/percentage', 12.5),
        replace('/relatedValues/1/unitValue', 3),
        replace('/relatedValues/1/dateFrom', '2026-01-31'),
        replace('/relatedValues/2/relatedValue', 'W'),
        replace('/relatedValues/0/relatedValue', 'NO2'),
      ]),
      status: 200,
      includes: {
        relatedValues: [
          { relationId: 'LEGALID', relatedValue: 'NO2' },
          { relatedValue: 'N', percentage: 12.5, unitValue: 3, dateFrom: '2026-01-31T00:00:00.000' },
          { relatedValue: 'W', percentage: 40 },
        ],
      },
    },
    {
      name: 'decision 5: replaces all related values at once',
      ...patch([replace('/relatedValues', [{ relationId: 'LEGALID', relatedValue: 'NO1' }])]),
      status: 200,
      includes: { relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }] },
    },
    {
      name: 'customers 3: takes the media type of JSON Patch with a charset, and unknown query parameters (habits)',
      ...patch([replace('/aliasName', 'x')], {
        url: `${resource.collections.usual}/PATCH?foo=bar&companyId=en`,
        headers: { 'content-type': 'application/json-patch+json; charset=utf-8' },
      }),
      status: 200,
      includes: { aliasName: 'x' },
    },
    { name: 'customers 3: takes an empty array as no change', ...patch([]), status: 200, includes: { aliasName: 'x' } },
  ]
}
