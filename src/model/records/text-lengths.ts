// Maximum text lengths of records in characters, by field name at any depth. A setup may lower each
// length for a company.

import { textLengthsOf } from '../record-fields.ts'
import { AttributeValue } from './attribute-value.ts'
import { BUILT_IN_RECORDS } from './built-in.ts'
import { Document, Revision } from './document.ts'

const DEFINITIONS = [...BUILT_IN_RECORDS.map(({ record }) => record), AttributeValue, Document, Revision]

export const TEXT_LENGTHS: Readonly<Record<string, number>> = Object.assign(
  {},
  ...DEFINITIONS.map(({ fields }) => textLengthsOf(fields)),
)

/** The text lengths of a company. */
export class TextLengths {
  readonly #lowered: Readonly<Partial<Record<string, number>>>
  /** The smallest limit: a text of this length fits every field. */
  readonly shortest: number

  constructor(lowered: Readonly<Partial<Record<string, number>>> = {}) {
    this.#lowered = lowered
    this.shortest = Math.min(...Object.values(TEXT_LENGTHS), ...Object.values(lowered).map(Number))
  }

  /** The limit of a field; undefined for a field that is limited otherwise, such as a code. */
  of(field: string): number | undefined {
    return this.#lowered[field] ?? TEXT_LENGTHS[field]
  }
}

/** The length of a custom field if the setup does not specify one. */
export const CUSTOM_TEXT_LENGTH = 4_000
