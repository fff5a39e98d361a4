// Which members of a document a form has. What the service does not take it says so itself.
import { type DocumentInfo, type FieldInfo, isOwn, itemOf, type ListInfo, type Schema } from '../../service/metadata.ts'
import type { Draft, FormShape, ListShape } from './changes.ts'

/** Keys are given once, for a new record. */
export function shapeOf(document: DocumentInfo, form: 'new' | 'changed'): FormShape {
  const { given, computed } = halves(document.fields.filter(isOwn))
  const fields = given.filter(({ isKey }) => !isKey || form === 'new')
  return { fields, computed, lists: listShapes(document) }
}

const listShapes = (document: DocumentInfo): ListShape[] =>
  document.lists
    .filter(({ association, schema }) => !association && schema.items?.properties !== undefined)
    .map((list) => listShape(document, list))

function listShape(document: DocumentInfo, list: ListInfo): ListShape {
  const { path, titles, schema } = list
  const item = itemOf(document, list)
  const relations = schema['x-erp-relations'] ?? []
  const { given, computed } = halves(item.fields)
  const fields = relations.length === 0 ? given : given.filter(({ path }) => !OF_RELATION.has(path))
  const { 'x-erp-document': linesOf, 'x-erp-sums': sums = [], maxItems: most = 0 } = schema
  return {
    path,
    titles,
    firstItems: firstItemsOf(schema),
    relations,
    fields,
    computed,
    lists: listShapes(item),
    lines: linesOf === undefined ? undefined : { document: linesOf, most, columns: item.fields, sums },
  }
}

/** What the setup says of the relation: answered only. */
const OF_RELATION: ReadonlySet<string> = new Set(['relationGroup', 'relationName'])

function firstItemsOf(schema: Schema): Draft[] {
  const first = schema['x-erp-firstItem']
  if (first) return [first]
  const mandatory = (schema['x-erp-relations'] ?? []).filter(({ isMandatory }) => isMandatory)
  if (mandatory.length > 0) return mandatory.map(({ relationId }) => ({ relationId }))
  return schema['x-erp-required'] === true ? [{}] : []
}

function halves(fields: readonly FieldInfo[]) {
  const { given = [], computed = [] } = Object.groupBy(fields, ({ schema }) => (schema.readOnly ? 'computed' : 'given'))
  return { given, computed }
}
