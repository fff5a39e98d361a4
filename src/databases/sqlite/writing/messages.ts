// What a write of many records and the thread that stores them tell each other: lists of plain values, because objects
// take several times as long to be copied from one thread to another.
import type { Bindable, SqlValue } from '../../../sql/dialect.ts'
import type { ChainStart, EntryMembers } from '../../../store/chain/audit-chain.ts'
import type { Actor, RowTarget } from '../../../store/store.ts'

export interface ThreadData {
  readonly file: string
  readonly leavesLog: boolean
}

/** A statement that the thread has not run yet. */
export interface NewStatement {
  readonly no: number
  readonly text: string
  /** The number of its parameters. */
  readonly parameters: number
}

/** What a write has done since its last message. */
export interface HandedWork {
  readonly newStatements: readonly NewStatement[]
  /** The numbers of the statements to be run, in their order. */
  readonly statements: readonly number[]
  /** Their parameters, those of each behind those of the one before. */
  readonly parameters: readonly Bindable[]
  readonly entries: EntryList
  /** The entry number that was taken last. */
  readonly entryNo: number
}

/** As `insertRows` of a write. */
interface InsertAsked {
  readonly kind: 'insert'
  /** The number of the entry that stands for the rows. */
  readonly entryNo: number
  readonly into: RowTarget
  readonly rows: readonly (readonly SqlValue[])[]
}

/** What the write waits for. */
export type WriteQuestion =
  /** `get`: the first row. */
  | { readonly kind: 'get' | 'all' | 'run'; readonly statement: number; readonly parameters: readonly Bindable[] }
  | InsertAsked

export interface BeginRequest {
  readonly kind: 'begin'
  readonly companyId: string
  readonly actor: Actor
  readonly at: string
}

export type ThreadRequest =
  | BeginRequest
  | { readonly kind: 'work'; readonly work: HandedWork; readonly question: WriteQuestion | undefined }
  | { readonly kind: 'commit' | 'rollback' | 'close' }

/** The answer to `begin`. */
export interface Begun extends ChainStart {
  readonly entryNo: number
  readonly setupVersion: number
}

/** The answer to a question for rows: each is a list. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
}

/** Each request has one, in their order. */
export type ThreadReply = { readonly value: unknown } | { readonly failure: ThreadFailure }

export interface ThreadFailure {
  readonly message: string
  /** The extended result code, where SQLite has refused. */
  readonly errcode: number | undefined
}

/** What many entries of the change log have in common. */
type Origin = Pick<EntryMembers, (typeof ORIGIN)[number]>

const ORIGIN = ['company_id', 'entity', 'operation', 'user_id', 'client_id', 'at', 'request_id'] as const
/** The place of the origin, and what an entry has of its own. */
type Listed = [origin: number, entryNo: number, recordKey: string, before: string, after: string]
const LISTED = 5

export interface EntryList {
  readonly origins: readonly Origin[]
  /** The values of each entry behind those of the one before. */
  readonly values: readonly (string | number)[]
}

export function listOf(entries: readonly EntryMembers[]): EntryList {
  const origins: EntryMembers[] = []
  const values: (string | number)[] = []
  for (const entry of entries) {
    let at = origins.findIndex((other) => ORIGIN.every((name) => other[name] === entry[name]))
    if (at === -1) at = origins.push(entry) - 1
    values.push(at, entry.entry_no, entry.record_key, entry.before, entry.after)
  }
  return { origins: origins.map(({ entry_no, record_key, before, after, ...origin }) => origin), values }
}

export function* entriesOf({ origins, values }: EntryList): Generator<EntryMembers> {
  for (let at = 0; at < values.length; at += LISTED) {
    const [origin, entry_no, record_key, before, after] = values.slice(at, at + LISTED) as Listed
    yield { ...(origins[origin] as Origin), entry_no, record_key, before, after }
  }
}
