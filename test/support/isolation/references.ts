// Every member of a body that names another record, or a code that the setup of its company allows.
import type { Sent } from '../world.ts'
import { JASPER } from './companies.ts'
import { customerBody, documentBody, type Ids, pointOf, SHARED, valueBody } from './records.ts'

export interface Reference {
  readonly name: string
  /** A request whose reference names these ids. */
  sent(ids: Ids): Sent
  /** The parts of the ids that the reference uses, for distinguishing legal from illegal ones. */
  readonly parts: readonly (keyof Ids)[]
  /** The reference is ignored: the request is accepted, and the answer names it. */
  readonly isPassedOver?: boolean
}

const VALIDATE_ONLY = 'validateOnly=true'
const VALUE = `/v1/attribute-values/C1/TWIN/0?${VALIDATE_ONLY}`
const CUSTOMER = `/v1/customers/TWIN?${VALIDATE_ONLY}`
const DOCUMENT = `/v1/documents/${SHARED.document}?${VALIDATE_ONLY}`

type Fill = (ids: Ids) => Readonly<Record<string, unknown>>

/** A complete record with the reference in one member. */
function posted(name: string, url: string, base: object, part: keyof Ids, fill: Fill): Reference {
  return {
    name: `POST ${url} ${name}`,
    parts: [part],
    sent: (ids) => ({ method: 'POST', url: `${url}?${VALIDATE_ONLY}`, body: { ...base, ...fill(ids) } }),
  }
}

function patched(
  url: string,
  part: keyof Ids,
  path: string,
  valueFor: (ids: Ids) => unknown,
  op = 'replace',
): Reference {
  return {
    name: `PATCH ${url} ${op} ${path} ${part}`,
    parts: [part],
    sent: (ids) => ({ method: 'PATCH', url, body: [{ op, path, value: valueFor(ids) }] }),
  }
}

const value = valueBody(SHARED, 'REF1', JASPER)
const inValue = (part: keyof Ids, fill: Fill) => posted(part, '/v1/attribute-values', value, part, fill)
const related = (ids: Ids) => ({ relationId: 'REL1', relatedValue: ids.related })
const byRelation = (ids: Ids) => ({ relationId: ids.relation, relatedValue: 'IP' })

const relation = { attributeId: 'C1', attributeValue: 'SAME', relatedAttributeId: 'C2', relationValue: '200' }
const inRelation = (part: keyof Ids, fill: Fill) => posted(part, '/v1/attribute-relations', relation, part, fill)

const customer = customerBody(SHARED, 'REF1', JASPER)
const inCustomer = (part: keyof Ids, fill: Fill) => posted(part, '/v1/customers', customer, part, fill)

const note = documentBody(SHARED, JASPER)
const invoice = { ...note, docType: 'INVOICE' }
const indexes = (ids: Ids) => [{ sequenceNo: 1, indexValue: ids.value }]

export function referencesOf(ownDocument: string): Reference[] {
  const document = `/v1/documents/${ownDocument}?${VALIDATE_ONLY}`
  return [
    inValue('attribute', ({ attribute }) => ({
      attributeId: attribute,
      owner: '',
      relatedValues: [],
      contactPoints: [],
    })),
    inValue('related', ({ related: owner }) => ({ owner })),
    inValue('related', (ids) => ({ relatedValues: [related(ids)] })),
    inValue('relation', (ids) => ({ relatedValues: [byRelation(ids)] })),
    inValue('pointType', (ids) => ({ contactPoints: [pointOf(SHARED, 'x'), pointOf(ids, 'x')] })),
    patched(VALUE, 'related', '/owner', (ids) => ids.related),
    patched(VALUE, 'related', '/relatedValues/-', related, 'add'),
    patched(VALUE, 'relation', '/relatedValues/-', byRelation, 'add'),
    patched(VALUE, 'related', '/relatedValues/0/relatedValue', (ids) => ids.related),
    patched(VALUE, 'related', '/relatedValues', (ids) => [related(ids)]),
    patched(VALUE, 'pointType', '/contactPoints/-', (ids) => pointOf(ids, 'x'), 'add'),

    inRelation('value', (ids) => ({ attributeValue: ids.value, relationValue: '200' })),
    inRelation('related', (ids) => ({ relationValue: ids.related })),
    patched(
      `/v1/attribute-relations/C1/TWIN/C2/100?${VALIDATE_ONLY}`,
      'related',
      '/relationValue',
      (ids) => ids.related,
    ),

    inCustomer('group', ({ group }) => ({ customerGroupId: group })),
    inCustomer('country', ({ country }) => ({ countryCode: country })),
    inCustomer('currency', ({ currency }) => ({ invoice: { currencyCode: currency } })),
    inCustomer('payMethod', ({ payMethod }) => ({ payment: { payMethod } })),
    inCustomer('legal', ({ legal }) => ({ relatedValues: [{ relationId: 'LEGALID', relatedValue: legal }] })),
    inCustomer('pointType', (ids) => ({ contactPoints: [pointOf(SHARED, 'x'), pointOf(ids, 'x')] })),
    inCustomer('zone', ({ zone }) => ({ customFieldGroups: { delivery: { zone } } })),
    inCustomer('payMethod', ({ payMethod }) => ({ customFieldGroups: { delivery: { agent: payMethod } } })),
    patched(CUSTOMER, 'group', '/customerGroupId', ({ group }) => group),
    patched(CUSTOMER, 'country', '/countryCode', ({ country }) => country),
    patched(CUSTOMER, 'currency', '/invoice/currencyCode', ({ currency }) => currency),
    patched(CUSTOMER, 'payMethod', '/payment/payMethod', ({ payMethod }) => payMethod),
    patched(CUSTOMER, 'legal', '/relatedValues/0/relatedValue', ({ legal }) => legal),
    patched(CUSTOMER, 'pointType', '/contactPoints/-', (ids) => pointOf(ids, 'x'), 'add'),
    patched(CUSTOMER, 'zone', '/customFieldGroups/delivery/zone', ({ zone }) => zone),
    patched(CUSTOMER, 'payMethod', '/customFieldGroups/delivery/agent', ({ payMethod }) => payMethod),

    posted('docType', '/v1/documents', note, 'docType', ({ docType }) => ({ docType })),
    posted('indexes', '/v1/documents', invoice, 'value', (ids) => ({ indexes: indexes(ids) })),
    patched(document, 'value', '/indexes/0/indexValue', ({ value: one }) => one),
    patched(document, 'value', '/indexes', indexes),
    posted('id', '/v1/document-revisions', { ...note, comment: 'x' }, 'document', ({ document: id }) => ({ id })),
    // The service assigns the id itself and ignores a given one, whoever owns it.
    { ...posted('id', '/v1/documents', note, 'document', ({ document: id }) => ({ id })), isPassedOver: true },
    {
      ...posted(
        'revisionNo',
        '/v1/document-revisions',
        { ...note, comment: 'x', id: ownDocument },
        'revisionNo',
        ({ revisionNo }) => ({ revisionNo }),
      ),
      isPassedOver: true,
    },
    { ...inValue('relation', ({ relation: id }) => ({ relationId: id, attributeName: id })), isPassedOver: true },
  ]
}

/** Relations between attributes that only one company has: there is no legal one to compare with. */
export const UNRELATED: readonly Reference[] = [
  inRelation('attribute', ({ attribute }) => ({ attributeId: attribute, attributeValue: '1' })),
  inRelation('attribute', ({ attribute }) => ({ relatedAttributeId: attribute, relationValue: '1' })),
  inValue('relation', ({ relation: id }) => ({ relatedValues: [{ relationId: id, relatedValue: 'P-K' }] })),
  patched(VALUE, 'relation', '/relatedValues/0/relationId', ({ relation: id }) => id),
  patched(VALUE, 'pointType', '/contactPoints/0/contactPointType', ({ pointType }) => pointType),
  patched(DOCUMENT, 'docType', '/docType', ({ docType }) => docType),
  patched(DOCUMENT, 'document', '/id', ({ document }) => document),
]

/** Questions that go by what a record is related to. */
export const RELATED_QUERIES: readonly ((ids: Ids) => string)[] = [
  (ids) =>
    `/v1/objects/attribute-values?$filter=${encodeURIComponent(`relatedValues/any(x: x/relatedValue eq '${ids.related}')`)}`,
  (ids) =>
    `/v1/objects/attribute-values?$filter=${encodeURIComponent(`relatedValues/all(x: x/relationId ne '${ids.relation}')`)}`,
  (ids) =>
    `/v1/objects/customers?$filter=${encodeURIComponent(`contactPoints/any(x: x/contactPointType eq '${ids.pointType}')`)}`,
  (ids) =>
    `/v1/objects/document-archive?$filter=${encodeURIComponent(`indexes/any(x: x/indexValue eq '${ids.value}')`)}`,
  (ids) =>
    `/v1/objects/general-ledger-transactions?posted=true&$filter=${encodeURIComponent(`customer/customerId eq '${ids.customer}'`)}`,
  (ids) =>
    `/v1/objects/general-ledger-transactions?posted=true&$select=customer(customerName)&$filter=${encodeURIComponent(`customerId eq '${ids.customer}'`)}`,
  (ids) => `/v1/objects/value-list?$filter=${encodeURIComponent(`description eq '${ids.country}'`)}`,
  (ids) => `/v1/documents?doctype=${ids.docType}`,
  (ids) => `/v1/documents?indexes=${ids.value}`,
  (ids) => `/v1/documents?id=${ids.document}`,
]
