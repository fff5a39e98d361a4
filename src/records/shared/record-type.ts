// What reads, patches and removals have to know of a kind of record. Creating differs more than it agrees: each
// resource has its own function for it.
import type { TObject } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import type { Problem } from '../../errors/problem.ts'
import type { PatchFailure } from '../../patch/failure.ts'
import type { PatchRule } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'
import type { RecordAccess } from './record-access.ts'

/** As permissions name them. */
export type RecordOperation = 'create' | 'read' | 'update' | 'delete'

/** A record as the store finds it, with the number of its last journal entry: its entity tag. */
export interface Versioned {
  readonly change_no: number
}

/** A found record within a write. */
export interface TargetRecord<Key, Found> {
  readonly tx: Tx
  readonly company: CompanyRules
  readonly access: RecordAccess
  readonly key: Key
  readonly found: Found
}

/** A record before and after the operations of a patch. */
export interface RecordPatch<Key, Found, Draft> extends TargetRecord<Key, Found> {
  readonly stored: Draft
  /** The members that the operations leave. */
  readonly given: object
  /** The given members, completed with defaults. */
  readonly draft: Draft
}

export interface RecordType<Requested, Key, Found extends Versioned, Draft extends object> {
  access(caller: Caller, company: CompanyRules, operation: RecordOperation): RecordAccess
  /** The key that a request names. Throws 404 when the company can have no such record. */
  keyOf(company: CompanyRules, requested: Requested): Key
  /** Selects the row of a key within its company. */
  filterOf(key: Key): KeyFilter
  find(tx: ReadTx, company: CompanyRules, key: Key, access: RecordAccess): Promise<Found | undefined>
  notFound(company: CompanyRules, key: Key | Requested): Problem
  /** Without the members that are hidden from the caller. */
  redacted(access: RecordAccess, found: Found): Found
  /** The statements that `find` executes for a read. */
  readings(access: RecordAccess): readonly Reading[]
  /** The parts of the key as the journal stores them. */
  journalKey(key: Key): readonly (string | number)[]
  /** The journal ranges with the changes of a record. */
  journalRanges(company: CompanyRules, key: Key): readonly KeyRange[]

  /** The schema against which the paths of a patch are resolved. */
  schema(company: CompanyRules, access: RecordAccess): TObject
  readonly patchRules: readonly PatchRule[]
  /** The status when operations cannot be applied. */
  patchStatus(failures: readonly PatchFailure[]): 400 | 422
  /** The found record with its members. Throws when it can no longer be changed. */
  stored(company: CompanyRules, found: Found, access: RecordAccess): Draft
  draftOf(company: CompanyRules, given: object, access: RecordAccess): Draft
  /** Checks a changed record by the rules of a new one. Throws all findings; returns the draft to be saved. */
  check(change: RecordPatch<Key, Found, Draft>): Promise<Draft>
  /** Writes a changed record with its journal entry. */
  save(change: RecordPatch<Key, Found, Draft>): Promise<Found>
  /** The key of a changed record, where a change can change it. */
  keyAfter?(draft: Draft): Key

  /** Throws when the record cannot be removed by itself, whatever its version. */
  requireRemovable?(target: TargetRecord<Key, Found>): void | Promise<void>
  /** Deletes or closes the record with its journal entry; what is closed already stays as it is. */
  remove(target: TargetRecord<Key, Found>): Promise<void>
}
