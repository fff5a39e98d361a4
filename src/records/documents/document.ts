// The schemas of documents and revisions, and their error messages.

import { type Static, Type } from 'typebox'
import { OPEN_TO } from '../../base/dates.ts'
import { coded, entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { dateTime, type GivenOf, integer, list, record, text } from '../../model/schema.ts'
import { TEXT_LENGTHS } from '../../model/text-lengths.ts'

export const ENTITY = 'document'
export const REVISION_ENTITY = 'document-revision'

/** The status after DELETE: the document can no longer be changed. */
export const DELETED_STATUS = 'T'

const lastUpdate = record({ updatedAt: dateTime(), updatedBy: text() }, { description: 'Answered only.' })

const DocumentIndex = record(
  {
    sequenceNo: integer({ description: 'Of the index, as the document type has it.' }),
    indexValue: text({ description: 'A value of the attribute of the index, where it has one.' }),
  },
  { title: 'DocumentIndex' },
)

const id = text({ format: 'uuid', description: 'Given by the service.' })
const fileContent = text({ description: 'Base64.', contentEncoding: 'base64' })
const fileName = text({ maxLength: 255, description: 'Cannot be changed.', examples: ['meeting.txt'] })
const mimeType = text({ description: 'By the ending of the file name.' })

const expiry = { description: 'Today or later; left out, the document type decides.', examples: ['2031-05-01'] }

const listMembers = {
  id,
  companyId: text(),
  docType: text({ description: 'A document type of the company; cannot be changed.', examples: ['NOTE'] }),
  mimeType,
  status: text({ description: 'N, or T once it is deleted.' }),
  expiryDate: dateTime({
    default: OPEN_TO,
    ...expiry,
  }),
  revisionNo: integer({ description: 'Of the newest revision.' }),
  fileName,
  checkoutUserId: text({ description: 'Answered only.' }),
  lastUpdate,
  indexes: list(DocumentIndex, {
    description: 'What the document is filed by; which there are, the document type says.',
  }),
  title: text({ maxLength: TEXT_LENGTHS.title, examples: ['Meeting with the harbour office'] }),
  description: text({ maxLength: TEXT_LENGTHS.description }),
}

/** A document as in the single GET. Read-only members are ignored in requests. */
export const Document = record(
  {
    ...listMembers,
    fileContent,
    docSize: integer({ description: 'Of the content, in bytes.' }),
    notificationMessages: record({}, { description: 'Empty, but in a refusal.' }),
  },
  { title: 'Document' },
)

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

export const Revision = record(
  {
    id,
    comment: text({ maxLength: TEXT_LENGTHS.comment, examples: ['The date was wrong'] }),
    fileContent,
    fileName: text({ maxLength: 255, description: 'With an ending.', examples: ['meeting.txt'] }),
    revisionNo: integer({ description: 'Counted by the service.' }),
    mimeType,
    lastUpdate,
  },
  { title: 'DocumentRevision' },
)

/** `format` is for older code generators, which do not support `contentMediaType`. */
const file = text({
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'The file. A part of any name with a file name is taken for it.',
})
const nameOfFile = text({ maxLength: 255, description: 'In place of the name of the part.', examples: ['meeting.txt'] })

/** A document as a form, without the members that the service sets. */
export const DocumentForm = record(
  {
    docType: listMembers.docType,
    title: listMembers.title,
    file,
    fileName: nameOfFile,
    companyId: text({ examples: ['EN'] }),
    description: listMembers.description,
    expiryDate: dateTime(expiry),
    indexes: text({
      description: 'What the document is filed by, as JSON text.',
      contentMediaType: 'application/json',
      contentSchema: list(DocumentIndex),
      examples: ['[]'],
    }),
  },
  { title: 'DocumentForm', description: 'A document as a form.' },
)

/** Where a file is in the body of a request (decision 4). */
export const UPLOAD_FORMAT = {
  contentMember: 'fileContent',
  nameMember: 'fileName',
  jsonFields: ['indexes'],
  maxBytes: 50 * 1024 * 1024,
} as const

export const RevisionForm = record(
  {
    comment: Revision.properties.comment,
    file,
    fileName: nameOfFile,
    id: text({ format: 'uuid', description: 'The document, where the address does not name it.' }),
  },
  { title: 'DocumentRevisionForm', description: 'A revision as a form.' },
)

export const Thumbnail = record(
  {
    id,
    revisionNo: integer(),
    width: integer({ description: 'Of the picture, in pixels.' }),
    height: integer({ description: 'Of the picture, in pixels.' }),
    mimeType: text({ description: 'image/png' }),
    fileName: text(),
    lastUpdate,
    fileContent,
  },
  { title: 'Thumbnail' },
)

/** A page of a list. */
export const envelopeOf = (item: typeof ListedDocument | typeof Revision, title: string) =>
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
export type GivenDocument = GivenOf<typeof Document>
export type GivenIndex = GivenOf<typeof DocumentIndex>

export function documentNotFound(companyId: string, documentId: string): Problem {
  return entityNotFound({ companyId, id: documentId })
}

export function revisionNotFound(companyId: string, documentId: string, revisionNo: number): Problem {
  return entityNotFound({ companyId, id: documentId, revisionNo })
}

export function documentIsDeleted(documentId: string): Problem {
  return coded(422, 3010, `Document ${documentId} is deleted: it can be read, but not changed.`)
}
