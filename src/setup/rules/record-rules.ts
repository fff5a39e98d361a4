// What a setup says of a kind of record in one company: customers, and each declaration alike.
import type { Titles } from '../../model/document.ts'
import type { defineRecord } from '../../model/record-definition.ts'
import type { Fields } from '../../model/record-fields.ts'
import type { FieldRules } from './declared-field-rules.ts'
import type { ClosedState } from './declared-fields.ts'
import type { NumberingRules } from './rules.ts'

export interface RecordRules {
  readonly name: string
  readonly version: number
  readonly record: ReturnType<typeof defineRecord<Fields>>
  /** Without the company. */
  readonly keyNames: readonly string[]
  /** Gives the last property of the key. */
  readonly numbering: NumberingRules | undefined
  /** The attribute whose values the records are. */
  readonly attributeId: string | undefined
  readonly hasContactPoints: boolean
  readonly hasRelations: boolean
  /** What DELETE sets, where the record stays. */
  readonly state: StateRules | undefined
  /** A member that the database keeps as it was written, and that is completed by the setup when it is read. */
  readonly completed?: CompletedMember
  /** What a declaration says of each property with a value, those of the key too. */
  readonly checks: readonly FieldRules[]
  readonly lists: readonly ListRules[]
  readonly references: readonly ReferenceRules[]
  /** The names of the properties that are computed. */
  readonly computed: readonly string[]
  readonly lines: readonly LinesRules[]
  /** The document whose lines the records are. */
  readonly owner: OwnerRules | undefined
}

export interface StateRules {
  readonly path: readonly string[]
  /** What DELETE sets. */
  readonly closed: string
  /** What states say to people, where that is declared. */
  readonly meanings?: StateMeanings
  /** How the state may change, where that is declared. */
  readonly machine?: StateMachine | undefined
}

export type StateMeanings = Readonly<Record<string, 'success' | 'failure' | 'waiting'>>

export interface StateMachine {
  /** A new record has this one. */
  readonly initial: string
  readonly states: ReadonlySet<string>
  readonly transitions: readonly Transition[]
  /** By the state of a record: the members that are filled then. */
  readonly requires: ReadonlyMap<string, readonly (readonly string[])[]>
  /** By the state of a record: the members that do not change any more. */
  readonly locks: ReadonlyMap<string, readonly (readonly string[])[]>
}

export interface Transition {
  readonly from: string
  readonly to: string
  readonly titles: Titles | undefined
  /** One of these is needed; undefined: no role in particular. */
  readonly roles: readonly string[] | undefined
}

/** The records of another document that refer to a record by the first part of their key. */
export interface LinesRules {
  readonly name: string
  /** The name of the other document. */
  readonly document: string
  /** The rules of the other document, which are made after these. */
  readonly rules: RecordRules
  /** Whether they are removed with their record, which otherwise is not removed. */
  readonly isCascaded: boolean
}

/** The table of the records that have lines, with the columns of its key. */
export interface OwnerRules {
  /** What a record of it calls its lines. */
  readonly name: string
  /** The rules of the records that have them, which are made before or after these. */
  readonly rules: RecordRules
  readonly table: string
  readonly keyColumns: readonly string[]
  /** Where its state locks the lines. */
  readonly lock: LinesLock | undefined
}

export interface LinesLock {
  /** The document, and what it calls the lines. */
  readonly document: string
  readonly name: string
  readonly column: string
  readonly states: readonly string[]
}

/** How many items a list of a record has. */
export interface ListRules {
  readonly name: string
  readonly column: string
  readonly least: number
  readonly most: number
}

export interface CompletedMember {
  readonly name: string
  readonly column: string
  /** The JSON of the member now, from what is stored. */
  readonly complete: (stored: string) => string
}

/** A record of another document that must exist, unless all properties of its key are empty. */
export interface ReferenceRules {
  readonly name: string
  /** The name of the other document. */
  readonly document: string
  /** The properties of this document with the other's key, in its order and without the company. */
  readonly key: readonly (readonly string[])[]
  readonly keyColumns: readonly string[]
  /** The other's columns with its key. */
  readonly otherColumns: readonly string[]
  /** What nothing may newly refer to. */
  readonly closed: ClosedState | undefined
}
