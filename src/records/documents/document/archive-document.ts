// The Enterprise Document of the archive: all members except the contents.
import { type DocumentDefinition, lastUpdated, list, value } from '../../../model/document.ts'
import { TEXT_LENGTHS } from '../../../model/text-lengths.ts'

export const archiveDocument = {
  name: 'document-archive',
  version: 1,
  description: 'A document of the archive, without its content.',
  table: 'document',
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'id'],
  indexes: [
    { name: 'document_type_key', columns: ['company_id', 'is_deleted', 'doc_type', 'document_id'] },
    { name: 'document_type_title', columns: ['company_id', 'is_deleted', 'doc_type', 'title', 'document_id'] },
    {
      name: 'document_newest',
      columns: ['company_id', 'is_deleted', 'updated_at', 'document_id'],
      descending: ['updated_at'],
    },
  ],
  properties: {
    checkoutUserId: value('string', 'checkout_user_id'),
    companyId: value('string', 'company_id', { maxLength: TEXT_LENGTHS.companyId }),
    description: value('string', 'description', { maxLength: TEXT_LENGTHS.description }),
    docSize: value('integer', 'doc_size', { description: 'In bytes.' }),
    docType: value('string', 'doc_type', { maxLength: 25 }),
    expiryDate: value('date-time', 'expiry_date'),
    fileName: value('string', 'file_name', { maxLength: 255 }),
    id: value('string', 'document_id', { maxLength: 36 }),
    lastUpdated,
    mimeType: value('string', 'mime_type'),
    revisionNo: value('integer', 'revision_no'),
    status: value('string', 'status', { description: 'N, or T once it is deleted.' }),
    title: value('string', 'title', { maxLength: TEXT_LENGTHS.title }),
    indexes: list(
      { sequenceNo: value('integer', 'sequence_no'), indexValue: value('string', 'index_value') },
      {
        table: 'document_index',
        on: [
          ['company_id', 'company_id'],
          ['document_id', 'document_id'],
        ],
        orderBy: 'sequence_no',
        joins: {},
      },
      'What the document is filed by.',
    ),
  },
} satisfies DocumentDefinition
