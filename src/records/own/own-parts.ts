// The parts of a record outside its own row, where it is a value of an attribute: that value, and its relations.
import { coded } from '../../errors/catalogue.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import type { ValueAndRelations } from '../shared/master-data/record-parts.ts'
import { changeRecordValue, type RecordValue } from '../shared/master-data/record-value-store.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import { describingPath, keyOf, type OwnDraft, type OwnKey, valueAt } from './own-record.ts'

/** The attribute whose values the records are. */
export interface RecordSubject {
  readonly attributeId: string
  readonly attribute: AttributeRules
}

/** Undefined for records that are no values. Throws 422 if the company does not have the attribute. */
export function subjectOf({ name, attributeId }: OwnRecordRules, company: CompanyRules): RecordSubject | undefined {
  if (attributeId === undefined) return undefined
  const attribute = company.attributes.get(attributeId)
  if (attribute) return { attributeId, attribute }
  throw coded(422, 3010, `Company ${company.id} keeps no ${name}: its setup has no attribute ${attributeId}.`)
}

/** The journal ranges with the changes of a record: its entries, then those of its relations. */
export function journalRangesOf(rules: OwnRecordRules, { stored }: OwnKey): readonly KeyRange[] {
  const own = { entity: rules.name, firstParts: stored }
  if (!rules.hasRelations || rules.attributeId === undefined) return [own]
  return [own, { entity: RELATION_ENTITY, firstParts: [rules.attributeId, ...stored] }]
}

/** The parts of a record with these members. */
export function partsOf(rules: OwnRecordRules, subject: RecordSubject, draft: OwnDraft): ValueAndRelations {
  const { relatedValues } = draft
  return { value: recordValue(rules, subject, draft), ...(relatedValues ? { relatedValues } : {}) }
}

/** Closes the value of a record that is removed: values stay. */
export async function closeValue(
  tx: Tx,
  rules: OwnRecordRules,
  subject: RecordSubject,
  stored: OwnDraft,
): Promise<void> {
  const value = recordValue(rules, subject, stored)
  await changeRecordValue(tx, value, { ...value, status: CLOSED })
}

const CLOSED = 'C'
const PARKED = 'P'
const ACTIVE = 'N'

/** The longest description of a value. */
const DESCRIPTION_LENGTH = 4_000

function recordValue(rules: OwnRecordRules, { attributeId }: RecordSubject, draft: OwnDraft): RecordValue {
  const describing = describingPath(rules)
  const text = describing ? String(valueAt(draft, describing)) : ''
  return {
    attributeId,
    attributeValue: keyOf(rules, draft).texts[0] ?? '',
    description: [...text].slice(0, DESCRIPTION_LENGTH).join(''),
    status: statusOf(rules, draft),
  }
}

/** A value is closed with its record, and parked where the state of the record is that of a parked value. */
function statusOf({ state }: OwnRecordRules, draft: OwnDraft): string {
  const value = state && valueAt(draft, state.path)
  if (state && value === state.closed) return CLOSED
  return value === PARKED ? PARKED : ACTIVE
}
