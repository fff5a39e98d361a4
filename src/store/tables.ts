// The tables as Kysely sees them. Every key begins with the company; no column is ever null (an absent value is the
// absent value of its type), so a filter means the same on every engine.

/** Date-times are stored as text `YYYY-MM-DDTHH:mm:ss.SSSZ`, so that their order is the order of the text. */
type Instant = string
/** JSON kept as text; the database embeds it in answers without a detour through objects. */
type JsonText = string

export interface SetupItemTable {
  /** Empty for what belongs to no company: roles, users, clients, documents. */
  company_id: string
  kind: string
  id: string
  definition: JsonText
}

export interface JournalCounterTable {
  company_id: string
  last_entry: number
  /** The end of the company's chain: number and hash of its last entry, and how many it has. */
  head_no: number
  head_hash: string
  entry_count: number
  /** Of all its entries, as they are stored. */
  journal_bytes: number
  /** Of the files of all revisions of its documents. */
  file_bytes: number
}

export interface JournalEntryTable {
  company_id: string
  entry_no: number
  /** Of the origins of its company. */
  origin_no: number
  /** The key below the company as a JSON array of its parts. */
  record_key: string
  /** Milliseconds since 1970. */
  at: number
  request_id: string
  /** Of the dictionaries of its company: what the texts are compressed with. */
  dictionary_no: number
  /** Compressed, behind `after`. */
  before: Uint8Array
  after: Uint8Array
  /** The hash, and the first bytes of the hash of the entry before it in its company. */
  hash: Uint8Array
}

/** What many entries have in common: who changes which kind of records how. */
export interface JournalOriginTable {
  company_id: string
  origin_no: number
  entity: string
  /** `refused`: access that somebody was not given. */
  operation: 'create' | 'update' | 'delete' | 'refused'
  user_id: string
  client_id: string
}

/** Texts of records that those of later entries are compressed with; a row is never changed. */
export interface JournalDictionaryTable {
  company_id: string
  dictionary_no: number
  entity: string
  /** The entry that it was made with. */
  made_at: number
  bytes: Uint8Array
}

/** The entries of the change log as they are answered and hashed: a view. */
export interface AuditEntryView {
  company_id: string
  entry_no: number
  entity: string
  record_key: string
  operation: JournalOriginTable['operation']
  user_id: string
  client_id: string
  at: Instant
  request_id: string
  /** The record before the change; empty when it was made by it. */
  before: JsonText | ''
  /** The record after the change; empty when it is gone. */
  after: JsonText | ''
  /** The hash of the entry before it in its company; empty for the first. */
  previous_hash: string
  hash: string
}

export interface NumberingTable {
  company_id: string
  series: string
  last_no: number
}

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
  /** 0: that of today. */
  current_period: number
  updated_at: Instant
  updated_by: string
}

/** One code of a value list in one language; every code is there in every language that the company's lists have. */
export interface ValueListTable {
  company_id: string
  name: string
  language: string
  code: string
  /** The code as a number; 0 where it is none. */
  number: number
  title: string
  /** 1 where the title is that of the company's own language, for want of one in this. */
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
  account: string
  /** Decimals: numbers on PostgreSQL, on SQLite units of the last digit, which no number may hold. */
  amount: number | string
  currency_amount: number | string
  currency_code: string
  debit_credit: number
  updated_at: Instant
  updated_by: string
} & { [Column in `attribute_id_${AttributeNumber}` | `attribute_value_${AttributeNumber}`]: string }

export interface CustomerTable {
  company_id: string
  customer_id: string
  /** The attribute whose value the customer is. */
  attribute_id: string
  customer_name: string
  alias_name: string
  company_registration_number: string
  country_code: string
  customer_group_id: string
  external_reference: string
  /** As it was sent: a string or a number. */
  external_reference_json: JsonText
  calculate_pay_discount_on_tax: number
  check_credit_on_head_office: number
  /** A decimal, as in the ledger. */
  credit_limit: number | string
  currency_code: string
  has_fixed_currency: number
  has_fixed_payment_terms: number
  has_fixed_tax_system: number
  language_code: string
  payment_terms_id: string
  bank_account: string
  debt_collection_code: string
  pay_method: string
  postal_account: string
  status: string
  expiry_date: Instant
  contact_points: JsonText
  /** Group -> field -> value. */
  custom_fields: JsonText
  updated_at: Instant
  updated_by: string
  change_no: number
}

/** How far a file has been imported. */
export interface ImportProgressTable {
  company_id: string
  document: string
  /** Hash of the file. */
  source: string
  line: number
  updated_at: Instant
  updated_by: string
}

/** A relation between two attributes that a setup has configured. */
export interface RelationTable {
  company_id: string
  relation_id: string
  name: string
  group_name: string
  attribute_id: string
  related_attribute_id: string
}

export interface AttributeValueTable {
  company_id: string
  attribute_id: string
  attribute_value: string
  period_from: number
  period_to: number
  description: string
  owner: string
  status: string
  custom_value: number
  contact_points: JsonText
  updated_at: Instant
  updated_by: string
  /** Number of the journal entry that last changed the record or a relation of it: its `ETag`. */
  change_no: number
}

export interface AttributeRelationTable {
  company_id: string
  attribute_id: string
  attribute_value: string
  related_attribute_id: string
  relation_value: string
  relation_id: string
  unit_value: number
  percentage: number
  date_from: Instant
  date_to: Instant
  updated_at: Instant
  updated_by: string
  /** Number of the journal entry that made it: related values are listed in the order in which they were added. */
  created_no: number
  change_no: number
}

/** A document of the archive; what it says of its file is that of its newest revision. */
export interface DocumentTable {
  company_id: string
  /** A GUID in lower case. */
  document_id: string
  doc_type: string
  title: string
  /** The title without regard to case, for the filter of the list. */
  title_key: string
  description: string
  status: string
  /** 1 from DELETE on. */
  is_deleted: number
  expiry_date: Instant
  checkout_user_id: string
  revision_no: number
  file_name: string
  mime_type: string
  /** In bytes. */
  doc_size: number
  file_hash: string
  updated_at: Instant
  updated_by: string
  change_no: number
}

/** A value by which a document is filed; a document has one for each index of its type. */
export interface DocumentIndexTable {
  company_id: string
  document_id: string
  sequence_no: number
  /** Counted from 0 in the order of the sequence numbers. */
  place: number
  index_value: string
  /** The value without regard to case. */
  index_key: string
}

export interface DocumentRevisionTable {
  company_id: string
  document_id: string
  revision_no: number
  comment: string
  file_name: string
  mime_type: string
  /** In bytes. */
  doc_size: number
  file_hash: string
  updated_at: Instant
  updated_by: string
}

/** What the full-text search knows of a document. */
export interface DocumentTextTable {
  company_id: string
  document_id: string
  /** On SQLite its row in the index of words. */
  search_no: number
  /** The words of the newest file, each once, with a blank between. */
  file_words: string
  /** 1 while the newest file has not been read. */
  is_waiting: number
  /** How often reading it was begun: a file that ends its reader each time is given up. */
  attempts: number
  updated_at: Instant
}

/** A content that was taken away because nothing referred to it: for a while it is not taken for kept. */
export interface SweptFileTable {
  company_id: string
  file_hash: string
  swept_at: Instant
}

/** The answer to a request with an `Idempotency-Key`. */
export interface KeptAnswerTable {
  company_id: string
  client_id: string
  repeat_key: string
  /** Hash of the request. */
  fingerprint: string
  answer: JsonText
  at: Instant
}

/** Requests or bytes of a client in a window of time, of all processes. */
export interface ClientUsageTable {
  client_id: string
  kind: string
  /** In milliseconds since 1970. */
  window_start: number
  amount: number
}

/** Which state each table of documents is in, for each company: another number after each commit that changes it. */
export interface TableVersionTable {
  company_id: string
  table_name: string
  version: number
}

/** Slow questions of one shape, of all processes. */
export interface SlowQueryTable {
  document: string
  /** JSON; see `QuestionShape`. */
  question: string
  seen: number
  total_ms: number
  worst_ms: number
  last_seen: Instant
}

export interface Tables extends StoredTables {
  audit_entry: AuditEntryView
}

interface StoredTables {
  slow_query: SlowQueryTable
  client_usage: ClientUsageTable
  kept_answer: KeptAnswerTable
  document: DocumentTable
  document_index: DocumentIndexTable
  document_revision: DocumentRevisionTable
  document_text: DocumentTextTable
  swept_file: SweptFileTable
  setup_item: SetupItemTable
  journal_counter: JournalCounterTable
  journal_entry: JournalEntryTable
  journal_origin: JournalOriginTable
  journal_dictionary: JournalDictionaryTable
  numbering: NumberingTable
  attribute: AttributeTable
  relation: RelationTable
  attribute_value: AttributeValueTable
  attribute_relation: AttributeRelationTable
  company: CompanyTable
  value_list: ValueListTable
  ledger_transaction: LedgerTransactionTable
  customer: CustomerTable
  import_progress: ImportProgressTable
  table_version: TableVersionTable
}

const NAMES: Readonly<Record<keyof StoredTables, true>> = {
  slow_query: true,
  client_usage: true,
  kept_answer: true,
  document: true,
  document_index: true,
  document_revision: true,
  document_text: true,
  swept_file: true,
  setup_item: true,
  journal_counter: true,
  journal_entry: true,
  journal_origin: true,
  journal_dictionary: true,
  numbering: true,
  attribute: true,
  relation: true,
  attribute_value: true,
  attribute_relation: true,
  company: true,
  value_list: true,
  ledger_transaction: true,
  customer: true,
  import_progress: true,
  table_version: true,
}

/** Every table of ours but those of a setup's own documents: what a backup has to hold. */
export const TABLE_NAMES = Object.keys(NAMES)

/** Those that documents are made of; a setup's own documents have tables of their own. */
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
