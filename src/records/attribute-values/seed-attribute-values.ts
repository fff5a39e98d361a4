import { readStored } from '../../model/fill-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { draftOf, keyOf } from '../engine/record.ts'
import type { GivenRecord } from '../engine/record-kind.ts'
import { findRecord, insertRecord, updateRecord } from '../engine/record-store.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { ENTITY } from './attribute-value.ts'
import { VALUES } from './attribute-value-record.ts'
import { listDescriptions } from './attribute-value-store.ts'

/** Creates the values of a setup that exist in no period, and updates descriptions that differ. */
export async function seedAttributeValues(
  tx: Tx,
  company: CompanyRules,
  attributeId: string,
  descriptions: Readonly<Record<string, string>>,
): Promise<{ created: number; changed: number }> {
  const stored = await listDescriptions(tx, attributeId, descriptions)
  let [created, changed] = [0, 0]
  for (const [attributeValue, description] of Object.entries(descriptions)) {
    const periods = stored.get(attributeValue)
    if (!periods) {
      await create(tx, company, { attributeId, attributeValue, description })
      created += 1
      continue
    }
    for (const period of periods) {
      if (period.description === description) continue
      await describe(tx, keyOf(VALUES, { attributeId, attributeValue, periodFrom: period.periodFrom }), description)
      changed += 1
    }
  }
  return { created, changed }
}

async function create(setup: Tx, company: CompanyRules, given: GivenRecord): Promise<void> {
  const tx = setup.nextEntry()
  const draft = draftOf(VALUES, company, given)
  insertRecord(tx, VALUES, draft, tx.entryNo)
  await write(tx, keyOf(VALUES, draft), 'create', '')
}

async function describe(setup: Tx, key: RecordKey, description: string): Promise<void> {
  const tx = setup.nextEntry()
  const before = await findRecord(tx, VALUES, key)
  if (!before) return
  const stored = readStored(VALUES.schema, before.body)
  updateRecord(tx, VALUES, stored, { ...stored, description })
  await write(tx, key, 'update', before.body)
}

async function write(tx: Tx, key: RecordKey, operation: 'create' | 'update', before: string): Promise<void> {
  const after = await findRecord(tx, VALUES, key)
  if (!after) throw new Error(`the value ${key.texts.join(' ')} cannot be found after its setup`)
  writeEntry(tx, { entity: ENTITY, key: key.stored, operation, before, after: after.body })
}
