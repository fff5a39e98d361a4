// The tables of the service's own state: setups, the journal, counters, stored responses, usage.

/** Date-times are stored as text `YYYY-MM-DDTHH:mm:ss.SSSZ`, so that their order is the text order. */
type Instant = string
/** JSON stored as text. */
type JsonText = string

export interface SetupItemTable {
  /** Empty for items of no company: roles, users, clients, documents. */
  company_id: string
  kind: string
  id: string
  definition: JsonText
}

/** One row: the version of the setup that was applied last. */
export interface SetupVersionTable {
  id: number
  version: number
}

export interface JournalCounterTable {
  company_id: string
  last_entry: number
  /** The end of the company's hash chain: number and hash of its last entry, and the number of entries. */
  head_no: number
  head_hash: string
  entry_count: number
  /** The stored size of all its entries, in bytes. */
  journal_bytes: number
  /** The size of the files of all revisions of its documents, in bytes. */
  file_bytes: number
  /** When records were last purged, and how many in all. */
  purged_at: Instant
  purged_count: number
  /** When personal values were last erased, and in how many records in all. */
  erased_at: Instant
  erased_count: number
  /** The last entry whose texts were taken away because of its age. */
  texts_from: number
  /**
   * What happened up to this entry can no longer be told: it names erased ones, or stands for rows that do not have its
   * number.
   */
  told_from: number
  /** Grows when dictionaries are replaced: ones that were cached before are no longer used. */
  dictionary_age: number
}

export interface JournalEntryTable {
  company_id: string
  entry_no: number
  /** Refers to `journal_origin` of the same company. */
  origin_no: number
  /** The parts of the record's key after the company, as a JSON array. */
  record_key: string
  /** Milliseconds since 1970. */
  at: number
  request_id: string
  /** Refers to `journal_dictionary` of the same company: the dictionary that the texts are compressed with. */
  dictionary_no: number
  /** Compressed, with `after` as a prefix. */
  before: Uint8Array
  after: Uint8Array
  /** The hash, then the first bytes of the previous entry's hash. */
  hash: Uint8Array
}

/** Values that many entries share: who changes which kind of record in which way. */
export interface JournalOriginTable {
  company_id: string
  origin_no: number
  entity: string
  /**
   * `refused`: denied access; `call`: of an agent; `erase`: entries that the text after the change names have lost
   * theirs.
   */
  operation: 'create' | 'update' | 'delete' | 'refused' | 'call' | 'erase'
  user_id: string
  client_id: string
}

/**
 * Texts that later entries are compressed with. A row is changed only when nothing is compressed with it any more: then
 * it has no bytes, and keeps its number.
 */
export interface JournalDictionaryTable {
  company_id: string
  dictionary_no: number
  entity: string
  /** The number of the entry that it was created with. */
  made_at: number
  bytes: Uint8Array
}

/** The entries of the change log as they are read and hashed: a view. */
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
  /** The record before the change; empty when the change created it. */
  before: JsonText | ''
  /** The record after the change; empty when it was deleted. */
  after: JsonText | ''
  /** The hash of the previous entry of the company; empty for the first. */
  previous_hash: string
  hash: string
}

export interface NumberingTable {
  company_id: string
  series: string
  last_no: number
}

export interface ImportProgressTable {
  company_id: string
  document: string
  /** The hash of the file. */
  source: string
  line: number
  updated_at: Instant
  updated_by: string
}

/** A row of a file that was written by itself, in a part of the file that is not completed yet. */
export interface ImportRowTable {
  company_id: string
  document: string
  source: string
  line: number
}

/** A file content that was removed because nothing referred to it. For a while it does not count as stored. */
export interface SweptFileTable {
  company_id: string
  file_hash: string
  swept_at: Instant
}

/** The stored response to a request with an `Idempotency-Key`. */
export interface KeptAnswerTable {
  company_id: string
  client_id: string
  repeat_key: string
  /** Hash of the request. */
  fingerprint: string
  answer: JsonText
  at: Instant
}

/** Requests or bytes of a client in a time window, summed over all processes. */
export interface ClientUsageTable {
  client_id: string
  kind: string
  /** The start of the window in milliseconds since 1970. */
  window_start: number
  amount: number
}

/** The version of each document table of a company: a new number after each commit that changes it. */
export interface TableVersionTable {
  company_id: string
  table_name: string
  version: number
}

/** Slow queries of one shape, of all processes. */
export interface SlowQueryTable {
  document: string
  /** The JSON of a `QueryShape`. */
  question: string
  seen: number
  total_ms: number
  worst_ms: number
  last_seen: Instant
}

/** A process that serves the store. */
export interface ServingProcessTable {
  /** A random id: after a restart a process may have the number of an earlier one. */
  process_id: string
  host: string
  pid: number
  /** The setup that is in force in it. */
  setup_version: number
  /** Milliseconds since 1970. */
  seen_at: number
}

/** A person who has signed in to the console. */
export interface SessionTable {
  /** SHA-256 of what the browser holds, in base64url: who reads the database cannot take a session over. */
  session_id: string
  user_id: string
  /** Stands for the password at the time: a session does not outlive it. */
  password_mark: string
  /** Milliseconds since 1970. */
  created_at: number
  used_at: number
  user_agent: string
  address: string
}

/** What a person has chosen in the console, in one company or in none. */
export interface PersonSettingsTable {
  company_id: string
  user_id: string
  settings: JsonText
  /** Grows with each change; from 1. */
  version: number
}

/** A secret that all processes of the service share. */
export interface ServiceSecretTable {
  name: string
  /** 32 random bytes in base64url. */
  value: string
}

/** Changes that agents have proposed and nobody has applied yet. */
export interface ProposalTable {
  company_id: string
  proposal_id: string
  /** Who has proposed it: nobody else can apply it. */
  client_id: string
  user_id: string
  /** JSON: the request that is sent when it is applied. */
  request: string
  /** `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
  expires_at: string
}

// The tables of companies that are mirrors of an ERP system.

/** How far a document has come; the row with an empty name has the lease of the company. */
export interface MirrorDocumentTable {
  company_id: string
  document: string
  /** JSON. */
  state: string
  lease_holder: string
  /** In milliseconds since 1970; 0: nobody holds it. */
  lease_until: number
  lease_no: number
}

/** What of a record could not be kept as it came. */
export interface MirrorFindingTable {
  company_id: string
  document: string
  /** A JSON array of the parts of the key. */
  record_key: string
  /** JSON. */
  findings: string
}
