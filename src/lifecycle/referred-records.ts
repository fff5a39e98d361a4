// Which records are referred to: as values of an attribute, in the ledger, or by their keys.
import { isRecord } from '../records/engine/create-record.ts'
import { keyFrom } from '../records/engine/record.ts'
import type { ValueName } from '../records/kinds/kind.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx } from '../store/store.ts'
import { documentNameOf, keyFilterOf, kindOf, type OwnRecordName, type RecordName, valueBehind } from './record-name.ts'
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
    const texts = some.map((target) => textOf(company, target))
    const found = await findReferred(work, company, { document: documentNameOf(kindOf(first)), attributeId }, texts)
    for (const [at, target] of some.entries()) {
      const by = found.get(texts[at] ?? '')
      if (by !== undefined) referred.set(target, by)
    }
  }
  return referred
}

/** By which others refer to the record. */
function textOf(company: CompanyRules, target: RecordName): string {
  return valueBehind(company, target)?.attributeValue ?? (target.kind === 'own' ? target.key.texts[0] : undefined) ?? ''
}

/** The document with a record that refers to this one by its key, or that is this value. */
export async function findHolder(
  tx: ReadTx,
  { ownRecords }: Pick<RecordsAtWork, 'ownRecords'>,
  target: RecordName,
): Promise<string | undefined> {
  if (target.kind === 'value') return (await findRecordOfValue(tx, ownRecords.values(), target))?.rules.name
  if (target.kind === 'document') return undefined
  const referred = { document: documentNameOf(kindOf(target)), key: keyFilterOf(target) }
  return findReferrer(tx, ownRecords.values(), referred)
}

/** The record of the setup that is this value. */
export async function findRecordOfValue(
  tx: ReadTx,
  ownRecords: Iterable<RecordRules>,
  { attributeId, attributeValue }: ValueName,
): Promise<OwnRecordName | undefined> {
  for (const rules of ownRecords) {
    const key = rules.attributeId === attributeId ? keyFrom(rules, [attributeValue]) : undefined
    if (key && (await isRecord(tx, rules, key))) return { kind: 'own', rules, key }
  }
  return undefined
}
