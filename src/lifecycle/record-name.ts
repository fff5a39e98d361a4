// A record that may be removed for good, as commands name it and as its rows are found; and what is erased at once: a
// record with the value that it is, all periods of an attribute value, or a document with all revisions.

import { literalOf } from '../query/literals.ts'
import { filterOf, keyFrom } from '../records/engine/record.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import type { RemovableKind } from '../records/kinds/kind.ts'
import type { ValueName } from '../records/shared/master-data/value-store.ts'
import type { RecordKey } from '../records/shared/record-type.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'

export interface RecordName {
  readonly kind: RemovableKind
  /** Names what is erased at once by its first parts alone. */
  readonly key: RecordKey
}

/** The record of a row of its Enterprise Document. */
export function recordOf(kind: RemovableKind, row: Readonly<Record<string, unknown>>): RecordName {
  const texts = kind.keyNames.map((name) => String(row[name]))
  const key = keyFrom(kind, texts)
  if (!key) throw new Error(`${texts.join(' ')} is no key of ${kind.name}`)
  return { kind, key }
}

/** What a record is erased with. */
export function subjectOf({ kind, key: { texts, stored } }: RecordName): RecordName {
  return { kind, key: { texts: texts.slice(0, kind.subjectParts), stored: stored.slice(0, kind.subjectParts) } }
}

/** Selects the row of the record within its company. */
export function keyFilterOf({ kind, key }: RecordName): KeyFilter {
  return filterOf(kind, key)
}

/** As a line of output names the record: `customer C-100`. */
export function labelOf({ kind, key }: RecordName): string {
  return `${kind.word} ${key.texts.join(kind === valueKind ? ' ' : '/')}`
}

/** As commands name what is erased, such as `customer 100010`. */
export function printedName({ kind, key }: RecordName): string {
  return `${kind.word} ${key.texts.join(' ')}`
}

/** The attribute value that others refer to when they refer to the record; undefined where it is none. */
export function valueBehind(company: CompanyRules, { kind, key }: RecordName): ValueName | undefined {
  return kind.valueBehind(company, key.stored)
}

type Part = readonly [property: string, value: string]

/** The condition for the records that follow in the order of the key, for work on a few records at a time. */
export function isAfter({ kind, key }: RecordName): string {
  return follows(kind.keyNames.map((name, at) => [name, key.texts[at] ?? '']))
}

/** A literal takes the type of the property beside it. */
function follows([[name, value] = ['', ''], ...rest]: readonly Part[]): string {
  const isGreater = `${name} gt ${literalOf(value)}`
  return rest.length === 0 ? isGreater : `(${isGreater} or ${name} eq ${literalOf(value)} and ${follows(rest)})`
}
