// Looks at the chain of a company's change log, and changes it as somebody with the database could.
import { expect } from 'vitest'
import { openReadOnly } from '../../src/databases/open/open-read-only.ts'
import { findChainEnd, findErasures, readChain } from '../../src/store/audit/audit-store.ts'
import { Erasures } from '../../src/store/audit/erasures.ts'
import { verifyChain } from '../../src/store/audit/verify-chain.ts'
import { credentials } from './process.ts'
import type { World } from './world.ts'

/** The faults of the chain of EN, and how many of its entries are erased or have lost their texts. */
export async function verified(world: World) {
  const database = world.kind === 'postgres' ? world.databaseUrl() : undefined
  await using opened = await openReadOnly({ data: world.folder, database })
  const end = await findChainEnd(opened, 'EN')
  const erasures = new Erasures(await findErasures(opened, 'EN'))
  const faults = await verifyChain(readChain(opened, 'EN', end.entryNo), end, [], () => {}, erasures)
  return {
    faults: faults.map(({ kind, entryNo }) => [kind, entryNo]),
    erased: erasures.count,
    pruned: erasures.countWithKeys,
  }
}

/** Creates a value of C1. */
export async function createValue(world: World, attributeValue: string, description: string): Promise<void> {
  const body = { attributeId: 'C1', attributeValue, description }
  expect(
    (await world.send({ method: 'POST', url: '/v1/attribute-values', body, headers: { authorization: credentials } }))
      .status,
  ).toBe(201)
}

/** The entries of EN with their texts. */
export const entriesOf = (world: World) =>
  world.query(
    `select entry_no, entity, record_key, operation, before, after from audit_entry where company_id = 'EN' order by entry_no`,
  )

/** Changes an entry by SQL while `look` looks, and restores it. */
export async function undone(world: World, where: string, change: string, look: () => Promise<void>): Promise<void> {
  await world.query('create table kept_entry as select * from journal_entry')
  try {
    await world.query(`update journal_entry set ${change} where company_id = 'EN' and ${where}`)
    await look()
  } finally {
    await world.query('delete from journal_entry')
    await world.query('insert into journal_entry select * from kept_entry')
    await world.query('drop table kept_entry')
  }
}

/** The size that is counted of the journal, less the one that it has: not 0, as the test has changed dictionaries. */
export async function errorOfSize(world: World): Promise<number> {
  const [row] = await world.query(`select journal_bytes - (
      select sum(length(before) + length(after) + length(record_key) + length(request_id) + 72)
      from journal_entry where company_id = 'EN')
    - (select sum(length(bytes)) from journal_dictionary where company_id = 'EN') as error
    from journal_counter where company_id = 'EN'`)
  return Number(row?.error)
}
