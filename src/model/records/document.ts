// Documents of the archive and their revisions.
import { OPEN_TO } from '../../base/dates.ts'
import { lastUpdated } from '../document.ts'
import { dateTime, defineRecord, group, integer, itemList, member, queriesOnly, text } from '../record-definition.ts'
import { type Fields, objectOf } from '../record-fields.ts'
import { record, text as textSchema } from '../schema.ts'

const indexFields = {
  sequenceNo: integer({ isRequired: true, description: 'Of the index, as the document type has it.' }),
  indexValue: text({ isRequired: true, description: 'A value of the attribute of the index, where it has one.' }),
} satisfies Fields

export const DocumentIndex = { fields: indexFields, schema: objectOf(indexFields, { title: 'DocumentIndex' }) }

/** The last change, which the archive calls otherwise than other records. */
const lastUpdate = {
  ...group(
    { updatedAt: dateTime({ isFixed: true }), updatedBy: text({ isFixed: true }) },
    { isFixed: true, description: 'Answered only.' },
  ),
  property: undefined,
}

/** The bytes of a file, which the file store has. */
const fileContent = member(textSchema({ description: 'Base64.', contentEncoding: 'base64' }), { isRequired: true })

const mimeType = text({ isFixed: true, description: 'By the ending of the file name.' })

export const Document = defineRecord({
  title: 'Document',
  name: 'document-archive',
  version: 1,
  description: 'A document of the archive, without its content.',
  table: 'document',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'id'],
  defaultColumns: ['title', 'docType', 'fileName', 'revisionNo', 'docSize', 'lastUpdated/updatedAt'],
  searched: ['title', 'fileName', 'description', 'id'],
  indexes: [
    { name: 'document_type_key', columns: ['company_id', 'is_deleted', 'doc_type', 'document_id'] },
    { name: 'document_type_title', columns: ['company_id', 'is_deleted', 'doc_type', 'title', 'document_id'] },
    {
      name: 'document_newest',
      columns: ['company_id', 'is_deleted', 'updated_at', 'document_id'],
      descending: ['updated_at'],
    },
  ],
  fields: {
    id: text({
      column: 'document_id',
      length: 36,
      format: 'uuid',
      isFixed: true,
      description: 'Given by the service.',
    }),
    companyId: text({ length: 25, isFixed: true }),
    docType: text({
      length: 25,
      isRequired: true,
      isFixed: true,
      description: 'A document type of the company; cannot be changed.',
      examples: ['NOTE'],
    }),
    mimeType,
    status: text({
      isFixed: true,
      description: 'N, or T once it is deleted.',
      inQueries: 'N, or T once it is deleted.',
    }),
    expiryDate: dateTime({
      default: OPEN_TO,
      isFixed: true,
      description: 'Today or later; left out, the document type decides.',
      examples: ['2031-05-01'],
    }),
    revisionNo: integer({ isFixed: true, description: 'Of the newest revision.' }),
    fileContent,
    fileName: text({
      most: 255,
      isRequired: true,
      isFixed: true,
      description: 'Cannot be changed.',
      examples: ['meeting.txt'],
    }),
    checkoutUserId: text({ isFixed: true, description: 'Answered only.' }),
    lastUpdate,
    lastUpdated: queriesOnly(lastUpdated),
    docSize: integer({ isFixed: true, description: 'Of the content, in bytes.', inQueries: 'In bytes.' }),
    indexes: itemList(
      DocumentIndex,
      {
        table: 'document_index',
        on: [['document_id', 'document_id']],
        orderBy: 'sequence_no',
        joins: {},
      },
      {
        description: 'What the document is filed by; which there are, the document type says.',
        inQueries: 'What the document is filed by.',
        patch: [{ path: '', ops: ['replace', 'add'] }, { path: '/*/indexValue' }],
      },
    ),
    title: text({ max: 255, isRequired: true, examples: ['Meeting with the harbour office'] }),
    description: text({ max: 4_000 }),
    notificationMessages: member(record({}, { description: 'Empty, but in a refusal.' })),
  },
})

const revisionFields = {
  id: text({ column: 'document_id', format: 'uuid', description: 'Given by the service.' }),
  comment: text({ max: 4_000, isRequired: true, examples: ['The date was wrong'] }),
  fileContent,
  fileName: text({ most: 255, isRequired: true, description: 'With an ending.', examples: ['meeting.txt'] }),
  revisionNo: integer({ description: 'Counted by the service.' }),
  mimeType,
  lastUpdate,
} satisfies Fields

export const Revision = { fields: revisionFields, schema: objectOf(revisionFields, { title: 'DocumentRevision' }) }
