// Which members of a document a form has. What the service does not take it says so itself.
import { type DocumentInfo, type FieldInfo, itemOf, type ListInfo } from '../../service/metadata.ts'
import type { FormShape, ListShape } from './changes.ts'

/** Keys are given once, for a new record. */
export function shapeOf(document: DocumentInfo, form: 'new' | 'changed'): FormShape {
  const { given, computed } = halves(
    document.fields.filter(
      ({ path, association }) => path !== 'companyId' && !path.startsWith('lastUpdated') && !association,
    ),
  )
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
  const { given: fields, computed } = halves(item.fields)
  const { 'x-erp-document': linesOf, 'x-erp-sums': sums = [], maxItems: most = 0 } = schema
  return {
    path,
    titles,
    isNeeded: schema['x-erp-required'] === true,
    fields,
    computed,
    lists: listShapes(item),
    lines: linesOf === undefined ? undefined : { document: linesOf, most, columns: item.fields, sums },
  }
}

function halves(fields: readonly FieldInfo[]) {
  const { given = [], computed = [] } = Object.groupBy(fields, ({ schema }) => (schema.readOnly ? 'computed' : 'given'))
  return { given, computed }
}
