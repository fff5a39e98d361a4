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
