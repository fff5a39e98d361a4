// The kinds of records of which the feed tells.

export interface ChangeKind {
  /** The name of the entity: that of its Enterprise Document, or `document-revisions`. */
  readonly name: string
  /** The properties of the key without the company. */
  readonly keyNames: readonly string[]
  /** Whether its records have an entity tag. */
  readonly hasEtag: boolean
}
