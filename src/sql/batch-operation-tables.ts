// The tables of batch operations.

/** Date-times are stored as text `YYYY-MM-DDTHH:mm:ss.SSSZ`, so that their order is the text order. */
type Instant = string

export interface BatchOperationTable {
  company_id: string
  operation_id: string
  /** In the order in which they came: one after the other is done. */
  operation_no: number
  /** The document that its rows are records of. */
  document: string
  /** JSON: how the rows are read, and what is done with them. */
  options: string
  /** The client that has sent it, and its user: their rights are looked up again while it is done. */
  client_id: string
  user_id: string
  request_id: string
  /** The content in the file store; empty when it is not needed any more. */
  file_hash: string
  file_bytes: number
  state: 'N' | 'W' | 'C' | 'T' | 'E' | 'K'
  /** Why it has ended early; empty when it has not. */
  message: string
  /** JSON: as what the rows were read; empty before they are. */
  read_with: string
  /** The last line of the last part that is completed. */
  line: number
  written: number
  unchanged: number
  rejected: number
  /** How often it was begun since the last part was completed. */
  attempts: number
  created_at: Instant
  /** Empty before. */
  started_at: Instant | ''
  updated_at: Instant
  /** Empty before. */
  ended_at: Instant | ''
  /** The process that does it, until when (milliseconds since 1970), and a number that grows with each holder. */
  lease_holder: string
  lease_until: number
  lease_no: number
}

/** A row that was rejected. */
export interface BatchOperationResultTable {
  company_id: string
  operation_id: string
  line: number
  /** JSON: the properties of its key, as far as they were given. */
  record_key: string
  /** JSON: what is wrong with it. */
  findings: string
}
