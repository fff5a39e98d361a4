// A kind of records that the journal tells of, as other modules see it: how its records are named, found as they are
// now, read as the rows that they were stored as, over which a filter is asked of any state, emptied and removed. The
// properties are those of its definition (`model/records`, or a setup). Where the engine writes its records, `kindIn`
// gives what a company has of it (`RecordKind`): what the setup says (`RecordRules`), with the schema and the checks.
import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import type { FieldPath } from '../../errors/findings.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { Fields } from '../../model/record-fields.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { KeyRules } from '../engine/record.ts'
import type { RecordKind } from '../engine/record-kind.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import type { PatchRequest } from '../shared/record-pipeline.ts'
import type { RecordKey } from '../shared/record-type.ts'
import type { DeclaredRecords, Service } from '../shared/service.ts'
import type { CreateRequest } from '../shared/write-record.ts'

/** Columns by their names, in the stored form; decimals in units of their last digit. */
export type Columns = Readonly<Record<string, SqlValue>>

/** A record as the log has it. */
export interface RecordText {
  /** Empty when the record is not there. */
  readonly text: string
  /** Columns that the text does not show. */
  readonly unseen: Columns
}

/** The parts of a key below the company, in the order of the key in the journal. */
export type JournalKey = readonly (string | number)[]

interface RecordPatches {
  readonly fields: Fields
  /** Changes a record, as PATCH does; `key`: the texts of its parts, in the order of `keyNames`. */
  patch(service: Service, request: PatchRequest): Promise<{ readonly isChanged: boolean }>
}

export interface JournaledKind {
  /** The name of the entity: that of its Enterprise Document, or `document-revisions`. */
  readonly name: string
  /** What the journal calls these records. */
  readonly journalEntity: string
  /** The Enterprise Document whose rights and filters hold for the records. */
  readonly document: string
  /** The properties of the key without the company, in the order of the key in the journal. */
  readonly keyNames: readonly string[]
  /** Whether its records have an entity tag. */
  readonly hasEtag: boolean
  /** Whether the text of a record shows when it was last changed, and by whom. */
  readonly showsStamp: boolean
  /** Whether the text of a record shows the relations of its value, with which it changes. */
  readonly showsRelations: boolean
  /** The document whose rows are found by the number of an entry, which stands for many records that never change. */
  readonly batch?: DocumentDefinition
  /** How the records are found and written, where the engine does that. */
  readonly kindIn?: (company: CompanyRules) => RecordKind
  /** The value of an attribute that a record is, or whose relation it is. */
  valueBehind(company: CompanyRules, key: JournalKey): ValueName | undefined
  /** A record as it is now. */
  find(tx: ReadTx, company: CompanyRules, key: JournalKey): Promise<RecordText>
  /** Creates a record, as POST does; absent where records are not created by their members alone. */
  readonly create?: (service: Service, request: CreateRequest) => Promise<unknown>
  /** Absent where records are not changed by their members alone. */
  readonly patches?: RecordPatches
  /** Creates many records for a caller that may see them all; `keepsIds`: also with ids that a series gives. */
  readonly batches?: (
    caller: Caller,
    company: CompanyRules,
    documents: DeclaredRecords,
    keepsIds: boolean,
  ) => BatchRules<unknown>
  /**
   * The rows behind the text of a record (of a revision: that of its document). `unseen` are the columns that the text
   * does not show.
   */
  rowOf(company: CompanyRules, text: string, unseen: Columns): RowState
}

/** A kind whose records are erased and purged by themselves; those of others go with what they belong to. */
export interface RemovableKind extends JournaledKind, KeyRules {
  /** As commands and notes name a record of it. */
  readonly word: string
  /** What a setup declares of the records. */
  readonly own?: RecordRules
  /** What the journal calls the parts of a record. */
  readonly partEntity?: string
  /** So many parts of the key name what is erased at once; absent: all of them name one record. */
  readonly subjectParts?: number
  /** The keys of all records that are erased at once, where these are several. */
  keysOf?(tx: ReadTx, key: RecordKey): Promise<readonly RecordKey[]>
  /** Removes a record that nothing refers to for good, with everything that belongs to it. */
  remove(tx: Tx, company: CompanyRules, key: RecordKey): Promise<Removed>
  /** Empties what is erased, but something refers to it: its key stays, everything else goes, and it is closed. */
  empty(tx: Tx, company: CompanyRules, key: RecordKey): Promise<void>
}

/** Creates many records of a resource in one write, under the rules of its POST. */
export interface BatchRules<New> {
  /** The values of these attributes that the records name, and that are not there in any period. */
  missing?(tx: Tx, records: readonly New[], attributeIds: ReadonlySet<string>): Promise<readonly ValueName[]>
  /**
   * Throws a Problem when the record cannot be read. With `unread`, the paths of what could not be read before, it is
   * refused when it is created, with all that is wrong with it.
   */
  read(record: JsonObject, unread?: readonly FieldPath[]): New
  /** Looks up what the records need. The returned function creates one, or throws a Problem and changes nothing. */
  prepare(tx: Tx, records: readonly New[]): Promise<CreateOf<New>>
}

/** The type of a method, so that the rules of one kind are also rules of any. */
type CreateOf<New> = { create(tx: Tx, record: New): Promise<unknown> }['create']

/** A record as the journal names it. */
export interface JournalName {
  readonly entity: string
  readonly key: JournalKey
}

export interface Removed {
  /** The records that are gone. */
  readonly records: readonly JournalName[]
  /** The contents of its revisions, each once. */
  readonly contents: readonly string[]
}

export function recordTextOf(found: { readonly body: string } | undefined): RecordText {
  return { text: found?.body ?? '', unseen: {} }
}

/** By what the journal calls their records. */
export function byEntity(kinds: Iterable<JournaledKind>): ReadonlyMap<string, JournaledKind> {
  return new Map([...kinds].map((kind) => [kind.journalEntity, kind]))
}
