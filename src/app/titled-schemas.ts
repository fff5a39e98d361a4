// Which schemas of the API description are those of documents and of their records, so that their members have titles.
import { DOCUMENT_TITLES } from '../model/built-in-titles.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { CustomDocuments } from '../objects/custom-documents.ts'
import { schemaTitle } from '../query/schema-of.ts'

type TitledDocument = Pick<DocumentDefinition, 'name' | 'properties'>

/** By the names of the schemas. */
export function titledSchemas({ all, records }: CustomDocuments): ReadonlyMap<string, TitledDocument> {
  return new Map<string, TitledDocument>([
    ...BUILT_IN,
    ...[...all].map(({ common }) => [schemaTitle(common.name), common] as const),
    ...[...records.values()].map(({ record }) => {
      const { title = '' } = record.schema as { title?: string }
      return [title, record.document] as const
    }),
  ])
}

/** Their titles are found by their names: `CustomersDocument`, and `Customer` as the records are called. */
const BUILT_IN: readonly (readonly [string, TitledDocument])[] = [
  ...Object.keys(DOCUMENT_TITLES).flatMap((name) => {
    const schema = schemaTitle(name)
    return [schema, schema.replace(/s?Document$/, '')].map((one) => [one, { name, properties: {} }] as const)
  }),
  ['AttributeValueBase', { name: 'attribute-values', properties: {} }],
  ['Document', { name: 'document-archive', properties: {} }],
]
