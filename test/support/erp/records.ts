// The paths of single attribute values, relations and customers.
import type { Company } from './company.ts'
import { RELATIONS } from './company.ts'
import type { Row, Value } from './kind.ts'
import { type ErpAnswer, type ErpRequest, emptyAnswer, jsonAnswer } from './message.ts'
import { camelCased, type Operation, operationsOf, parseJson, patched } from './patch.ts'
import { atField, coded, notFound } from './refusal.ts'
import { ATTRIBUTES, attributeName, relationRow } from './rows/attribute-values.ts'
import { rowOfCustomer, singleCustomer, singleValue, sorted } from './single.ts'

/** Who writes into which company, and when it is there. */
export interface Writer {
  readonly company: Company
  readonly at: number
  readonly by: string
}

/** What differs between the kinds of single records. */
interface Resource {
  readonly kind: string
  readonly view: (row: Row) => Row
  readonly rowOf: (record: Row) => Row
  /** What the key's parts are called where they are not found. */
  readonly keyNames: readonly string[]
  readonly patchStatus: number
  readonly readOnly: RegExp
  readonly required: readonly string[]
  readonly close: (row: Row) => Row
}

const VALUES: Resource = {
  kind: 'attribute-values',
  view: singleValue,
  rowOf: ({ periodFrom, periodTo, status, ...row }) => {
    const [from, to] = [String(periodFrom ?? 0), String(periodTo ?? 209_912)]
    const id = String(row.attributeId)
    return { ...row, attributeName: attributeName(id), periodFrom: from, periodTo: to, status: status ?? 'N' }
  },
  keyNames: ['Attribute ID', 'Attribute value', 'Period from'],
  patchStatus: 422,
  readOnly: /^(attribute(id|name|value)|companyid|periodfrom|lastupdated)$/i,
  required: ['attributeId', 'attributeValue'],
  close: (row) => ({ ...row, status: 'C' }),
}

const CUSTOMERS: Resource = {
  kind: 'customers',
  view: singleCustomer,
  rowOf: rowOfCustomer,
  keyNames: ['Customer'],
  patchStatus: 400,
  readOnly: /^(customerid|companyid|lastupdated)$/i,
  required: ['customerId', 'customerName', 'customerGroupId', 'countryCode'],
  close: (row) => ({ ...row, payment: { ...(row.payment as Row), status: 'C' } }),
}

export function answerValues(request: ErpRequest, path: readonly string[], writer: Writer): ErpAnswer {
  if (request.method === 'POST' && path.length === 0) {
    const sent = bodyOf(request)
    const id = String(sent.attributeId ?? '')
    checkRequired(sent, VALUES)
    const attribute = ATTRIBUTES.find((known) => known.id === id)
    if (!attribute) throw atField(422, sent, 'attributeId', 3010, `${id} is not a valid attribute`)
    if (!attribute.isManual) throw notManual(422, attribute.name)
    return created(sent, VALUES, writer, (value) =>
      coded(409, 3090, `${value.attributeValue}: already exists. Please enter a unique value`),
    )
  }
  const [attributeId = ''] = path
  if (path.length !== 3) throw coded(404, 1030, 'No resource matches the URI.')
  const attribute = ATTRIBUTES.find(({ id }) => id === attributeId)
  if (!attribute) throw coded(404, 1040, `${attributeId} is not a valid attribute`)
  if (request.method === 'DELETE' && !attribute.isManual) throw notManual(400, attribute.name)
  if (request.method === 'PATCH' && !attribute.isManual) throw notManual(422, attribute.name)
  return answerOne(request, path, VALUES, writer)
}

const notManual = (status: number, name: string) =>
  coded(status, 3010, `Attribute ${name} does not allow manual maintenance`)

export function answerCustomers(request: ErpRequest, path: readonly string[], writer: Writer): ErpAnswer {
  if (path.length === 0) {
    if (request.method !== 'POST') throw coded(405, 1030, 'The method is not allowed.', { Allow: 'POST' })
    const sent = bodyOf(request)
    checkRequired(sent, CUSTOMERS)
    const points = Array.isArray(sent.contactPoints) ? (sent.contactPoints as Row[]) : []
    if (!points.some(({ contactPointType }) => contactPointType === '1')) {
      throw atField(400, sent, 'contactPoints', 3010, 'A contact point of the General type is required.')
    }
    return created(sent, CUSTOMERS, writer, () =>
      atField(400, sent, 'customerId', 3010, 'The data was changed or deleted by another user.'),
    )
  }
  if (path.length > 1) throw coded(404, 1030, 'No resource matches the URI.')
  return answerOne(request, path, CUSTOMERS, writer)
}

function created(sent: Row, resource: Resource, writer: Writer, exists: (row: Row) => Error): ErpAnswer {
  const table = writer.company.table(resource.kind)
  const row = resource.rowOf(sent)
  if (table.find(table.keyIn(row))) throw exists(row)
  keepRelations(writer.company, attributeOf(resource, row), [], sent.relatedValues)
  return jsonAnswer(201, store(row, resource, writer))
}

function answerOne(request: ErpRequest, path: readonly string[], resource: Resource, writer: Writer): ErpAnswer {
  const { company } = writer
  const table = company.table(resource.kind)
  const key = Object.fromEntries(table.kind.key.map((name, at) => [name, path[at]!]))
  const named = Object.fromEntries(resource.keyNames.map((name, at) => [name, path[at]]))
  const row = table.find(table.keyIn(key))
  if (!row) throw notFound({ Company: company.id, ...named })
  const whole = company.withRelations(resource.kind, row)
  if (request.method === 'GET') return jsonAnswer(200, resource.view(whole))
  if (request.method === 'DELETE') {
    store(resource.close(row), resource, writer)
    return emptyAnswer(200)
  }
  if (request.method !== 'PATCH') throw coded(405, 1030, 'The method is not allowed.', { Allow: 'GET, PATCH, DELETE' })
  const operations = operationsOf(request.body, resource.patchStatus)
  refuseReadOnly(operations, resource)
  const before = resource.view(whole)
  const after = patched(before, operations, resource.patchStatus)
  keepRelations(company, attributeOf(resource, row), before.relatedValues, after.relatedValues)
  return jsonAnswer(200, store(resource.rowOf(after), resource, writer))
}

function store(row: Row, resource: Resource, { company, at, by }: Writer): Row {
  const stored = company.write(resource.kind, row, { at, by })
  return resource.view(company.withRelations(resource.kind, stored))
}

const attributeOf = ({ kind }: Resource, row: Row): [id: string, value: string] =>
  kind === 'customers' ? ['A4', String(row.customerId)] : [String(row.attributeId), String(row.attributeValue)]

function refuseReadOnly(operations: readonly Operation[], { readOnly, patchStatus }: Resource): void {
  for (const [index, { path, op }] of operations.entries()) {
    if (path.at(-1)?.toLowerCase() === 'contactpointtype' && op === 'replace') {
      throw coded(422, 3010, 'Updating key value ContactPointType is not supported')
    }
    if (!readOnly.test(path[0] ?? '')) continue
    throw coded(patchStatus, 4020, `PatchOperation index ${index}: Provided path /${path.join('/')} is invalid`)
  }
}

/** Related values are relations: those that are gone are removed, the others written. */
function keepRelations(
  company: Company,
  [id, value]: [string, string],
  before: Value | undefined,
  after: Value | undefined,
) {
  const table = company.table('attribute-relations')
  const rowOf = (related: Row): Row => {
    const link = Object.keys(RELATIONS).find(
      (name) => name.startsWith(`${id}/`) && RELATIONS[name]!.id === related.relationId,
    )
    if (!link) throw coded(422, 3010, `The relation ${related.relationId} does not exist.`)
    const relatedAttributeId = link.split('/')[1]!
    const key = {
      attributeId: id,
      attributeValue: value,
      relatedAttributeId,
      relationValue: String(related.relatedValue),
    }
    const { percentage, dateFrom, dateTo } = related
    const given = Object.fromEntries(
      Object.entries({ percentage, dateFrom, dateTo }).filter(([, of]) => of !== undefined),
    )
    return { ...relationRow(company.id, key, table.kind.zone), ...given } as Row
  }
  const rows = ((after ?? []) as Row[]).map(rowOf)
  for (const related of (before ?? []) as Row[]) table.remove(table.keyIn(rowOf(related)))
  for (const row of rows) company.write('attribute-relations', row, { at: 0, by: '' })
}

const RELATION_KEY = ['Attribute ID', 'Attribute value', 'Related attribute ID', 'Relation value']

export function answerRelations(request: ErpRequest, path: readonly string[], { company }: Writer): ErpAnswer {
  const table = company.table('attribute-relations')
  const write = (row: Row) =>
    jsonAnswer(request.method === 'POST' ? 201 : 200, company.write(table.kind.name, row, { at: 0, by: '' }))
  if (request.method === 'POST' && path.length === 0) {
    const sent = bodyOf(request)
    for (const name of table.kind.key) if (!sent[name]) throw required(sent, name)
    const { attributeId, attributeValue, relatedAttributeId, relationValue } = sent as Record<string, string>
    if (!ATTRIBUTES.some(({ id }) => id === attributeId)) {
      throw coded(
        422,
        1040,
        'The entity of the following parameters [Company, Attribute ID, Attribute value] was not found.',
      )
    }
    if (!RELATIONS[`${attributeId}/${relatedAttributeId}`]) {
      throw atField(422, sent, 'relatedAttributeId', 3010, 'Illegal value entered')
    }
    const key = {
      attributeId: attributeId!,
      attributeValue: attributeValue!,
      relatedAttributeId: relatedAttributeId!,
      relationValue: relationValue!,
    }
    if (table.find(table.keyIn(key))) {
      const words = `${attributeName(key.attributeId)} : ${attributeValue} is already connected to ${attributeName(key.relatedAttributeId)} : ${relationValue} on client ${company.id}. Duplicates or overlaps are not allowed.`
      throw coded(422, 3010, words)
    }
    return write({ ...relationRow(company.id, key, table.kind.zone), ...sent })
  }
  if (path.length !== 4) throw coded(404, 1030, 'No resource matches the URI.')
  const key = table.keyIn(Object.fromEntries(table.kind.key.map((name, at) => [name, path[at]!])))
  const row = table.find(key)
  if (!row)
    throw notFound({ Company: company.id, ...Object.fromEntries(RELATION_KEY.map((name, at) => [name, path[at]])) })
  if (request.method === 'GET') return jsonAnswer(200, row)
  if (request.method === 'DELETE') {
    table.remove(key)
    return emptyAnswer(200)
  }
  if (request.method !== 'PATCH') throw coded(405, 1030, 'The method is not allowed.', { Allow: 'GET, PATCH, DELETE' })
  const operations = operationsOf(request.body, 422)
  for (const [index, { op, path: to }] of operations.entries()) {
    if (op === 'replace' && to.length === 1 && /^(percentage|dateto|relationvalue)$/i.test(to[0]!)) continue
    throw coded(422, 4020, `PatchOperation index ${index}: Provided path /${to.join('/')} is invalid`)
  }
  table.remove(key)
  return write(patched(row, operations, 422))
}

/** The object that was sent, under the documented names: `CustomerName` is customerName. */
export function bodyOf(request: ErpRequest): Row {
  const sent = parseJson(request.body)
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent))
    throw coded(400, 1010, 'An object was expected.')
  return sorted(camelCased(sent as Row) as Row)
}

function checkRequired(sent: Row, resource: Resource): void {
  for (const name of resource.required) if (sent[name] === undefined || sent[name] === '') throw required(sent, name)
}

export function required(sent: Row, name: string, status = 422) {
  const field = name.charAt(0).toUpperCase() + name.slice(1)
  return atField(status, sent, name, 1010, `The ${field} field is required.`)
}
