// A server of an earlier version that still runs gives the tables of a setup a policy that binds sessions. This version
// takes such tables over when it loads the setup.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { objects } from '../support/object-records.ts'
import { STORE_KINDS, startWorld } from '../support/world.ts'

/** The policy of versions before '0026-strict-policies'. */
const OF_SESSIONS = `company_id = current_setting('tabularium.company', true)`
const TABLE = 'own_suppliers'

describe.runIf(STORE_KINDS.includes('postgres'))('A table that an earlier version has made', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  const adopt = () => world.application.service.store.adoptTables()
  const makeStale = () =>
    world.query(`alter policy own_company on ${TABLE} using (${OF_SESSIONS}) with check (${OF_SESSIONS})`)
  /** `version` is another one after each change of a policy. */
  const policies = () =>
    world.query(`select polrelid::regclass::text as table, xmin::text as version, pg_get_expr(polqual, polrelid) as shown,
      pg_get_expr(polwithcheck, polrelid) as written from pg_policy where polname = 'own_company' order by 1`)
  const ofTable = async () => (await policies()).find(({ table }) => table === TABLE)
  const read = async () => (await world.send({ as: 'integration', url: objects('suppliers') })).json

  beforeAll(async () => {
    world = await startWorld('postgres', 'test/fixtures/batch-operations.yaml')
    const body = { supplierId: 'S1', supplierName: 'Nordic Paper AS' }
    expect((await world.send({ as: 'integration', method: 'POST', url: '/v1/suppliers', body })).status).toBe(201)
  })
  afterEach(adopt)
  afterAll(() => world.stop())

  it('shows its records once the setup is loaded', async () => {
    const records = await read()
    expect(records).toHaveLength(1)
    await makeStale()
    // As the earlier version leaves it.
    await world.query('update setup_version set version = version + 1')
    await expect.poll(async () => (await ofTable())?.shown).toContain('tabularium.bound_company')
    expect(await read()).toEqual(records)
  })

  it('is written and read by the company of the transaction alone afterwards', async () => {
    await makeStale()
    expect((await ofTable())?.shown).not.toContain('tabularium.bound_company')
    await adopt()
    const { shown, written } = (await ofTable()) ?? {}
    const [others] = await policies()
    expect([shown, written]).toEqual([others?.shown, others?.written])
    expect(shown).toContain('tabularium.bound_company')
  })

  it('is the only one that is changed', async () => {
    const before = await policies()
    await adopt()
    expect(await policies()).toEqual(before)
    await makeStale()
    await adopt()
    const others = (all: typeof before) => all.filter(({ table }) => table !== TABLE)
    expect(others(await policies())).toEqual(others(before))
  })

  it('is left to its owner, who is named what to do', async () => {
    const [owner] = await world.query(`select tableowner as name from pg_tables where tablename = '${TABLE}'`)
    await makeStale()
    await world.query(`alter table ${TABLE} owner to postgres`)
    try {
      await expect(adopt()).rejects.toThrow('run `tabularium setup` as their owner')
    } finally {
      await world.query(`alter table ${TABLE} owner to "${owner?.name}"`)
    }
  })
})
