// What POST refuses, with its findings: specification, customers 2; decisions 1 and 5.
import type { Scenario } from '../scenario.ts'
import { CUSTOM, custom, customAt, customCode, GENERAL, recordsOf } from './records.ts'
import { type Resource, unless } from './resource.ts'

const illegal: readonly (readonly [path: string, changes: Record<string, unknown>])[] = [
  ['countryCode', { countryCode: 'XX' }],
  ['customerGroupId', { customerGroupId: '99' }],
  ['invoice.currencyCode', { invoice: { currencyCode: 'XXX' } }],
  ['invoice.languageCode', { invoice: { languageCode: 'XX' } }],
  ['invoice.paymentTermsId', { invoice: { paymentTermsId: '99' } }],
  ['payment.payMethod', { payment: { payMethod: 'XX' } }],
  ['payment.debtCollectionCode', { payment: { debtCollectionCode: 'XX' } }],
  ['payment.status', { payment: { status: 'Sleeping' } }],
  ['contactPoints.1.address.countryCode', { contactPoints: [GENERAL, { ...GENERAL, address: { countryCode: 'XX' } }] }],
]
const NO_GENERAL = [3010, 'A contact point of the General type is required.'] as const
const LIMITED = { companyId: 'LT', customerName: 'x', customerGroupId: 'x', countryCode: 'x', contactPoints: [GENERAL] }

const related = (relatedValue: string) => [{ relationId: 'LEGALID', relatedValue }]
const withDelivery = (delivery: object, others: object = {}) => ({
  ...CUSTOM,
  delivery: { route: 'R1', ...delivery },
  ...others,
})

/** The finding of a missing mandatory relation, where there is one. */
const mandatory = ({ differs }: Resource): Scenario['findings'] =>
  differs.mandatoryRelations === undefined ? { relatedValues: [3010, 'The relation Legal entity is mandatory'] } : {}

export function tooLong(field: string, most: number): [number, string] {
  const name = field[0]?.toUpperCase() + field.slice(1)
  return [1010, `The field ${name} must be a string or array type with a maximum length of ${most}.`]
}

/** Bodies that are refused, each with its findings. */
export function refused(resource: Resource): Scenario[] {
  const { bodyOf, numberedBody, post, postNumbered, guarded } = recordsOf(resource)
  const { usual, limited } = resource.collections
  const at = (position: string) => customAt(resource, position)
  const code = customCode(resource)
  return [
    {
      name: 'customers 2: refuses an id where the company numbers its customers with 422, code 1010',
      ...postNumbered({ ...numberedBody(), customerId: '7' }),
      status: 422,
      findings: {
        customerId: [
          1010,
          `You cannot enter a new ID manually (${resource.differs.keyName === undefined ? 'CustomerID' : 'CustomerId'}).`,
        ],
      },
    },
    ...['.', '..'].map(
      (customerId): Scenario => ({
        name: `customers 2: refuses the id ${customerId}, which no address can have`,
        ...post(bodyOf(customerId)),
        status: 422,
        findings: { customerId: [3010, `The value '${customerId}' cannot stand in an address`] },
      }),
    ),
    {
      name: 'customers 2: refuses a body without its required fields, naming every one, with 422 (decision 5)',
      ...post({}),
      status: 422,
      findings: {
        customerId: [1010, 'The CustomerId field is required.'],
        customerName: [1010, 'The CustomerName field is required.'],
        customerGroupId: [1010, 'The CustomerGroupId field is required.'],
        countryCode: [1010, 'The CountryCode field is required.'],
        contactPoints: NO_GENERAL,
        ...mandatory(resource),
        [at('delivery.route')]: [code, 'The Route field is required.'],
        [at('rating.score')]: [code, 'The Score field is required.'],
        [at('rating.auditedAt')]: [code, 'The AuditedAt field is required.'],
      },
    },
    {
      name: 'customers 2: takes null and empty texts for missing fields',
      ...post(bodyOf('X', { customerName: null, countryCode: '' })),
      status: 422,
      findings: {
        customerName: [1010, 'The CustomerName field is required.'],
        countryCode: [1010, 'The CountryCode field is required.'],
      },
    },
    ...illegal.map(
      ([path, changes]): Scenario => ({
        name: `customers 2: refuses an illegal ${path} with 422, code 3010, in its own group (decision 5, nested fields)`,
        ...post(bodyOf('X', changes)),
        status: 422,
        findings: { [path]: [3010, 'Illegal value.'] },
      }),
    ),
    {
      name: 'customers 2: refuses a contact point type that is none',
      ...post(bodyOf('X', { contactPoints: [GENERAL, { contactPointType: '77' }] })),
      status: 422,
      findings: { 'contactPoints.1.contactPointType': [3010, '77 is not a legal ADDRTYPE'] },
    },
    {
      name: 'customers 2: refuses contact points none of which is General with 400, code 3010',
      ...post(bodyOf('X', { contactPoints: [{ contactPointType: '2' }] })),
      status: 400,
      findings: { contactPoints: NO_GENERAL },
    },
    {
      name: 'customers 2: refuses a customer without contact points with 400, code 3010',
      ...post(bodyOf('X', { contactPoints: null })),
      status: 400,
      findings: { contactPoints: NO_GENERAL },
    },
    {
      name: 'customers 2: looks for the General type that the company has set up (decision 5)',
      ...post(LIMITED, { url: limited }),
      status: 400,
      findings: { contactPoints: NO_GENERAL },
    },
    ...unless(resource, 'mandatoryRelations', {
      name: 'customers 2: refuses a customer without a mandatory relation with 422, code 3010',
      ...post(bodyOf('X', { relatedValues: [{ relationId: 'REGION', relatedValue: 'N' }] })),
      status: 422,
      findings: { relatedValues: [3010, 'The relation Legal entity is mandatory'] },
    }),
    {
      name: 'customers 2: refuses an illegal related value, an unknown relation and a second value of a single one',
      ...post(
        bodyOf('X', {
          relatedValues: [
            ...related('NO1'),
            ...related('NO2'),
            { relationId: 'REGION', relatedValue: 'Q' },
            { relationId: 'NOPE', relatedValue: 'Q' },
          ],
        }),
      ),
      status: 422,
      findings: {
        'relatedValues.1.relatedValue': [
          3010,
          'CUSTOMER : X is already connected to LEGALENTITY: NO1 on client EN. Duplicates or overlaps are not allowed',
        ],
        'relatedValues.2.relatedValue': [3010, 'Q is not a legal REGION'],
        'relatedValues.3.relationId': [3010, 'Relation NOPE does not exist'],
      },
    },
    {
      name: 'customers 2: refuses missing custom fields with 422, code 3010, inside their group, also when it was not sent',
      ...post(bodyOf('X', {}, { delivery: { zone: 'Z1' } })),
      status: 422,
      json: {
        ...bodyOf('X'),
        ...custom(resource, {
          delivery: {
            zone: 'Z1',
            notificationMessages: { route: [{ code, message: 'The Route field is required.' }] },
          },
          rating: {
            notificationMessages: {
              score: [{ code, message: 'The Score field is required.' }],
              auditedAt: [{ code, message: 'The AuditedAt field is required.' }],
            },
          },
        }),
        notificationMessages: {},
      },
    },
    {
      name: 'customers 2: refuses illegal custom fields, by value list and by attribute, with 422, code 3010',
      ...post(bodyOf('X', {}, withDelivery({ zone: 'Z9', agent: 'XX', class: 3 }))),
      status: 422,
      findings: {
        [at('delivery.zone')]: [3010, 'Illegal value.'],
        [at('delivery.agent')]: [3010, 'Illegal value.'],
        [at('delivery.class')]: [3010, 'Illegal value.'],
      },
    },
    {
      name: 'customers 2: refuses custom fields that are too long or out of their range with 422, code 3010',
      ...post(
        bodyOf(
          'X',
          {},
          withDelivery(
            { route: 'R23456', stops: 10, weight: 99.6 },
            { rating: { score: 0.5, auditedAt: '2026-01-31' } },
          ),
        ),
      ),
      status: 422,
      findings: {
        [at('delivery.route')]: [code, 'The field Route must be a string or array type with a maximum length of 5.'],
        [at('delivery.stops')]: [3010, 'The field Stops must be at least 1 and at most 9.'],
        [at('delivery.weight')]: [3010, 'The field Weight must be at most 99.5.'],
        [at('rating.score')]: [3010, 'The field Score must be at least 1 and at most 10.'],
      },
    },
    {
      name: 'customers 2: refuses a custom field below its range',
      ...post(bodyOf('X', {}, withDelivery({ stops: -1 }))),
      status: 422,
      findings: { [at('delivery.stops')]: [3010, 'The field Stops must be at least 1 and at most 9.'] },
    },
    {
      name: 'customers 2: refuses custom fields of a wrong type with 400, code 1010, naming them',
      ...post(bodyOf('X', {}, withDelivery({ stops: 'many', isFragile: 'perhaps', since: 'soon' }))),
      status: 400,
      json: {
        code: 1010,
        message:
          `The field ${at('delivery.stops')} must be an integer. ` +
          `The field ${at('delivery.isFragile')} must be a boolean. ` +
          `The field ${at('delivery.since')} must be a date-time.`,
      },
    },
    {
      name: 'customers 2: refuses a required custom field of a wrong type once, with 400, code 1010',
      ...post(bodyOf('X', {}, withDelivery({}, { rating: { score: 'good', auditedAt: 'soon' } }))),
      status: 400,
      json: {
        code: 1010,
        message:
          `The field ${at('rating.score')} must be a number. ` +
          `The field ${at('rating.auditedAt')} must be a date-time.`,
      },
    },
    {
      name: 'customers 2: refuses values of a wrong type with 400, code 1010, naming them',
      ...post(
        bodyOf('X', { customerName: ['x'], invoice: { creditLimit: 'much' }, payment: { expiryDate: '2026-02-30' } }),
      ),
      status: 400,
      json: {
        code: 1010,
        message:
          'The field customerName must be a string. The field invoice.creditLimit must be a number. ' +
          'The field payment.expiryDate must be a date-time.',
      },
    },
    {
      name: 'customers 2: refuses items and groups that are no objects, and says of each that alone',
      ...post(bodyOf('X', { contactPoints: ['x'], relatedValues: [7] }, { ...CUSTOM, delivery: 'x' })),
      status: 400,
      json: {
        code: 1010,
        message:
          'The field contactPoints[0] must be an object. The field relatedValues[0] must be an object. ' +
          `The field ${at('delivery')} must be an object.`,
      },
    },
    {
      name: 'customers 2: refuses a list and groups of a wrong type once each',
      ...post(bodyOf('X', { contactPoints: 'x', invoice: 1, payment: [] })),
      status: 400,
      json: {
        code: 1010,
        message:
          'The field contactPoints must be an array. The field invoice must be an object. The field payment must be an object.',
      },
    },
    {
      name: 'decision 1: answers findings of both kinds together with 422, each in its place, the record as it was sent',
      ...post(
        bodyOf('X', {
          customerName: 'n'.repeat(256),
          aliasName: {},
          payment: { payMethod: 'XX', bankAccount: 'b'.repeat(36) },
          contactPoints: [{ contactPointType: '2', address: { postcode: 'p'.repeat(16) } }],
        }),
      ),
      status: 422,
      includes: { customerId: 'X', payment: { payMethod: 'XX' }, contactPoints: [{ contactPointType: '2' }] },
      findings: {
        aliasName: [1010, 'The field aliasName must be a string.'],
        customerName: tooLong('customerName', 255),
        'payment.payMethod': [3010, 'Illegal value.'],
        'payment.bankAccount': tooLong('bankAccount', 35),
        'contactPoints.0.address.postcode': tooLong('postcode', 15),
        contactPoints: NO_GENERAL,
      },
    },
    { name: 'customers 2: refuses malformed JSON with 400', ...post('{"customerId":'), status: 400, code: 1010 },
    { name: 'customers 2: refuses a body that is no object with 400', ...post([]), status: 400, code: 1010 },
    { name: 'customers 2: refuses an empty body with 400', ...post(''), status: 400, code: 1010 },
    {
      name: 'decision 1: refuses two companies that differ in query and body with 400, code 1010',
      ...post(bodyOf('X', { companyId: 'EN' }), { url: `${usual}?companyId=NU` }),
      status: 400,
      code: 1010,
    },
    {
      name: 'customers 2: refuses a company that keeps no customers with 422, code 3010',
      ...post(bodyOf('X', { companyId: 'NC' })),
      status: 422,
      code: 3010,
    },
    ...guarded('customers 2', { method: 'POST', url: usual, body: bodyOf('X') }),
    {
      name: 'customers 2: refuses a caller who may only read',
      as: 'reader',
      ...post(bodyOf('X')),
      status: 403,
      code: 2030,
    },
  ]
}
