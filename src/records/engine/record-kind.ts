// A kind of record as the engine writes it: what a setup says of it in one company, and what the kind does by itself.
import type { TObject } from 'typebox'
import type { FieldPath, Findings } from '../../errors/findings.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { ContactPoint } from '../../model/records/contact-point.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import type { LinesRules, OwnerRules, RecordRules } from '../../setup/rules/record-rules.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { RecordValue } from '../shared/master-data/record-value-store.ts'
import type { StoredRelation } from '../shared/master-data/relation-store.ts'
import type { Checking, ValueName } from '../shared/master-data/value-store.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { RecordKey } from '../shared/record-type.ts'

/** Customers of a company, attribute values, or the records of a declaration. */
export interface RecordKind extends RecordRules {
  /** As the company has it: with what its setup names. */
  readonly schema: TObject
  readonly document: DocumentDefinition
  /** As journal entries name a record of it. */
  readonly journalEntity: string
  readonly words: KindWords
  /** The status when the operations of a patch cannot be applied. */
  readonly patchStatus?: 422
  /** Throws 404 for an address that no record of the company can have. */
  readonly requireAddress?: (company: CompanyRules, texts: readonly string[]) => void
  /** The draft of a request, with every value in its one form. */
  readonly normalised: (draft: RecordDraft, company: CompanyRules) => RecordDraft
  /**
   * Checks what a record itself says, and adds the findings. Values that equal the stored ones were legal when they
   * were written and are not checked again. A promise where the database is asked.
   */
  readonly check: (
    checking: Checking,
    subject: RecordSubject | undefined,
    change: DraftChange,
  ) => Promise<void> | undefined
  /** Checks a changed record beside others of its kind, as far as they are visible, and adds the findings. */
  readonly checkOthers?: (tx: ReadTx, access: RecordAccess, change: DraftChange, findings: Findings) => Promise<void>
  /** Throws when a record cannot be removed, whatever its version. */
  readonly requireRemovable?: (company: CompanyRules, key: RecordKey) => void
  /** Ids that are given are kept where a series gives them: a company moves in from another system. */
  readonly keepsIds?: boolean
  /** Texts that a record must have and that may be any: one that was erased says so there. */
  readonly freeTexts: readonly (readonly string[])[]
  /** How the value of an attribute that a record is describes it, where that is stored beside the record. */
  readonly describe?: (draft: RecordDraft) => Pick<RecordValue, 'description' | 'status'>
  /** Where records are values themselves: the value that a key names. */
  readonly valueIn?: (key: RecordKey) => ValueName
  /** The attribute of such a value; adds what is wrong with it to the findings. */
  readonly attributeOf?: (company: CompanyRules, draft: RecordDraft, findings: Findings) => AttributeRules | undefined
  /** The value that owns the one of a draft, where its attribute has owners. */
  readonly ownerIn?: (subject: RecordSubject, draft: RecordDraft) => ValueName | undefined
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
interface KindWords {
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
