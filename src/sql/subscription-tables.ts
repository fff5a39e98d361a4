// The tables of webhooks: subscriptions, the events that wait for their delivery, and the attempts to deliver them.

/** Date-times are stored as text `YYYY-MM-DDTHH:mm:ss.SSSZ`, so that their order is the text order. */
type Instant = string

export interface SubscriptionTable {
  company_id: string
  subscription_id: string
  /** JSON: the members that a client gives. */
  definition: string
  /** The client that it belongs to, and that client's user: their rights are looked up at each delivery. */
  client_id: string
  user_id: string
  /** 1 when the setup declares it. */
  is_setup: number
  state: 'active' | 'paused'
  /** Why it is paused; empty when it is not. */
  reason: string
  /** JSON: what deliveries are signed with. In no answer, no log and no journal entry. */
  secrets: string
  /** The last change that was handed over to `subscription_event`, or passed because nothing is told of it. */
  position_no: number
  position_part: number
  /** Since when no delivery succeeded; empty when the last one did. */
  failing_since: Instant | ''
  /** The process that delivers, until when (milliseconds since 1970), and a number that grows with each holder. */
  lease_holder: string
  lease_until: number
  lease_no: number
  /** The number of the last attempt. */
  attempt_count: number
  created_at: Instant
  updated_at: Instant
  updated_by: string
  /** The number of the journal entry that last changed the definition or the state: its `ETag`. */
  change_no: number
}

/** A change that was handed over and is not delivered yet. A delivered one has no row. */
export interface SubscriptionEventTable {
  company_id: string
  subscription_id: string
  entry_no: number
  part: number
  entity: string
  /** The parts of the record's key after the company, as a JSON array: events of one record are delivered in order. */
  record_key: string
  state: 'waiting' | 'dead'
  attempts: number
  /** When it is due, in milliseconds since 1970. */
  next_at: number
  /** The status of the last attempt; 0 without an answer. */
  last_status: number
  last_error: string
  first_at: Instant
}

/** An attempt to deliver an event, or a batch of events. */
export interface SubscriptionAttemptTable {
  company_id: string
  subscription_id: string
  /** Grows by one with each attempt. */
  attempt_no: number
  /** The change number and part of the first event; 0 for a test. */
  entry_no: number
  part: number
  /** The number of events in the body. */
  events: number
  at: Instant
  /** Which attempt it is for its first event, counted from 1. */
  attempt: number
  /** The status of the answer; 0 without one. */
  status: number
  /** `delivered`, or what went wrong. */
  outcome: string
  ms: number
  /** The beginning of the answer, or of the error. */
  excerpt: string
}
