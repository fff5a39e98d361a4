// The draft of an attribute value, its key, and its error messages.
import { memo } from '../../base/memo.ts'
import type { Findings } from '../../errors/findings.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import { filterOf, keyOf } from '../engine/record.ts'
import type { RecordDraft } from '../engine/record-kind.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { required } from '../shared/required-field.ts'

export const ENTITY = 'attribute-value'

const KEY = { record: AttributeValue, keyNames: ['attributeId', 'attributeValue', 'periodFrom'] }

/** Selects the row of a period within its company. */
export function periodFilter({ attributeId, attributeValue }: ValueName, periodFrom: number): KeyFilter {
  return filterOf(KEY, keyOf(KEY, { attributeId, attributeValue, periodFrom }))
}

/** The draft with what follows from its attribute. */
export function withNames(draft: RecordDraft, company: CompanyRules): RecordDraft {
  const attribute = company.attributes.get(String(draft.attributeId))
  if (!attribute) return draft
  const owner = company.attributes.get(attribute.owner ?? '')
  return {
    ...draft,
    attributeName: attribute.name,
    ownerAttributeId: attribute.owner ?? '',
    ownerAttributeName: owner?.name ?? '',
  }
}

/** The attribute of a draft; undefined where it is not known. Adds what is wrong with it. */
export function attributeOf(
  company: CompanyRules,
  { attributeId, attributeValue }: RecordDraft,
  findings: Findings,
): AttributeRules | undefined {
  if (findings.has('attributeId')) return undefined
  if (attributeId === '') findings.add('attributeId', 1010, required('attributeId'))
  const attribute = company.attributes.get(String(attributeId))
  if (attribute) {
    if (!attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
  } else if (attributeId !== '') findings.add('attributeId', 3010, notAnAttribute(String(attributeId)))
  // Without a known attribute, the only rule for the value is that it is required.
  if (!attribute && attributeValue === '' && !findings.has('attributeValue')) {
    findings.add('attributeValue', 1010, required('attributeValue'))
  }
  return attribute
}

export function notAnAttribute(attributeId: string): string {
  return `${attributeId} is not a valid attribute`
}

export function overlapMessage(attributeValue: string, overlaps: readonly number[]): string {
  return `The period overlaps that of ${attributeValue} from ${overlaps.join(', ')}`
}

/** The definition for the collection of one attribute: the fields of the resource without its lists. */
export const baseDataOf = memo((definition: DocumentDefinition): DocumentDefinition => {
  const { lastUpdated: _when, contactPoints: _points, relatedValues: _related, ...properties } = definition.properties
  return { ...definition, properties }
})
