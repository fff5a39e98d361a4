import { type DocumentDefinition, group, value } from '../model/document.ts'
import { JOURNAL } from '../sql/tables.ts'

/** Maximum length of a record as JSON in characters; one with 200 contact points is that long. */
const MAX_RECORD_LENGTH = 1_000_000
const HASH = 'SHA-256 in hexadecimal'

/** The change log of a company, for callers who may see every change. Only the service writes its entries. */
export const auditEntryDocument = {
  name: 'audit-entries',
  version: 1,
  description: 'An entry of the change log: a record that was changed, access that was refused, or a call of an agent.',
  table: JOURNAL,
  companyColumn: 'company_id',
  joins: {},
  key: ['companyId', 'entryNo'],
  defaultColumns: ['entryNo', 'at', 'userId', 'operation', 'entity', 'recordKey', 'clientId'],
  searched: [],
  properties: {
    companyId: value('string', 'company_id'),
    entryNo: value('integer', 'entry_no', {
      description: 'In the order of the commits; with gaps, as a write may need a number and change nothing.',
    }),
    entity: value('string', 'entity', {
      description: 'Which kind of record, such as attribute-value; or access, or agent-call.',
    }),
    recordKey: value('string', 'record_key', {
      description:
        'The parts of the key below the company, as a JSON array; of refused access the method and the path, of a call the tool.',
    }),
    operation: value('string', 'operation', { description: 'create, update, delete, refused, call or erase.' }),
    at: value('date-time', 'at'),
    userId: value('string', 'user_id'),
    clientId: value('string', 'client_id'),
    requestId: value('string', 'request_id'),
    before: value('string', 'before', {
      filterable: false,
      maxLength: MAX_RECORD_LENGTH,
      description: 'The record before the change, as JSON; empty when the change made it.',
    }),
    after: value('string', 'after', {
      filterable: false,
      maxLength: MAX_RECORD_LENGTH,
      description: 'The record after the change, as JSON; empty when it is gone. Of a call what was answered.',
    }),
    previousHash: value('string', 'previous_hash', { description: `${HASH}, of the entry before it; empty at first.` }),
    hash: value('string', 'hash', { description: `${HASH}, over the hash before it and the entry.` }),
    lastUpdated: group(
      { updatedAt: value('date-time', 'at'), updatedBy: value('string', 'user_id') },
      { isComplex: true },
    ),
  },
} satisfies DocumentDefinition
