// The table types for Kysely. Every key starts with the company. No column is ever null (a missing value is the absent
// value of its type), so a filter means the same on every database.

import type { ColumnsOf } from '../model/record-fields.ts'
import type { AttributeRelation } from '../model/records/attribute-relation.ts'
import type { AttributeValue } from '../model/records/attribute-value.ts'
import type { Customer } from '../model/records/customer.ts'
import type { Document, Revision } from '../model/records/document.ts'
import type { BatchOperationResultTable, BatchOperationTable } from './batch-operation-tables.ts'
import type {
  ClientUsageTable,
  ImportProgressTable,
  ImportRowTable,
  JournalCounterTable,
  JournalDictionaryTable,
  JournalEntryTable,
  JournalOriginTable,
  KeptAnswerTable,
  MirrorDocumentTable,
  MirrorFindingTable,
  NumberingTable,
  PersonSettingsTable,
  ProposalTable,
  ServiceSecretTable,
  ServingProcessTable,
  SessionTable,
  SetupItemTable,
  SetupVersionTable,
  SlowQueryTable,
  SweptFileTable,
  TableVersionTable,
} from './service-tables.ts'
import type { SubscriptionAttemptTable, SubscriptionEventTable, SubscriptionTable } from './subscription-tables.ts'

/** Date-times are stored as text `YYYY-MM-DDTHH:mm:ss.SSSZ`, so that their order is the text order. */
type Instant = string

export interface AttributeTable {
  company_id: string
  attribute_id: string
  name: string
  description: string
  maintenance: string
  contact_points: number
  auto_numbering: number
  owner_attribute_id: string
  updated_at: Instant
  updated_by: string
}

export interface CompanyTable {
  company_id: string
  name: string
  language: string
  /** 0 means today's period. */
  current_period: number
  updated_at: Instant
  updated_by: string
}

/** One code of a value list in one language. Every code exists in every language that the company's lists have. */
export interface ValueListTable {
  company_id: string
  name: string
  language: string
  code: string
  /** The code as a number; 0 when it is not numeric. */
  number: number
  title: string
  /** 1 when the title is in the company's language, because there is none in this language. */
  is_fallback: number
  updated_at: Instant
  updated_by: string
}

type AttributeNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7

export type LedgerTransactionTable = {
  company_id: string
  transaction_number: number
  sequence_number: number
  state: string
  status: string
  transaction_type: string
  transaction_date: Instant
  period: number
  description: string
  external_reference: string
  customer_id: string
  supplier_id: string
  account: string
  /** Decimals: numbers on PostgreSQL; on SQLite units of the last digit, which may exceed a JavaScript number. */
  amount: number | string
  currency_amount: number | string
  currency_code: string
  debit_credit: number
  updated_at: Instant
  updated_by: string
  _change_no: number
} & { [Column in `attribute_id_${AttributeNumber}` | `attribute_value_${AttributeNumber}`]: string }

/** What the service keeps of each change. */
interface Changed {
  updated_at: Instant
  updated_by: string
  /** The number of the journal entry that last changed the record or one of its relations: its `ETag`. */
  change_no: number
}

export type CustomerTable = ColumnsOf<typeof Customer.fields> &
  Changed & {
    /** The attribute whose value the customer is. */
    attribute_id: string
  }

/** A relation between two attributes, declared by a setup. */
export interface RelationTable {
  company_id: string
  relation_id: string
  name: string
  group_name: string
  attribute_id: string
  related_attribute_id: string
}

export type AttributeValueTable = ColumnsOf<typeof AttributeValue.fields> & Changed

export type AttributeRelationTable = ColumnsOf<typeof AttributeRelation.fields> &
  Changed & {
    relation_id: string
    unit_value: number
    /**
     * The number of the journal entry that created it: related values are listed in the order in which they were added.
     */
    created_no: number
  }

/** A document of the archive. Its file columns are those of the newest revision. */
export type DocumentTable = ColumnsOf<typeof Document.fields> &
  Changed & {
    /** The folded title, for the filter of the list. */
    title_key: string
    /** 1 after DELETE. */
    is_deleted: number
    file_hash: string
  }

/** An index value by which a document is filed; a document has one for each index of its type. */
export interface DocumentIndexTable {
  company_id: string
  document_id: string
  sequence_no: number
  /** The position in the order of the sequence numbers, counted from 0. */
  place: number
  index_value: string
  /** The folded value. */
  index_key: string
}

export type DocumentRevisionTable = ColumnsOf<typeof Revision.fields> & {
  company_id: string
  /** The file size in bytes. */
  doc_size: number
  file_hash: string
}

/** The full-text search data of a document. */
export interface DocumentTextTable {
  company_id: string
  document_id: string
  /** On SQLite the rowid in the word index. */
  search_no: number
  /** The distinct words of the newest file, separated by blanks. */
  file_words: string
  /** 1 while the newest file still has to be read. */
  is_waiting: number
  /** The number of attempts to read it: a file that crashes its reader each time is given up. */
  attempts: number
  updated_at: Instant
}

/** Stands for the type of a table's rows. */
function rowsOf<Row>(): { readonly row?: Row } {
  return {}
}

const TABLES = {
  slow_query: rowsOf<SlowQueryTable>(),
  service_secret: rowsOf<ServiceSecretTable>(),
  session: rowsOf<SessionTable>(),
  person_settings: rowsOf<PersonSettingsTable>(),
  serving_process: rowsOf<ServingProcessTable>(),
  client_usage: rowsOf<ClientUsageTable>(),
  kept_answer: rowsOf<KeptAnswerTable>(),
  document: rowsOf<DocumentTable>(),
  document_index: rowsOf<DocumentIndexTable>(),
  document_revision: rowsOf<DocumentRevisionTable>(),
  document_text: rowsOf<DocumentTextTable>(),
  swept_file: rowsOf<SweptFileTable>(),
  setup_item: rowsOf<SetupItemTable>(),
  setup_version: rowsOf<SetupVersionTable>(),
  journal_counter: rowsOf<JournalCounterTable>(),
  journal_entry: rowsOf<JournalEntryTable>(),
  journal_origin: rowsOf<JournalOriginTable>(),
  journal_dictionary: rowsOf<JournalDictionaryTable>(),
  numbering: rowsOf<NumberingTable>(),
  attribute: rowsOf<AttributeTable>(),
  relation: rowsOf<RelationTable>(),
  attribute_value: rowsOf<AttributeValueTable>(),
  attribute_relation: rowsOf<AttributeRelationTable>(),
  company: rowsOf<CompanyTable>(),
  value_list: rowsOf<ValueListTable>(),
  ledger_transaction: rowsOf<LedgerTransactionTable>(),
  customer: rowsOf<CustomerTable>(),
  import_progress: rowsOf<ImportProgressTable>(),
  import_row: rowsOf<ImportRowTable>(),
  table_version: rowsOf<TableVersionTable>(),
  subscription: rowsOf<SubscriptionTable>(),
  subscription_event: rowsOf<SubscriptionEventTable>(),
  subscription_attempt: rowsOf<SubscriptionAttemptTable>(),
  batch_operation: rowsOf<BatchOperationTable>(),
  batch_operation_result: rowsOf<BatchOperationResultTable>(),
  proposal: rowsOf<ProposalTable>(),
  mirror_document: rowsOf<MirrorDocumentTable>(),
  mirror_finding: rowsOf<MirrorFindingTable>(),
}

export type Tables = { [Name in keyof typeof TABLES]: NonNullable<(typeof TABLES)[Name]['row']> }

/** The column of the service's own tables with the company. */
export const COMPANY_COLUMN = 'company_id'
/** The change log as clients read it: in statements the dialect's `journal` stands in its place. */
export const JOURNAL = 'audit_entry'
/**
 * The number of the journal entry that inserted a row, in tables whose entries stand for a batch of rows. No property
 * of a custom document has a column of this name.
 */
export const CHANGE_COLUMN = '_change_no'

/** The columns that every declared table has, besides its company and properties. */
export const DECLARED_TABLE_COLUMNS = [
  { name: 'updated_at', type: 'date-time' },
  { name: 'updated_by', type: 'string' },
  { name: CHANGE_COLUMN, type: 'integer' },
] as const

/** The tables that have names of their own: a backup must contain them. */
export const TABLE_NAMES = Object.keys(TABLES)

/**
 * A table of records is known by its name, so that no list has to name it: that of a document of the setup, or of a
 * built-in resource. Customers were there before, and stand among the names above.
 */
export const RECORD_PREFIXES = ['own_', 'built_in_'] as const

export function isRecordTable(name: string): boolean {
  return RECORD_PREFIXES.some((prefix) => name.startsWith(prefix))
}

/** The tables that built-in documents read, but for tables of records. */
export const DOCUMENT_TABLES: ReadonlySet<string> = new Set([
  'attribute',
  'attribute_relation',
  'attribute_value',
  'company',
  'customer',
  'document',
  'document_index',
  'document_revision',
  'document_text',
  'journal_dictionary',
  'journal_entry',
  'journal_origin',
  'ledger_transaction',
  'relation',
  'value_list',
])
