// Which members of a document a form has. What the service does not take it says so itself.
import { type DocumentInfo, documentOf } from '../../service/metadata.ts'
import type { FormShape } from './changes.ts'

/** Keys are given once, for a new record. */
export function shapeOf(document: DocumentInfo, form: 'new' | 'changed'): FormShape {
  const fields = document.fields.filter(
    ({ path, isKey, association, schema }) =>
      path !== 'companyId' &&
      !path.startsWith('lastUpdated') &&
      !association &&
      !schema.readOnly &&
      (!isKey || form === 'new'),
  )
  const lists = document.lists
    .filter(({ schema }) => schema['x-erp-document'] === undefined && schema.items?.properties !== undefined)
    .map(({ path, titles, schema }) => ({
      path,
      titles,
      isNeeded: schema['x-erp-required'] === true,
      fields: documentOf(path, schema).fields,
    }))
  return { fields, lists }
}
