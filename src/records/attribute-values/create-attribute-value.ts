// How a new value is checked and inserted: it may be a further period of one that is there.
import { conflict } from '../../errors/catalogue.ts'
import type { AttributeValue } from '../../model/records/attribute-value.ts'
import type { AttributeRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { type InsertedRecord, type InsertNew, logNew, type NewRecord, takeNumber } from '../engine/insert-record.ts'
import { keyOf } from '../engine/record.ts'
import { insertRecord } from '../engine/record-store.ts'
import { passId, takesNumber } from '../shared/master-data/numbering-store.ts'
import { addRelatedValues, saveRelatedValues } from '../shared/master-data/related-value.ts'
import { relationsOf } from '../shared/master-data/relation-store.ts'
import { notVisible } from '../shared/record-access.ts'
import { required } from '../shared/required-field.ts'
import { overlapMessage } from './attribute-value.ts'
import { findPeriods, overlapsWith } from './attribute-value-store.ts'
import { hasHiddenRelations, isAnyVisible, requireNoneHidden, visiblePeriods } from './hidden-values.ts'

interface NewValue extends Omit<NewRecord, 'draft'> {
  readonly draft: AttributeValue
  /** Whether the series of the attribute gives the value. */
  readonly isNumbered: boolean
}

/** A key that exists is 409. If it throws a Problem, only the number series may have changed. */
export const insertNewValue: InsertNew = async (tx, lookups, record) => {
  const { kind, company, subject, access, given, findings } = record
  // A new value is always active; a given status is ignored (specification, states).
  const draft = { ...record.draft, status: 'N' } as unknown as AttributeValue
  const attribute = subject?.attribute
  const isNumbered = takesNumber(attribute?.numbering, draft.attributeValue, kind.keepsIds)
  const value = { ...record, draft, isNumbered }
  const mayExist =
    attribute && draft.attributeValue !== '' && (await lookups.mayExist(attribute.id, draft.attributeValue))
  const stored = mayExist ? await findPeriods(tx, attribute.id, draft.attributeValue) : []
  const relations = stored.length > 0 ? await relationsOf(tx, draft.attributeId, draft.attributeValue) : []
  const isVisible = stored.length === 0 || (await isAnyVisible(tx, access, draft, stored))
  // Relations of a hidden value must not appear in findings.
  const earlier = isVisible ? relations : []
  const asked = kind.check({ values: lookups, company, findings }, subject, {
    given,
    draft,
    stored: undefined,
    earlier,
  })
  if (asked) await asked
  if (!attribute) throw access.refusal(given, findings)
  const overlaps = overlapsWith(stored, draft.periodFrom, draft.periodTo)
  checkNewValue(value, attribute)
  if (stored.length === 0 || !isVisible) checkBlanks(value, attribute)
  if (overlaps.length > 0) await checkOverlaps(tx, value, overlaps)
  if (findings.size > 0) throw access.refusal(given, findings)
  if (overlaps.length > 0) await requireNoneHidden(tx, access, draft, overlaps)
  if (!isVisible && relations.length > 0) throw notVisible()
  if (attribute.numbering && !isNumbered) passId(tx, attribute.numbering, draft.attributeValue)
  const isStored = stored.some(({ period_from }) => Number(period_from) === draft.periodFrom)
  if (isStored && !isNumbered)
    throw conflict(`${draft.attributeValue}: already exists. Please enter a unique value`, { recordExists: true })
  const isFirst = stored.length === 0 && !isNumbered
  return isFirst ? insertFirst(tx, value, attribute) : insertFurther(tx, value, attribute, earlier.length > 0)
}

/** Checks the value itself. */
function checkNewValue({ draft, isNumbered, findings }: NewValue, attribute: AttributeRules): void {
  if (findings.has('attributeValue')) return
  if (isNumbered) {
    if (draft.attributeValue !== '') {
      findings.add('attributeValue', 1010, 'You cannot enter a new ID manually (AttributeValue).')
    }
    return
  }
  if (draft.attributeValue === '') {
    findings.add('attributeValue', 1010, required('attributeValue'))
    return
  }
  const problem = attribute.checkValue(draft.attributeValue)
  if (problem !== undefined) findings.add('attributeValue', 3010, problem)
}

/** What is stored stays legal: it may get a further period (decision 2.3). */
function checkBlanks({ draft, findings }: NewValue, { hasPattern }: AttributeRules): void {
  if (hasPattern || findings.has('attributeValue') || !/\s/.test(draft.attributeValue)) return
  findings.add('attributeValue', 3010, `The value '${draft.attributeValue}' must not have blanks`)
}

/** Checks that no other period of a legal value overlaps. An equal key is not an overlap but a conflict. */
async function checkOverlaps(
  tx: Tx,
  { draft, isNumbered, findings, access }: NewValue,
  overlaps: readonly number[],
): Promise<void> {
  if (findings.has('attributeValue') || isNumbered) return
  const visible = await visiblePeriods(tx, access, draft, overlaps)
  if (visible.length > 0 && !visible.includes(draft.periodFrom) && !findings.has('periodFrom')) {
    findings.add('periodFrom', 3010, overlapMessage(draft.attributeValue, visible))
  }
}

/** Inserts a value that exists in no period: its key is free, and it has no relations yet. */
function insertFirst(tx: Tx, value: NewValue, attribute: AttributeRules): InsertedRecord | Promise<InsertedRecord> {
  const { kind, company, draft } = value
  const subject = { attribute, attributeValue: draft.attributeValue }
  const tag = (addRelatedValues(tx, company, subject, draft.relatedValues) ?? tx).entryNo
  insertRecord(tx, kind, draft, tag)
  return logNew(tx, value, draft, keyOf(kind, draft), tag, false)
}

/**
 * Inserts a further period of a value, or a numbered value: the number may be that of an existing value in another
 * period.
 */
async function insertFurther(
  tx: Tx,
  value: NewValue,
  attribute: AttributeRules,
  hasRelations: boolean,
): Promise<InsertedRecord> {
  const { kind, company, isNumbered } = value
  const draft = isNumbered ? await numberedDraft(tx, value, attribute) : value.draft
  insertRecord(tx, kind, draft, tx.entryNo)
  const subject = { attribute, attributeValue: draft.attributeValue }
  const tag = await saveRelatedValues(tx, company, subject, [], draft.relatedValues)
  return logNew(tx, value, draft, keyOf(kind, draft), tag ?? tx.entryNo, hasRelations || isNumbered)
}

/** With a number of the series. */
function numberedDraft(tx: Tx, value: NewValue, { id, numbering }: AttributeRules): Promise<AttributeValue> {
  return takeNumber(tx, value, numbering, value.draft, 'attributeValue', async (numbered) => {
    const periods = await findPeriods(tx, id, numbered.attributeValue)
    const isTaken = periods.some(({ period_from }) => Number(period_from) === numbered.periodFrom)
    return isTaken || hasHiddenRelations(tx, value.access, numbered, periods)
  })
}
