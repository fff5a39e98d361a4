// The types of documents that a source files: as it lists them, as values of an attribute that its description names,
// or else those of some of its documents.
import { isObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { literalOf } from '../../query/literals.ts'
import type { DocumentTypeSetup } from '../../setup/file/setup-schema.ts'
import { type ErpSource, SourceFailure } from '../source/source.ts'
import { readRows, wholeDocument } from '../source/source-pages.ts'
import { annotation, type FoundSchema } from './found-schema.ts'

const LIST = '/v1/document-types'
const MOST_TYPES = 1_000
const MOST_INDEX_NUMBER = 200
const MAX_ID = 25
const MAX_TEXT = 255
const MAX_NAME = 100
const MAX_MONTHS = 1_200

const VALUES = wholeDocument({ name: 'attribute-values', version: 1 })

/** `attributes`: the ids of those that the setup has. */
export async function documentTypes(
  source: ErpSource,
  { schema, rows }: { readonly schema: FoundSchema | undefined; readonly rows: readonly JsonObject[] },
  attributes: ReadonlySet<string>,
): Promise<DocumentTypeSetup[]> {
  const found = (await listed(source)) ?? (await valuesOf(source, schema)) ?? rows.map(idIn)
  const types = found.flatMap((row) => typeOf(row, attributes) ?? [])
  return [...new Map(types.map((type) => [type.id, type])).values()].slice(0, MOST_TYPES)
}

/** The type of a document. */
function idIn({ docType = null }: JsonObject): JsonObject {
  return { id: docType }
}

async function listed(source: ErpSource): Promise<readonly JsonObject[] | undefined> {
  try {
    const { text } = await source.read(source.pathOf(LIST), { headers: { accept: 'application/json' } })
    const types = JSON.parse(text) as JsonValue
    return Array.isArray(types) ? types.filter(isObject) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isRefusal(error)) return undefined
    throw error
  }
}

async function valuesOf(source: ErpSource, schema: FoundSchema | undefined): Promise<JsonObject[] | undefined> {
  const docType = schema?.members.find(({ name }) => name === 'docType')
  const { attributeId } = ((docType && annotation(docType.schema, 'attribute')) ?? {}) as { attributeId?: unknown }
  if (typeof attributeId !== 'string') return undefined
  try {
    const filters = [`attributeId eq ${literalOf(attributeId)}`]
    const rows = await readRows(source, VALUES, { filters, limit: MOST_TYPES, isOrdered: false })
    return rows.map(({ attributeValue: id = null, description = null }) => ({ id, description }))
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SourceFailure && error.status >= 400 && error.status < 500 && error.status !== 401
}

function typeOf(row: JsonObject, attributes: ReadonlySet<string>): DocumentTypeSetup | undefined {
  const { id, description, retentionMonths, indexes } = row
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) return undefined
  const found = Array.isArray(indexes)
    ? indexes.filter(isObject).flatMap((index) => indexOf(index, attributes) ?? [])
    : []
  const byNumber = [...new Map(found.map((index) => [index.sequenceNo, index])).values()]
  return {
    id,
    ...(typeof description === 'string' && description !== '' ? { description: description.slice(0, MAX_TEXT) } : {}),
    ...(isWithin(retentionMonths, MAX_MONTHS) ? { retentionMonths } : {}),
    ...(byNumber.length > 0 ? { indexes: byNumber } : {}),
  }
}

type IndexSetup = NonNullable<DocumentTypeSetup['indexes']>[number]

function indexOf(
  { sequenceNo, name, required, maxLength, attributeId }: JsonObject,
  attributes: ReadonlySet<string>,
): IndexSetup | undefined {
  if (!isWithin(sequenceNo, MOST_INDEX_NUMBER) || typeof name !== 'string' || name === '') return undefined
  return {
    sequenceNo,
    name: name.slice(0, MAX_NAME),
    ...(typeof attributeId === 'string' && attributes.has(attributeId) ? { attributeId } : {}),
    ...(isWithin(maxLength, MAX_TEXT) ? { maxLength } : {}),
    ...(required === true ? { required } : {}),
  }
}

function isWithin(value: JsonValue | undefined, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
}
