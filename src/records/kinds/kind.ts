// A kind of records that the journal tells of, as other modules see it: how its records are named, found as they are
// now, and read as the rows that they were stored as, over which a filter is asked of any state.
import type { DocumentDefinition } from '../../model/document.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import type { ReadTx } from '../../store/store.ts'
import type { RecordKind } from '../engine/record-kind.ts'

/** Columns by their names, in the stored form; decimals in units of their last digit. */
export type Columns = Readonly<Record<string, SqlValue>>

/** The rows of one state of a record. */
export interface StateRow {
  /** The row of the record's own table. */
  readonly columns: Columns
  /** The rows of the tables of its lists, in the order of the list. */
  readonly items: Readonly<Record<string, readonly Columns[]>>
}

/** A record as the log has it. */
export interface RecordText {
  /** Empty when the record is not there. */
  readonly text: string
  /** Columns that the text does not show. */
  readonly unseen: Columns
}

export interface ValueName {
  readonly attributeId: string
  readonly attributeValue: string
}

/** The parts of a key below the company, in the order of the key in the journal. */
export type JournalKey = readonly (string | number)[]

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
  /** The document whose rows are found by the number of an entry, where one entry stands for many records. */
  readonly batch?: DocumentDefinition
  /** How the records are found and written, where the engine does that. */
  readonly kindIn?: (company: CompanyRules) => RecordKind
  /** The document of the setup whose records these are: one entry stands for many only in earlier versions. */
  readonly own?: RecordRules
  /** The value of an attribute that a record is, or whose relation it is. */
  valueOf(company: CompanyRules, key: JournalKey): ValueName | undefined
  /** A record as it is now. */
  find(tx: ReadTx, company: CompanyRules, key: JournalKey): Promise<RecordText>
  /**
   * The rows behind the text of a record (of a revision: that of its document). `unseen` are the columns that the text
   * does not show.
   */
  rowOf(company: CompanyRules, text: string, unseen: Columns): StateRow
}

/** Whether entries always stand for many records, which never change. */
export function isBatched({ batch, own }: JournaledKind): boolean {
  return batch !== undefined && own === undefined
}

export function textOf(found: { readonly body: string } | undefined): RecordText {
  return { text: found?.body ?? '', unseen: {} }
}

/** By what the journal calls their records. */
export function byEntity(kinds: Iterable<JournaledKind>): ReadonlyMap<string, JournaledKind> {
  return new Map([...kinds].map((kind) => [kind.journalEntity, kind]))
}
