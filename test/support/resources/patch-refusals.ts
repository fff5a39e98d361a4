// Patches that are refused: specification, customers 3; decisions 1, 2 and 5.
import type { Scenario } from '../scenario.ts'
import { limitOf } from '../text-limits.ts'
import {
  add,
  customAt,
  customCode,
  customPath,
  denied,
  GENERAL,
  notFound,
  patchOf,
  recordsOf,
  remove,
  replace,
} from './records.ts'
import { type Resource, unless } from './resource.ts'

const ILLEGAL = [3010, 'Illegal value.'] as const
const tooLong = (field: string, most: number) =>
  [1010, `The field ${field} must be a string or array type with a maximum length of ${most}.`] as const
const required = (field: string) => [1010, `The ${field} field is required.`] as const

/** Patches that are refused and change nothing. */
export function refusedPatches(resource: Resource): Scenario[] {
  const patch = patchOf(resource)
  const { urlOf, guarded } = recordsOf(resource)
  const at = (path: string) => customPath(resource, path)
  const position = (place: string) => customAt(resource, place)
  const code = customCode(resource)
  return [
    ...(
      [
        ['/nope'],
        ['/customerId'],
        ['/companyId'],
        ['/lastUpdated'],
        ['/lastUpdated/updatedBy'],
        ['/invoice/nope'],
        [at('nope/field')],
        [at('delivery/nope')],
        ['/contactPoints/x/address'],
      ] as const
    ).map(
      ([path]): Scenario => ({
        name: `customers 3: refuses the path ${path} with 400, code 4020`,
        ...patch([replace(path, 'x')]),
        status: 400,
        json: { code: 4020, message: `PatchOperation index 0: Provided path '${path}' is invalid` },
      }),
    ),
    ...['', '/', '/customerName/x', '/payment/status/x'].map(
      (path): Scenario => ({
        name: `customers 3: refuses the path '${path}', which names no member, with 400, code 4020`,
        ...patch([replace(path, 'x')]),
        status: 400,
        json: {
          code: 4020,
          message: `PatchOperation index 0: Path does not specify object member. Provided path '${path}' is invalid`,
        },
      }),
    ),
    ...(
      [
        [replace('/contactPoints/7/address/place', 'x'), 7],
        [remove('/contactPoints/2'), 2],
        [replace('/contactPoints/2', GENERAL), 2],
        [remove('/relatedValues/1'), 1],
        [replace('/relatedValues/5/percentage', 1), 5],
      ] as const
    ).map(
      ([operation, index]): Scenario => ({
        name: `customers 3: refuses the index of ${operation.op} ${operation.path}, out of range, with 400, code 4023`,
        ...patch([operation]),
        status: 400,
        json: { code: 4023, message: `Provided index (${index}) is out of range` },
      }),
    ),
    ...(
      [
        ['/invoice/creditLimit', 'much', 'number'],
        ['/invoice/hasFixedCurrency', 'perhaps', 'boolean'],
        ['/payment/expiryDate', '2026-02-30', 'date-time'],
        ['/contactPoints/0/sortOrder', '1.5', 'integer'],
        [at('delivery/stops'), 'many', 'integer'],
        [at('rating/auditedAt'), 'soon', 'date-time'],
        ['/invoice', 'x', 'object'],
        ['/contactPoints', 'x', 'array'],
        ['/externalReference', true, resource.differs.textOrNumber === undefined ? 'string or number' : 'string'],
      ] as const
    ).map(
      ([path, value, type]): Scenario => ({
        name: `decision 5: refuses ${value} for ${path} with 400, code 4030`,
        ...patch([replace(path, value)]),
        status: 400,
        json: {
          code: 4030,
          message: `PatchOperation index 0: The value '${value}' of path '${path}' cannot be converted to ${type}`,
        },
      }),
    ),
    {
      name: 'decision 2: refuses an unsupported operation with 400, code 4020',
      ...patch([{ op: 'move', path: '/aliasName', value: 'x' }]),
      status: 400,
      code: 4020,
    },
    {
      name: 'decision 2: refuses an operation without op, one without path and one without value, all in one answer',
      ...patch([
        { path: '/aliasName', value: 'x' },
        { op: 'replace', value: 'x' },
        { op: 'add', path: '/aliasName' },
      ]),
      status: 400,
      code: 4020,
    },
    { name: 'customers 3: refuses malformed JSON with 400', ...patch('[{"op":'), status: 400, code: 1010 },
    {
      name: 'customers 3: refuses a body that is no array with 400',
      ...patch({ op: 'replace' }),
      status: 400,
      code: 1010,
    },
    {
      name: 'decision 2: refuses to change the type of a contact point, which is its key',
      ...patch([replace('/contactPoints/0/contactPointType', '2')]),
      status: 400,
      json: { code: 3010, message: 'Updating key value ContactPointType is not supported' },
    },
    ...(
      [
        ['/countryCode', 'countryCode'],
        ['/customerGroupId', 'customerGroupId'],
        ['/invoice/currencyCode', 'invoice.currencyCode'],
        ['/invoice/languageCode', 'invoice.languageCode'],
        ['/invoice/paymentTermsId', 'invoice.paymentTermsId'],
        ['/payment/payMethod', 'payment.payMethod'],
        ['/payment/debtCollectionCode', 'payment.debtCollectionCode'],
        ['/payment/status', 'payment.status'],
        ['/contactPoints/1/address/countryCode', 'contactPoints.1.address.countryCode'],
        [at('delivery/zone'), position('delivery.zone')],
        [at('delivery/agent'), position('delivery.agent')],
      ] as const
    ).map(
      ([path, place]): Scenario => ({
        name: `customers 3: refuses an illegal value for ${path} with 422, code 3010`,
        ...patch([replace(path, 'XX')]),
        status: 422,
        findings: { [place]: ILLEGAL },
      }),
    ),
    {
      name: 'customers 3: refuses to remove what is required with 422, every one of it',
      ...patch([
        remove('/customerName'),
        replace('/customerGroupId', ''),
        replace('/countryCode', null),
        remove(at('rating')),
        remove(at('delivery/route')),
      ]),
      status: 422,
      findings: {
        customerName: required('CustomerName'),
        customerGroupId: required('CustomerGroupId'),
        countryCode: required('CountryCode'),
        [position('delivery.route')]: [code, 'The Route field is required.'],
        [position('rating.score')]: [code, 'The Score field is required.'],
        [position('rating.auditedAt')]: [code, 'The AuditedAt field is required.'],
      },
    },
    {
      name: 'customers 3: refuses custom fields out of their range or too long with 422, code 3010, in their group',
      ...patch([
        replace(at('delivery/stops'), 10),
        replace(at('rating/score'), 0.5),
        replace(at('notes/text'), 'x'.repeat(21)),
      ]),
      status: 422,
      findings: {
        [position('delivery.stops')]: [3010, 'The field Stops must be at least 1 and at most 9.'],
        [position('rating.score')]: [3010, 'The field Score must be at least 1 and at most 10.'],
        [position('notes.text')]: [code, 'The field Text must be a string or array type with a maximum length of 20.'],
      },
    },
    {
      name: 'customers 3: refuses texts that are too long with 400, code 1010, each in its place',
      ...patch([
        replace('/customerName', 'x'.repeat(limitOf('customerName') + 1)),
        replace('/payment/bankAccount', 'x'.repeat(limitOf('bankAccount') + 1)),
        replace('/contactPoints/1/address/postcode', 'x'.repeat(limitOf('postcode') + 1)),
        replace('/externalReference', 'x'.repeat(limitOf('externalReference') + 1)),
      ]),
      status: 400,
      findings: {
        customerName: tooLong('CustomerName', 255),
        'payment.bankAccount': tooLong('BankAccount', 35),
        'contactPoints.1.address.postcode': tooLong('Postcode', 15),
        externalReference: tooLong('ExternalReference', 100),
      },
    },
    ...(
      [
        ['removing it', [remove('/contactPoints/1')]],
        ['removing all', [remove('/contactPoints')]],
        ['replacing all', [replace('/contactPoints', [{ contactPointType: '2' }])]],
      ] as const
    ).map(
      ([how, operations]): Scenario => ({
        name: `decision 5: refuses to lose the last General contact point by ${how} with 422, code 3010`,
        ...patch(operations),
        status: 422,
        findings: { contactPoints: [3010, 'A contact point of the General type is required.'] },
      }),
    ),
    ...unless(resource, 'mandatoryRelations', {
      name: 'decision 2: refuses to remove a mandatory relation with 422, code 3010',
      ...patch([remove('/relatedValues/0')]),
      status: 422,
      findings: { relatedValues: [3010, 'The relation Legal entity is mandatory'] },
    }),
    {
      name: 'decision 2: refuses a relation that exists, an illegal related value and a relation without its id',
      ...patch([
        add('/relatedValues/-', { relationId: 'LEGALID', relatedValue: 'NO1' }),
        add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'Q' }),
        add('/relatedValues/-', { relatedValue: 'N' }),
      ]),
      status: 422,
      findings: {
        'relatedValues.1.relatedValue': [
          3010,
          'CUSTOMER : PATCH is already connected to LEGALENTITY: NO1 on client EN. Duplicates or overlaps are not allowed',
        ],
        'relatedValues.2.relatedValue': [3010, 'Q is not a legal REGION'],
        'relatedValues.3.relationId': [1010, 'The RelationId field is required.'],
      },
    },
    {
      name: 'decision 2: refuses a percentage above 100 and an end before the start',
      ...patch([
        add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'N', percentage: 101 }),
        add('/relatedValues/-', {
          relationId: 'REGION',
          relatedValue: 'S',
          dateFrom: '2026-02-01',
          dateTo: '2026-01-01',
        }),
      ]),
      status: 422,
      findings: {
        'relatedValues.1.percentage': [3010, 'The field Percentage must be between 0 and 100'],
        'relatedValues.2.dateTo': [3010, 'The field DateTo must not be before DateFrom'],
      },
    },
    {
      name: 'decision 2: changes nothing when one operation of several fails, and tells of every one that does',
      ...patch([replace('/aliasName', 'half'), replace('/nope', 1), replace('/invoice/creditLimit', 'x')]),
      status: 400,
      json: {
        code: 4020,
        message:
          "PatchOperation index 1: Provided path '/nope' is invalid; " +
          "PatchOperation index 2: The value 'x' of path '/invoice/creditLimit' cannot be converted to number",
      },
    },
    {
      name: 'decision 2: changes nothing when one value of several is illegal',
      ...patch([
        replace('/aliasName', 'half'),
        replace('/countryCode', 'XX'),
        replace('/relatedValues/0/unitValue', 9),
      ]),
      status: 422,
      findings: { countryCode: ILLEGAL },
    },
    {
      name: 'customers 3: refuses an unknown customer with 404, code 1040',
      ...patch([replace('/aliasName', 'x')], { url: urlOf('NOBODY') }),
      status: 404,
      json: notFound(resource, 'EN', 'NOBODY'),
    },
    ...guarded('customers 3', patch([replace('/aliasName', 'x')])),
    {
      name: 'customers 3: refuses a caller who may only read with 403',
      as: 'reader',
      ...patch([replace('/aliasName', 'x')]),
      status: 403,
      json: denied(resource),
    },
  ]
}
