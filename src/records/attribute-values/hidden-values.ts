// Protects hidden records when a value is created: the response must not disclose other periods of the value or its
// relations.
import type { ReadTx } from '../../store/store.ts'
import { relationsOf } from '../shared/master-data/relation-store.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import { notVisible, type RecordAccess } from '../shared/record-access.ts'
import { periodFilter } from './attribute-value.ts'
import type { Period } from './attribute-value-store.ts'

/** Those of the periods with the given starts that are visible to the caller. */
export async function visiblePeriods(
  tx: ReadTx,
  access: RecordAccess,
  value: ValueName,
  starts: readonly number[],
): Promise<number[]> {
  const visible: number[] = []
  for (const periodFrom of starts) {
    if (await access.isVisible(tx, periodFilter(value, periodFrom))) visible.push(periodFrom)
  }
  return visible
}

/** Whether any period of a value is visible to the caller, and with it the relations of the value. */
export async function isAnyVisible(
  tx: ReadTx,
  access: RecordAccess,
  value: ValueName,
  periods: readonly Pick<Period, 'period_from'>[],
): Promise<boolean> {
  if (!access.hasRowRule) return true
  for (const { period_from: periodFrom } of periods) {
    if (await access.isVisible(tx, periodFilter(value, periodFrom))) return true
  }
  return false
}

/** Rejects a conflict with a hidden period as if the new value itself were hidden, so that it is not disclosed. */
export async function requireNoneHidden(
  tx: ReadTx,
  access: RecordAccess,
  value: ValueName,
  overlaps: readonly number[],
): Promise<void> {
  if (!access.hasRowRule) return
  if ((await visiblePeriods(tx, access, value, overlaps)).length < overlaps.length) throw notVisible()
}

/** Whether a new period of a value would disclose relations of periods that are hidden from the caller. */
export async function hasHiddenRelations(
  tx: ReadTx,
  access: RecordAccess,
  value: ValueName,
  periods: readonly Period[],
): Promise<boolean> {
  if (periods.length === 0 || (await isAnyVisible(tx, access, value, periods))) return false
  return (await relationsOf(tx, value.attributeId, value.attributeValue)).length > 0
}
