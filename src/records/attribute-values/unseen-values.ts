// What a new value must not tell of records that the caller does not see: other periods of the value, and its relations.
import type { ReadTx } from '../../store/store.ts'
import { relationsOf } from '../shared/relation-store.ts'
import { outOfSight, type Sight } from '../shared/sight.ts'
import { rowWith } from './attribute-value.ts'
import { findPeriods, type Period, type ValueKey } from './attribute-value-store.ts'

/** Of the periods of a value that begin so, those that the caller sees. */
export async function seenPeriods(
  tx: ReadTx,
  sight: Sight,
  key: ValueKey,
  starts: readonly number[],
): Promise<number[]> {
  const seen: number[] = []
  for (const periodFrom of starts) {
    if (await sight.seesNow(tx, rowWith({ ...key, periodFrom }))) seen.push(periodFrom)
  }
  return seen
}

/** Whether the caller sees a value in any of its periods, and with it its relations. */
export async function seesAny(
  tx: ReadTx,
  sight: Sight,
  key: ValueKey,
  periods: readonly Pick<Period, 'period_from'>[],
): Promise<boolean> {
  if (!sight.isPartial) return true
  for (const { period_from: periodFrom } of periods) {
    if (await sight.seesNow(tx, rowWith({ ...key, periodFrom }))) return true
  }
  return false
}

/** What is in the way and not seen refuses as if the new value itself were out of sight: nobody finds out that it is there. */
export async function requireNoneUnseen(
  tx: ReadTx,
  sight: Sight,
  key: ValueKey,
  overlaps: readonly number[],
): Promise<void> {
  if (!sight.isPartial) return
  if ((await seenPeriods(tx, sight, key, overlaps)).length < overlaps.length) throw outOfSight()
}

/** Whether a new period of a value would show relations of others that the caller does not see. */
export async function hasUnseenRelations(tx: ReadTx, sight: Sight, key: ValueKey): Promise<boolean> {
  if (!sight.isPartial) return false
  const periods = await findPeriods(tx, key.attributeId, key.attributeValue)
  if (periods.length === 0 || (await seesAny(tx, sight, key, periods))) return false
  return (await relationsOf(tx, key.attributeId, key.attributeValue)).length > 0
}
