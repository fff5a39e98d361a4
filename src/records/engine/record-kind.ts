// A kind of record as the engine writes it: what a setup says of it in one company, and what the kind does by itself.
import type { TObject } from 'typebox'
import type { FieldPath } from '../../errors/findings.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { ContactPoint } from '../../model/records/contact-point.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import type { LinesRules, OwnerRules, RecordRules } from '../../setup/rules/record-rules.ts'
import type { AttributeRules } from '../../setup/rules/rules.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import type { RecordValue } from '../shared/master-data/record-value-store.ts'
import type { StoredRelation } from '../shared/master-data/relation-store.ts'
import type { Checking } from '../shared/master-data/value-store.ts'

/** Customers of a company, or the records of a declaration. */
export interface RecordKind extends RecordRules {
  /** As the company has it: with what its setup names. */
  readonly schema: TObject
  readonly document: DocumentDefinition
  /** As journal entries name a record of it. */
  readonly journalEntity: string
  readonly words: KindWords
  /** The draft of a request, with every value in its one form. */
  readonly normalised: (draft: RecordDraft) => RecordDraft
  /**
   * Checks what a record itself says, and adds the findings. Values that equal the stored ones were legal when they
   * were written and are not checked again. A promise where the database is asked.
   */
  readonly check: (
    checking: Checking,
    subject: RecordSubject | undefined,
    change: DraftChange,
  ) => Promise<void> | undefined
  /** Ids that are given are kept where a series gives them: a company moves in from another system. */
  readonly keepsIds?: boolean
  /** Texts that a record must have and that may be any: one that was erased says so there. */
  readonly freeTexts: readonly (readonly string[])[]
  /** How the value of an attribute that a record is describes it. */
  readonly describe: (draft: RecordDraft) => Pick<RecordValue, 'description' | 'status'>
  readonly lines: readonly LinesKind[]
  readonly owner: OwnerKind | undefined
}

export interface LinesKind extends LinesRules {
  readonly rules: RecordKind
}

export interface OwnerKind extends OwnerRules {
  readonly rules: RecordKind
}

/** What messages call a kind. */
export interface KindWords {
  /** One record, in front of its key. */
  readonly record: string
  /** The parts of the key, where a record is not found. */
  readonly keyTitles: readonly string[]
  /** The last part of the key, where the service gives it. */
  readonly numberedTitle: string
  /** What the setup of a company that keeps none lacks. */
  readonly source: string
}

/** The attribute whose values the records are. */
export interface RecordSubject {
  readonly attributeId: string
  readonly attribute: AttributeRules
}

/** A complete record. The lists that several kinds have are there where the kind has them. */
export interface RecordDraft extends Readonly<Record<string, unknown>> {
  readonly contactPoints?: ContactPoint[]
  readonly relatedValues?: RelatedValue[]
}

/** The members given by a caller or left by a patch; a member may be absent. */
export type GivenRecord = Readonly<Record<string, unknown>>

/** The key of a record below its company. */
export interface RecordKey {
  /** As addresses and messages name its parts. */
  readonly texts: readonly string[]
  /** As the table has them, and the journal. */
  readonly stored: readonly SqlValue[]
}

/** A record to be checked and stored. */
export interface DraftChange {
  readonly given: GivenRecord
  /** The given members completed with defaults. */
  readonly draft: RecordDraft
  /** Undefined for a new record. */
  readonly stored: RecordDraft | undefined
  /** The existing relations of the value of a new record. */
  readonly earlier: readonly StoredRelation[]
  /** Records that the same write removes: what is unique in them is free. */
  readonly leaving?: readonly RecordKey[]
}

/** The value at a path of a record; undefined where a member is absent. */
export function valueAt(record: object | undefined, path: FieldPath): unknown {
  let part: unknown = record
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    part = (part as Record<string | number, unknown>)[name]
  }
  return part
}

/** The record with another value at a path to a member. */
export function withValueAt(record: RecordDraft, [name = '', ...rest]: readonly string[], value: unknown): RecordDraft {
  return { ...record, [name]: rest.length === 0 ? value : withValueAt(record[name] as RecordDraft, rest, value) }
}
