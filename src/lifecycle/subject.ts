// What is erased, as the journal, the notes of erasures and stored responses have it.
import { createHash } from 'node:crypto'
import { addressOf, filterOf } from '../records/engine/record.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import { documentKind } from '../records/kinds/documents.ts'
import { RELATION_ENTITY } from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { type RecordName, valueBehind } from './record-name.ts'

/** By which a record is found again, in a restored backup, when its key is forgotten. */
export function digestOf({ id }: CompanyRules, { kind, key }: RecordName): string {
  return createHash('sha256')
    .update(JSON.stringify([id, kind.word, ...key.texts]))
    .digest('hex')
}

type JournalRange = readonly [entities: readonly string[], firstParts: readonly (string | number)[]]

/** The records that the journal may have of a subject: kinds, and the first parts of their keys. */
export function journalRangesOf(company: CompanyRules, subject: RecordName): readonly JournalRange[] {
  const { kind, key } = subject
  const value = valueBehind(company, subject)
  const ofValue: JournalRange[] = value
    ? [
        [
          [valueKind.journalEntity, RELATION_ENTITY],
          [value.attributeId, value.attributeValue],
        ],
      ]
    : []
  if (kind === valueKind) return ofValue
  return [[[kind.journalEntity, ...(kind.partEntity ? [kind.partEntity] : [])], key.stored], ...ofValue]
}

/**
 * The texts by which stored responses tell of the subject, also within a response that is stored as a text. `members`
 * are those of records of the setup that refer to it.
 */
export function textsInResponses(company: CompanyRules, subject: RecordName, members: Iterable<string>): string[] {
  const texts = [...new Set([...MEMBERS, ...members])].flatMap((member) =>
    valuesIn(subject).map((value) => `${JSON.stringify(member)}:${value}`),
  )
  const all = subject.kind === documentKind ? valuesIn(subject) : [...texts, ...placesOf(company, subject)]
  return [...all, ...all.map((text) => JSON.stringify(text).slice(1, -1))]
}

/** Members whose value is the key of a customer or an attribute value. */
const MEMBERS = ['customerId', 'attributeValue', 'relationValue', 'relatedValue', 'owner', 'indexValue']

/** The last part of the key as JSON has it; behind a number something else follows. */
export function valuesIn({ key: { texts, stored } }: RecordName): string[] {
  const last = texts.at(-1) ?? ''
  return typeof stored.at(-1) === 'number' ? [`${last},`, `${last}}`] : [JSON.stringify(last)]
}

/** The address of the record, and its row. */
function placesOf(company: CompanyRules, { kind, key }: RecordName): string[] {
  if (!kind.kindIn) return []
  return [`${addressOf(kind.kindIn(company), key)}"`, `"row":${JSON.stringify(filterOf(kind, key))}`]
}
