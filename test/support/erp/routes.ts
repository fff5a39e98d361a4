// Which part of the ERP answers which path.
import type { Authentication, ErpClient } from './authentication.ts'
import type { Company } from './company.ts'
import { answerDocuments, answerRevisions } from './documents.ts'
import type { Kind } from './kind.ts'
import { type ErpAnswer, type ErpRequest, jsonAnswer } from './message.ts'
import { answerObjects, described, type ObjectHabits } from './objects.ts'
import { type Options, optionsOf } from './query.ts'
import { answerCustomers, answerRelations, answerValues, type Writer } from './records.ts'
import { coded, notAuthorised } from './refusal.ts'
import { descriptionOf, listOf } from './schema.ts'

export interface Routed {
  readonly kinds: ReadonlyMap<string, Kind>
  readonly companies: ReadonlyMap<string, Company>
  readonly authentication: Authentication
  readonly basePath: string
  readonly tokenPath: string
  /** Whether there is a description of the API, and a list of documents. */
  readonly isDescribed: boolean
  /** The most rows that a collection answers before it fails. */
  readonly habits: () => ObjectHabits
  /** The time as the ERP's clock has it. */
  readonly now: () => number
}

/** Where single records are, with the document that shows them all. */
const SINGLES: Readonly<Record<string, string>> = {
  'attribute-relations': 'attribute-relations',
  'attribute-values': 'attribute-values',
  customers: 'customers',
  documents: 'document-archive',
  'document-revisions': 'document-archive',
}

interface Place {
  readonly path: readonly string[]
  readonly options: Options
}

export function answerRoute(request: ErpRequest, erp: Routed): ErpAnswer {
  const url = new URL(request.target, 'http://erp')
  if (url.pathname === erp.basePath + erp.tokenPath) return erp.authentication.token(request)
  const client = erp.authentication.clientOf(request)
  const unknown = () => coded(404, 1030, `No resource matches the URI '${url.pathname}'.`)
  if (!url.pathname.startsWith(`${erp.basePath}/`)) throw unknown()
  const path = url.pathname
    .slice(erp.basePath.length + 1)
    .replace(/\/$/, '')
    .split('/')
    .map(decodeURIComponent)
  const kinds = [...erp.kinds.values()].map((kind) => described(kind, erp.habits()))
  const whole = path.join('/')
  if (erp.isDescribed && whole === 'openapi.json') return jsonAnswer(200, descriptionOf(kinds, erp.habits().schema))
  if (erp.isDescribed && whole === 'v1/objects') return jsonAnswer(200, listOf(kinds))
  const place = { path, options: optionsOf(url.searchParams) }
  const answer =
    path[1] === 'objects' ? answerObject(request, place, client, erp) : answerSingle(request, place, client, erp)
  if (!answer) throw unknown()
  return answer
}

function answerObject(
  request: ErpRequest,
  { path, options }: Place,
  client: ErpClient,
  erp: Routed,
): ErpAnswer | undefined {
  const [number, , name = '', ...more] = path
  const kind = erp.kinds.get(name)
  const version = Number(/^v(\d{1,3})$/.exec(number!)?.[1])
  if (!kind?.versions.includes(version) || more.length > 0) return undefined
  const company = companyOf(options, client, erp, notAuthorised())
  return answerObjects(request, { kind, version, company, client, options, habits: erp.habits() })
}

function answerSingle(
  request: ErpRequest,
  { path, options }: Place,
  client: ErpClient,
  erp: Routed,
): ErpAnswer | undefined {
  const [version, name = '', ...key] = path
  const kind = SINGLES[name]
  if (version !== 'v1' || kind === undefined) return undefined
  const refusal = notAuthorised(name === 'customers' ? 'authorized' : undefined)
  if (client.hidden.has(kind)) throw refusal
  const isPatch = request.method === 'PATCH' && name !== 'customers'
  const company = companyOf(options, client, erp, isPatch ? coded(422, 1010, 'Unknown companyId.') : refusal)
  const writer: Writer = { company, at: erp.now(), by: client.id }
  if (name === 'attribute-values') {
    const isCollection = key.length === 1 && ['GET', 'HEAD'].includes(request.method)
    if (isCollection) return valuesOf(request, key[0]!, options, company, client, erp)
    return answerValues(request, key, writer)
  }
  if (name === 'attribute-relations') return answerRelations(request, key, writer)
  if (name === 'customers') return answerCustomers(request, key, writer)
  if (name === 'documents') return answerDocuments(request, key, options, writer)
  return answerRevisions(request, key, options, writer)
}

/** The values of one attribute: base data alone, whatever the object endpoint answers. */
function valuesOf(request: ErpRequest, id: string, options: Options, company: Company, client: ErpClient, erp: Routed) {
  const attributes = company.table('attributes')
  if (!attributes.find([attributes.collated(id)])) {
    throw coded(
      404,
      1040,
      request.method === 'HEAD' ? `${id} is not a valid attribute` : `Attribute with id ${id} is not found`,
    )
  }
  const kind = erp.kinds.get('attribute-values')!
  const given = options.get('filter')
  const filter = `attributeId eq '${id.replaceAll("'", "''")}'${given ? ` and (${given})` : ''}`
  return answerObjects(request, {
    kind,
    version: 1,
    company,
    client,
    options: new Map([...options, ['filter', filter]]),
    habits: { ...erp.habits(), hasLists: false },
  })
}

function companyOf(options: Options, client: ErpClient, erp: Routed, refusal: Error): Company {
  const asked = options.get('companyid') || client.companies[0]!
  const company = [...erp.companies.values()].find(({ id }) => id.toLowerCase() === asked.toLowerCase())
  if (!company || !client.companies.includes(company.id)) throw refusal
  return company
}
