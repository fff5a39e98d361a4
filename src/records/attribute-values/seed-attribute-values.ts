import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { insertRecord, updateRecord } from '../engine/record-store.ts'
import { draftOf, ENTITY, journalKey, storedDraft } from './attribute-value.ts'
import { findValue, listDescriptions, VALUES, type ValueKey } from './attribute-value-store.ts'

/** Creates the values of a setup that exist in no period, and updates descriptions that differ. */
export async function seedAttributeValues(
  tx: Tx,
  _company: CompanyRules,
  attributeId: string,
  descriptions: Readonly<Record<string, string>>,
): Promise<{ created: number; changed: number }> {
  const stored = await listDescriptions(tx, attributeId, descriptions)
  let [created, changed] = [0, 0]
  for (const [attributeValue, description] of Object.entries(descriptions)) {
    const periods = stored.get(attributeValue)
    if (!periods) {
      await create(tx, attributeId, attributeValue, description)
      created += 1
      continue
    }
    for (const period of periods) {
      if (period.description === description) continue
      await describe(tx, { attributeId, attributeValue, periodFrom: period.periodFrom }, description)
      changed += 1
    }
  }
  return { created, changed }
}

async function create(setup: Tx, attributeId: string, attributeValue: string, description: string): Promise<void> {
  const tx = setup.nextEntry()
  const draft = draftOf({ attributeId, attributeValue, description })
  insertRecord(tx, VALUES, draft, tx.entryNo)
  const key = { attributeId, attributeValue, periodFrom: draft.periodFrom }
  await write(tx, key, 'create', '')
}

async function describe(setup: Tx, key: ValueKey, description: string): Promise<void> {
  const tx = setup.nextEntry()
  const before = await findValue(tx, key)
  if (!before) return
  const stored = storedDraft(before)
  updateRecord(tx, VALUES, stored, { ...stored, description })
  await write(tx, key, 'update', before.body)
}

async function write(tx: Tx, key: ValueKey, operation: 'create' | 'update', before: string): Promise<void> {
  const after = await findValue(tx, key)
  if (!after) throw new Error(`the value ${key.attributeValue} cannot be found after its setup`)
  writeEntry(tx, { entity: ENTITY, key: journalKey(key), operation, before, after: after.body })
}
