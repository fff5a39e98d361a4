// A batch operation: rows that a client has sent in one body, and that are imported in the background.
import type { PatchManner } from '../transfer/patch-importer.ts'
import type { DayOrder, DecimalSign } from '../transfer/rows/cell-forms.ts'
import type { Encoding } from '../transfer/rows/text-form.ts'

/** New, working, completed, terminated by the service, ended with an error, cancelled. */
export const STATES = ['N', 'W', 'C', 'T', 'E', 'K'] as const
type State = (typeof STATES)[number]
/** How an operation ends by itself. */
export type EndState = 'C' | 'T' | 'E'

/** A file in the body of an operation. */
export interface BodyFile {
  readonly name: string
  /** Its media type. */
  readonly type: string
  /** Its bytes, from 0; `end` is behind the last one. */
  readonly start: number
  readonly end: number
}

export interface BatchOptions {
  /** `form`: files in a form, each of one of the others. */
  readonly format: 'csv' | 'ndjson' | 'form'
  /** Only a form has files. */
  readonly files?: readonly BodyFile[]
  /** Records that exist already are changed instead of rejected. */
  readonly update: boolean
  /** Every row is checked, and nothing is stored. */
  readonly validateOnly: boolean
  /** Ids of the rows are kept where a series gives them. */
  readonly keepIds?: boolean
  /** Missing values of these attributes are added. */
  readonly addCodes?: readonly string[]
  /** Rows are patches of records that exist. */
  readonly patch?: PatchManner
  readonly encoding?: Encoding
  readonly separator?: string
  readonly decimal?: DecimalSign
  readonly dates?: DayOrder
}

/** As what the rows of a file were read. */
export interface ReadWith {
  readonly encoding: string
  /** Only CSV has one, as it has all that follows. */
  readonly separator?: string
  readonly decimal?: DecimalSign
  readonly dates?: readonly string[]
}

export interface AddedCodes {
  readonly attributeId: string
  readonly count: number
  /** The first of them. */
  readonly values: readonly string[]
}

export interface BatchOperation {
  readonly id: string
  /** The document that its rows are records of. */
  readonly document: string
  readonly options: BatchOptions
  readonly clientId: string
  readonly userId: string
  readonly requestId: string
  /** The content of the body; the hash is empty when it is not needed any more. */
  readonly file: { readonly hash: string; readonly size: number }
  readonly state: State
  readonly message: string
  readonly readWith: ReadWith | undefined
  readonly codes: readonly AddedCodes[]
  /** The last line of the last part that is completed. */
  readonly line: number
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  /** How often it was begun since the last part was completed. */
  readonly attempts: number
  readonly createdAt: string
  /** Empty before, as the end. */
  readonly startedAt: string
  readonly updatedAt: string
  readonly endedAt: string
}

export function isOpen({ state }: BatchOperation): boolean {
  return state === 'N' || state === 'W'
}

/** A row that was not imported. */
export interface RejectedRow {
  readonly line: number
  /** The properties of its key, as far as they were given. */
  readonly key: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
}

interface Finding {
  readonly code?: number
  /** The path of the property, or the heading of the column; empty for the row as a whole. */
  readonly field: string
  readonly message: string
}
