// How a single record is answered: its text as the database made it, with the tag of its state.
import { etagOf, isNoneMatch } from './etag.ts'
import type { Reply } from './send.ts'

export interface FoundRecord {
  readonly body: string
  /** Of the journal entry that last changed it. */
  readonly change_no: number
}

/** For the description of answers with a record. */
export const etagHeader = { ETag: 'The state of the record, for If-Match and If-None-Match.' }

/** A reply that is there as a whole. */
export interface TextReply extends Reply {
  readonly body?: string
}

export function recordReply(found: FoundRecord, status: 200 | 201 = 200): TextReply {
  return { status, body: found.body, headers: { etag: etagOf(found.change_no) } }
}

/** The record that was made, and where it is. */
export function createdReply(found: FoundRecord, location: string): TextReply {
  return { status: 201, body: found.body, headers: { etag: etagOf(found.change_no), location } }
}

/** The record, or 304 when the caller's `If-None-Match` names its state. */
export function recordUnlessKnown(found: FoundRecord, ifNoneMatch: string | undefined): Reply {
  if (!isNoneMatch(ifNoneMatch, found.change_no)) return recordReply(found)
  return { status: 304, headers: { etag: etagOf(found.change_no) } }
}
