// What a client may read of a source, as a setup of a company that mirrors it. What cannot be read is told by name.

import type { JsonObject } from '../../base/strict-json.ts'
import { LEDGER } from '../../objects/general-ledger-transactions.ts'
import type { DocumentSetup } from '../../setup/file/document-schema.ts'
import type {
  AttributeSetup,
  CompanySetup,
  CustomersSetup,
  DocumentTypeSetup,
  RelationSetup,
} from '../../setup/file/setup-schema.ts'
import { ARCHIVE } from '../mirrored-documents.ts'
import { type ErpSource, SourceFailure } from '../source/source.ts'
import { collectionOf, readRows, wholeDocument } from '../source/source-pages.ts'
import { declaredDocument } from './declared-document.ts'
import { discoverRelations } from './discover-relations.ts'
import { documentTypes } from './document-types.ts'
import { type FoundSchema, schemaIn } from './found-schema.ts'

export interface Discovered {
  readonly company: Omit<CompanySetup, 'source'>
  readonly documents: readonly DocumentSetup[]
  /** Documents that are filled, those of the service too. */
  readonly mirrored: readonly string[]
  /** What is left out, for people. */
  readonly left: readonly string[]
}

interface Named {
  readonly name: string
  readonly version: number
  /** The source has told the version. */
  readonly isCertain?: boolean
}

/** Kept by the service itself, or made of the setup. */
const OF_SERVICE: ReadonlySet<string> = new Set(['attributes', 'audit-entries', 'companies', 'value-list'])
/** Documents whose records the service has places for. */
const BUILT_IN: readonly string[] = ['attribute-values', 'attribute-relations', 'customers']
const USUAL: readonly Named[] = [...OF_SERVICE, ...BUILT_IN, LEDGER, ARCHIVE].map((name) => ({
  name,
  version: 1,
}))
/** Members that the source does not describe are as these rows have them: the digits of numbers differ between rows. */
const SAMPLE_ROWS = 1_000
/** Value lists and attributes: more rows than any company has. */
const SETUP_ROWS = 20_000

/** `wanted`: the names of documents; undefined: all that the source has. */
export async function discover(source: ErpSource, wanted: readonly string[] | undefined): Promise<Discovered> {
  const left: string[] = []
  const told = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      // Without an answer, or without rights at all, there is nothing to discover.
      if (!(error instanceof SourceFailure) || error.status === 0 || error.status === 401) throw error
      left.push(`${name}: ${error.message}`)
      return undefined
    }
  }
  const rowsOf = (name: string) => told(name, () => allRows(source, name))
  const names = await documentNames(source, wanted)
  const companies = (await rowsOf('companies')) ?? []
  const attributes = attributesIn((await rowsOf('attributes')) ?? [])
  const valueLists = valueListsIn((await rowsOf('value-list')) ?? [])
  const codes = { attributes: new Set(attributes.map(({ id }) => id)), valueLists: new Set(Object.keys(valueLists)) }
  const documents: DocumentSetup[] = []
  const mirrored: string[] = []
  let customers: CustomersSetup | undefined
  let types: readonly DocumentTypeSetup[] = []
  for (const listed of names.filter(({ name }) => !OF_SERVICE.has(name))) {
    const { name } = listed
    const named = listed.isCertain ? listed : await newestVersion(source, listed)
    const found = await told(name, () => describe(source, named))
    if (!found) continue
    if (BUILT_IN.includes(name) || name === ARCHIVE) {
      if (name === 'customers') customers = customersIn(found.schema, attributes)
      if (name === ARCHIVE)
        types = (await told('document-types', () => documentTypes(source, found, codes.attributes))) ?? []
      mirrored.push(name)
      continue
    }
    const { document, left: out } = declaredDocument(named, found.schema, found.rows, codes)
    left.push(...out.map((text) => `${name}: ${text}`))
    if (!document) continue
    documents.push(name === LEDGER ? withState(document) : document)
    mirrored.push(name)
  }
  const withCustomers = customers ? [...attributes, ...missing(attributes, customers.attributeId)] : attributes
  const relations = mirrored.includes('attribute-relations')
    ? ((await told('attribute-relations', () => discoverRelations(source, withCustomers, customers?.attributeId))) ??
      [])
    : []
  return {
    company: companyOf(source, companies, { attributes: withCustomers, relations, types, valueLists, customers }),
    documents,
    mirrored,
    left,
  }
}

/** Requests name the states of lines, whether or not the source shows them. */
function withState(ledger: DocumentSetup): DocumentSetup {
  return { ...ledger, properties: { ...ledger.properties, state: ledger.properties.state ?? { type: 'string' } } }
}

interface Parts {
  readonly attributes: readonly AttributeSetup[]
  readonly relations: readonly RelationSetup[]
  readonly types: readonly DocumentTypeSetup[]
  readonly valueLists: NonNullable<CompanySetup['valueLists']>
  readonly customers: CustomersSetup | undefined
}

function companyOf(source: ErpSource, companies: readonly JsonObject[], parts: Parts): Omit<CompanySetup, 'source'> {
  const { companyId } = source.rules
  const found = companies.find((row) => row.companyId === companyId)
  const { attributes, relations, types, valueLists, customers } = parts
  return {
    id: companyId,
    name: text(found?.companyName) || companyId,
    ...(found?.language ? { language: text(found.language) } : {}),
    ...(customers ? { customers } : {}),
    ...(attributes.length > 0 ? { attributes: [...attributes] } : {}),
    ...(relations.length > 0 ? { relations: [...relations] } : {}),
    ...(types.length > 0 ? { documentTypes: [...types] } : {}),
    ...(Object.keys(valueLists).length > 0 ? { valueLists } : {}),
  }
}

/** The names that the source tells; the usual ones where it tells none. The newest version of each that answers. */
async function documentNames(source: ErpSource, wanted: readonly string[] | undefined): Promise<Named[]> {
  const told =
    (await listed(source, '/v1/objects', namesInList)) ?? (await listed(source, '/openapi.json', namesInPaths))
  const known = told && told.length > 0 ? told : USUAL
  const asked = wanted?.map((name) => known.find((one) => one.name === name) ?? { name, version: 1 })
  const newest = new Map<string, Named>()
  for (const one of asked ?? known) {
    if ((newest.get(one.name)?.version ?? 0) < one.version) newest.set(one.name, one)
  }
  return [...newest.values()].sort((one, other) => placeOf(one.name) - placeOf(other.name))
}

/** Values come before what names them. */
function placeOf(name: string): number {
  const at = BUILT_IN.indexOf(name)
  return at < 0 ? BUILT_IN.length : at
}

async function listed(
  source: ErpSource,
  path: string,
  namesIn: (text: string) => Named[],
): Promise<Named[] | undefined> {
  try {
    const { text: body } = await source.read(source.pathOf(path), { headers: { accept: 'application/json' } })
    return namesIn(body)
  } catch (error) {
    if (error instanceof SourceFailure && error.status !== 0 && error.status !== 401) return undefined
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function namesInList(body: string): Named[] {
  const rows = JSON.parse(body) as readonly { readonly name?: unknown; readonly version?: unknown }[]
  if (!Array.isArray(rows)) return []
  return rows.flatMap(({ name, version = 1 }) =>
    typeof name === 'string' && Number.isInteger(Number(version))
      ? [{ name, version: Number(version), isCertain: true }]
      : [],
  )
}

function namesInPaths(body: string): Named[] {
  const { paths = {} } = JSON.parse(body) as { readonly paths?: object }
  return Object.keys(paths).flatMap((path) => {
    const found = /\/v(\d+)\/objects\/([a-z][a-z0-9-]*)$/.exec(path)
    return found ? [{ name: found[2] ?? '', version: Number(found[1]), isCertain: true }] : []
  })
}

const NEWEST_VERSION = 20

/** The newest version that answers, one after the other. */
async function newestVersion(source: ErpSource, { name, version }: Named): Promise<Named> {
  for (let newest = version; newest < NEWEST_VERSION; newest += 1) {
    const path = source.pathOf(collectionOf({ name, version: newest + 1 }), { limit: 1 })
    // A refusal of the parameters says that there is such a version too.
    const { status } = await source.send(path)
    if (status !== 200 && status !== 400) return { name, version: newest }
  }
  return { name, version: NEWEST_VERSION }
}

/** The schema of the document where the source has one, and some of its rows. */
async function describe(
  source: ErpSource,
  named: Named,
): Promise<{ schema: FoundSchema | undefined; rows: readonly JsonObject[] }> {
  const states = named.name === LEDGER ? { posted: true } : {}
  const path = source.pathOf(collectionOf(named), { ...states, limit: 1 })
  const { text: body } = await source.read(path, { headers: { accept: 'application/schema+json' } })
  const schema = schemaIn(body)
  const question = { state: Object.keys(states)[0], limit: SAMPLE_ROWS, isOrdered: false }
  return { schema, rows: await readRows(source, wholeDocument(named), question) }
}

async function allRows(source: ErpSource, name: string): Promise<readonly JsonObject[]> {
  return readRows(source, wholeDocument({ name, version: 1 }), { limit: SETUP_ROWS, isOrdered: false })
}

const MAX_NAME = 100

function attributesIn(rows: readonly JsonObject[]): AttributeSetup[] {
  const ids = new Set(rows.map(({ attributeId }) => text(attributeId)))
  const names = new Set<string>()
  return rows.flatMap((row): AttributeSetup[] => {
    const id = text(row.attributeId)
    if (id === '' || id.length > 25) return []
    const given = text(row.attributeName).slice(0, MAX_NAME) || id
    const name = names.has(given) ? id : given
    names.add(name)
    const owner = text(row.ownerAttributeId)
    const description = text(row.description).slice(0, 255)
    return [
      {
        id,
        name,
        ...(description === '' ? {} : { description }),
        ...(row.maintenance === 'system' ? { maintenance: 'system' as const } : {}),
        contactPoints: true,
        ...(owner !== '' && ids.has(owner) ? { owner: { attributeId: owner } } : {}),
      },
    ]
  })
}

function missing(attributes: readonly AttributeSetup[], id: string): AttributeSetup[] {
  return attributes.some((one) => one.id === id) ? [] : [{ id, name: 'CUSTOMER', maintenance: 'system' }]
}

/** The code is a text, or where there is none a number. */
function valueListsIn(rows: readonly JsonObject[]): NonNullable<CompanySetup['valueLists']> {
  const lists: Record<string, Record<string, Record<string, string>>> = {}
  for (const row of rows) {
    const [name, language] = [text(row.name), text(row.language) || 'EN']
    const code = text(row.description) || text(row.number)
    if (name === '' || name.length > 25 || code === '') continue
    lists[name] ??= {}
    lists[name][code] ??= {}
    lists[name][code][language] = text(row.title).slice(0, 255)
  }
  return lists
}

/** The attribute that customers are values of, and their custom fields. */
function customersIn(schema: FoundSchema | undefined, attributes: readonly AttributeSetup[]): CustomersSetup {
  const named = attributes.find(({ name }) => /^CUSTOMER$/i.test(name))?.id
  const attributeId = schema?.relation ?? named ?? 'A4'
  const fields = schema?.customFieldGroups ?? []
  return { attributeId, ...(fields.length > 0 ? { customFieldGroups: [...fields] } : {}) }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
