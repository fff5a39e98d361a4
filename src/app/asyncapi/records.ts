// What the records of each kind look like in a change, for the description of the messages.
import { Type } from 'typebox'
import type { ChangeKind } from '../../changes/change-kind.ts'
import { changeKinds } from '../../changes/kinds/change-kinds.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { Customer } from '../../model/records/customer.ts'
import { Revision } from '../../model/records/document.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { schemaOfDocument, schemaTitle } from '../../query/schema-of.ts'
import { ListedDocument } from '../../records/documents/document.ts'

interface RecordSchema {
  readonly title?: string
  readonly properties?: Readonly<Record<string, object>>
}

export interface DescribedKind {
  readonly kind: ChangeKind
  readonly record: RecordSchema
}

const { fileContent: _content, ...revisionMembers } = Revision.schema.properties

/** Records that are told as their own endpoints answer them; documents and revisions without contents. */
const OWN_ENDPOINTS: Readonly<Record<string, RecordSchema>> = {
  'attribute-values': AttributeValue.schema,
  'attribute-relations': AttributeRelation.schema,
  customers: Customer.schema,
  'document-archive': ListedDocument,
  'document-revisions': Type.Object(revisionMembers, { title: 'ListedRevision' }),
}

/** The kinds of records of which the log tells, in the order of the documents that are served. */
export function describedKinds(documents: readonly EnterpriseDocument[]): DescribedKind[] {
  return [...changeKinds(documents).values()].map((kind) => ({ kind, record: recordOf(kind, documents) }))
}

function recordOf({ name }: ChangeKind, documents: readonly EnterpriseDocument[]): RecordSchema {
  const own = OWN_ENDPOINTS[name]
  if (own) return own
  const document = documents.find(({ common }) => common.name === name)
  if (!document) throw new Error(`there is no document ${name}`)
  return schemaOfDocument(document.common, schemaTitle(name)) as RecordSchema
}
