// The schemas around documents and revisions, and their error messages.
import { type Static, Type } from 'typebox'
import { coded, entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { requiring } from '../../model/record-fields.ts'
import { Document, DocumentIndex, Revision } from '../../model/records/document.ts'
import { type GivenOf, integer, list, record, text } from '../../model/schema.ts'

export const ENTITY = 'document'
export const REVISION_ENTITY = 'document-revision'

/** The status after DELETE: the document can no longer be changed. */
export const DELETED_STATUS = 'T'

const { schema } = Document
const { docSize: _size, notificationMessages: _messages, fileContent, ...listMembers } = schema.properties

/** An item of the list. */
export const ListedDocument = record(
  { ...listMembers, fileContent: Type.Optional(fileContent) },
  { title: 'ListedDocument' },
)

/** The members that may be changed. */
export const DocumentDraft = record({
  title: listMembers.title,
  description: listMembers.description,
  indexes: listMembers.indexes,
})

/** `format` is for older code generators, which do not support `contentMediaType`. */
const file = text({
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'The file. A part of any name with a file name is taken for it.',
})
const nameOfFile = text({ maxLength: 255, description: 'In place of the name of the part.', examples: ['meeting.txt'] })

/** A document as a form, without the members that the service sets. */
export const DocumentForm = requiring(
  ['docType', 'title', 'file'],
  record(
    {
      docType: listMembers.docType,
      title: listMembers.title,
      file,
      fileName: nameOfFile,
      companyId: text({ examples: ['EN'] }),
      description: listMembers.description,
      expiryDate: listMembers.expiryDate,
      indexes: text({
        description: 'What the document is filed by, as JSON text.',
        contentMediaType: 'application/json',
        contentSchema: list(DocumentIndex.schema),
        examples: ['[]'],
      }),
    },
    { title: 'DocumentForm', description: 'A document as a form.' },
  ),
)

/** Where a file is in the body of a request (decision 4). */
export const UPLOAD_FORMAT = {
  contentMember: 'fileContent',
  nameMember: 'fileName',
  jsonFields: ['indexes'],
  maxBytes: 50 * 1024 * 1024,
} as const

export const RevisionForm = requiring(
  ['comment', 'file'],
  record(
    {
      comment: Revision.schema.properties.comment,
      file,
      fileName: nameOfFile,
      id: text({ format: 'uuid', description: 'The document, where the address does not name it.' }),
    },
    { title: 'DocumentRevisionForm', description: 'A revision as a form.' },
  ),
)

export const Thumbnail = record(
  {
    id: listMembers.id,
    revisionNo: integer(),
    width: integer({ description: 'Of the picture, in pixels.' }),
    height: integer({ description: 'Of the picture, in pixels.' }),
    mimeType: text({ description: 'image/png' }),
    fileName: text(),
    lastUpdate: listMembers.lastUpdate,
    fileContent,
  },
  { title: 'Thumbnail' },
)

/** A page of a list. */
export const envelopeOf = (item: typeof ListedDocument | typeof Revision.schema, title: string) =>
  record(
    {
      start: integer(),
      limit: integer(),
      count: integer({ description: 'Items on this page.' }),
      total: integer({ description: 'Items in all.' }),
      items: list(item),
    },
    { title },
  )

export type DocumentDraft = Static<typeof DocumentDraft>
export type GivenDocument = GivenOf<typeof Document.schema>
export type GivenIndex = GivenOf<typeof DocumentIndex.schema>

export function documentNotFound(companyId: string, documentId: string): Problem {
  return entityNotFound({ companyId, id: documentId })
}

export function revisionNotFound(companyId: string, documentId: string, revisionNo: number): Problem {
  return entityNotFound({ companyId, id: documentId, revisionNo })
}

export function documentIsDeleted(documentId: string): Problem {
  return coded(422, 3010, `Document ${documentId} is deleted: it can be read, but not changed.`)
}
