// Responses with a single record: its JSON text as the database made it, with the entity tag of its state.
import { etagOf, isNoneMatch } from './etag.ts'
import type { Reply } from './send.ts'

export interface FoundRecord {
  readonly body: string
  /** The number of the journal entry that last changed it. */
  readonly change_no: number
}

/** For the OpenAPI description of responses with a record. */
export const etagHeader = { ETag: 'The state of the record, for If-Match and If-None-Match.' }

/** A reply whose body is not streamed. */
export interface TextReply extends Reply {
  readonly body?: string
}

export function recordReply(found: FoundRecord, status: 200 | 201 = 200): TextReply {
  return { status, body: found.body, headers: { etag: etagOf(found.change_no) } }
}

/** 201 with the created record and its location. */
export function createdReply(found: FoundRecord, location: string): TextReply {
  return { status: 201, body: found.body, headers: { etag: etagOf(found.change_no), location } }
}

/** The record, or 304 if `If-None-Match` names its state. */
export function recordUnlessModified(found: FoundRecord, ifNoneMatch: string | undefined): Reply {
  if (!isNoneMatch(ifNoneMatch, found.change_no)) return recordReply(found)
  return { status: 304, headers: { etag: etagOf(found.change_no) } }
}
