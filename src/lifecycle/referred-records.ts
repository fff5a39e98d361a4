// Which records are referred to: as values of an attribute, in the ledger, or by their keys.
import { keyFrom } from '../records/engine/record.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import { removableKindOf } from '../records/kinds/engine-records.ts'
import type { RemovableKind, ValueName } from '../records/kinds/kind.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx } from '../store/store.ts'
import { keyFilterOf, type RecordName, valueBehind } from './record-name.ts'
import type { RecordsAtWork } from './records-at-work.ts'
import { findReferred } from './references.ts'
import { findReferrer } from './referrers-store.ts'

/** Those of the records that something refers to by a text, each with the name of a document that does. */
export async function findReferredRecords(
  work: RecordsAtWork,
  company: CompanyRules,
  targets: readonly RecordName[],
): Promise<ReadonlyMap<RecordName, string>> {
  const referred = new Map<RecordName, string>()
  const groups = Map.groupBy(targets, (target) => valueBehind(company, target)?.attributeId)
  for (const [attributeId, some] of groups) {
    const [first] = some
    if (!first) continue
    const texts = some.map((target) => valueBehind(company, target)?.attributeValue ?? target.key.texts[0] ?? '')
    const found = await findReferred(work, company, { document: first.kind.document, attributeId }, texts)
    for (const [at, target] of some.entries()) {
      const by = found.get(texts[at] ?? '')
      if (by !== undefined) referred.set(target, by)
    }
  }
  return referred
}

/** The document with a record that refers to this one by its key, or that is this value. */
export async function findHolder(
  tx: ReadTx,
  { declaredRecords }: Pick<RecordsAtWork, 'declaredRecords'>,
  company: CompanyRules,
  target: RecordName,
): Promise<string | undefined> {
  const value = target.kind === valueKind ? valueBehind(company, target) : undefined
  const own = declaredRecords.values()
  if (value) return (await findRecordOfValue(tx, company, own.map(removableKindOf), value))?.kind.name
  return findReferrer(tx, own, { document: target.kind.document, key: keyFilterOf(target) })
}

/** The record of one of these kinds that is this value. */
export async function findRecordOfValue(
  tx: ReadTx,
  company: CompanyRules,
  kinds: Iterable<RemovableKind>,
  { attributeId, attributeValue }: ValueName,
): Promise<RecordName | undefined> {
  for (const kind of kinds) {
    const key = kind.kindIn?.(company).attributeId === attributeId ? keyFrom(kind, [attributeValue]) : undefined
    if (key && (await kind.find(tx, company, key.stored)).text !== '') return { kind, key }
  }
  return undefined
}
