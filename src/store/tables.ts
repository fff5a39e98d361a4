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
}

export interface JournalEntryTable {
  company_id: string
  entry_no: number
  entity: string
  /** The key below the company as a JSON array of its parts. */
  record_key: string
  operation: 'create' | 'update' | 'delete'
  user_id: string
  client_id: string
  at: Instant
  request_id: string
  /** The record before the change; empty when it was made by it. */
  before: JsonText | ''
  /** The record after the change; empty when it is gone. */
  after: JsonText | ''
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

export interface Tables {
  setup_item: SetupItemTable
  journal_counter: JournalCounterTable
  journal_entry: JournalEntryTable
  numbering: NumberingTable
  attribute: AttributeTable
  relation: RelationTable
  attribute_value: AttributeValueTable
  attribute_relation: AttributeRelationTable
}
