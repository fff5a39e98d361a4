// What reads, patches and removals have to know of a kind of record.
import type { TObject } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import type { Problem } from '../../errors/problem.ts'
import type { PatchFailure } from '../../patch/failure.ts'
import type { PatchRule } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'
import type { RecordAccess } from './record-access.ts'

/** As permissions name them. */
export type RecordOperation = 'create' | 'read' | 'update' | 'delete'

/** The key of a record below its company. */
export interface RecordKey {
  /** As addresses and messages name its parts. */
  readonly texts: readonly string[]
  /** As the table has them, and the journal. */
  readonly stored: readonly SqlValue[]
}

/** A record as the store finds it, with the number of its last journal entry: its entity tag. */
export interface Versioned {
  readonly change_no: number
}

/** A found record within a write. */
export interface TargetRecord<Found> {
  readonly tx: Tx
  readonly company: CompanyRules
  readonly access: RecordAccess
  readonly key: RecordKey
  readonly found: Found
}

/** A record before and after the operations of a patch. */
export interface RecordPatch<Found, Draft> extends TargetRecord<Found> {
  readonly stored: Draft
  /** The members that the operations leave. */
  readonly given: object
  /** The given members, completed with defaults. */
  readonly draft: Draft
}

export interface RecordType<Found extends Versioned = Versioned, Draft extends object = object> {
  access(caller: Caller, company: CompanyRules, operation: RecordOperation): RecordAccess
  /** The key that an address names by the texts of its parts. Throws 404 when the company can have no such record. */
  keyOf(company: CompanyRules, texts: readonly string[]): RecordKey
  /** Selects the row of a key within its company. */
  filterOf(key: RecordKey): KeyFilter
  find(tx: ReadTx, company: CompanyRules, key: RecordKey, access: RecordAccess): Promise<Found | undefined>
  notFound(company: CompanyRules, texts: readonly string[]): Problem
  /** Without the members that are hidden from the caller. */
  redacted(access: RecordAccess, found: Found): Found
  /** The statements that `find` executes for a read. */
  readings(access: RecordAccess): readonly Reading[]
  /** The journal ranges with the changes of a record. */
  journalRanges(key: RecordKey): readonly KeyRange[]

  /** The schema against which the paths of a patch are resolved. */
  schema(company: CompanyRules, access: RecordAccess): TObject
  readonly patchRules: readonly PatchRule[]
  /** The status when operations cannot be applied. */
  patchStatus(failures: readonly PatchFailure[]): 400 | 422
  /** The found record with its members. Throws when it can no longer be changed. */
  stored(company: CompanyRules, found: Found, access: RecordAccess): Draft
  draftOf(company: CompanyRules, given: object, access: RecordAccess): Draft
  /** Checks a changed record by the rules of a new one. Throws all findings; returns the draft to be saved. */
  check(change: RecordPatch<Found, Draft>): Promise<Draft>
  /** Writes a changed record with its journal entry. */
  save(change: RecordPatch<Found, Draft>): Promise<Found>
  /** The key of a changed record, where a change can change it. */
  keyAfter?(draft: Draft): RecordKey

  /** Throws when the record cannot be removed by itself, whatever its version. */
  requireRemovable?(target: TargetRecord<Found>): void | Promise<void>
  /** Deletes or closes the record with its journal entry; what is closed already stays as it is. */
  remove(target: TargetRecord<Found>): Promise<void>
}
