// A transaction that PostgreSQL has ended because of a deadlock is done again: who has not been answered notices nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToPostgres } from '../support/direct-connection.ts'
import { asSuperuser } from '../support/test-database.ts'
import { type Answer, STORE_KINDS, startWorld } from '../support/world.ts'

/**
 * The one who asks in vain for so long looks, once, whether it is a deadlock, and is ended: never the other one here.
 * It is shorter than the service waits for a lock.
 */
const PREPARE = `do $$ begin
  execute format('alter database %I set deadlock_timeout = ''4s''', current_database());
end $$`

/** The database itself looks who waits: a busy test process would ask too late for the one look of the other side. */
const onceWaitedFor = (statement: string) => `do $$ begin
  while not exists (select from pg_locks where relation = 'attribute_value'::regclass and not granted) loop
    perform pg_sleep(0.01);
  end loop;
  ${statement};
end $$`

describe.runIf(STORE_KINDS.includes('postgres'))('A deadlock', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  beforeAll(async () => {
    world = await startWorld('postgres', 'test/fixtures/objects.yaml', '', { prepare: PREPARE, isNew: true })
  })
  afterAll(() => world?.stop())

  /** Sends the request while another session holds `second`, and then asks for `first`, which the request holds. */
  async function inDeadlock(second: string, first: string, send: () => Promise<Answer>): Promise<Answer> {
    const other = connectToPostgres(asSuperuser(world.databaseUrl()))
    try {
      await other.query(`set deadlock_timeout = '600s'`)
      await other.query(`begin; ${second}`)
      const answered = send()
      await other.query(onceWaitedFor(first))
      await other.query('commit')
      return await answered
    } finally {
      await other.close()
    }
  }
  const ended = async () => {
    const count = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    return Number((await world.query(count))[0]?.deadlocks)
  }

  it('with a write: it is done again, once', async () => {
    const body = { attributeId: 'C1', attributeValue: 'AGAIN', description: 'Once' }
    const before = await ended()
    const answer = await inDeadlock(
      'lock table attribute_value in exclusive mode',
      "update journal_counter set last_entry = last_entry where company_id = 'EN'",
      () => world.send({ as: 'integration', method: 'POST', url: '/v1/attribute-values', body }),
    )
    expect([answer.status, answer.json]).toEqual([201, expect.objectContaining(body)])
    await expect.poll(ended).toBe(before + 1)
    const { json } = await world.send({
      as: 'integration',
      url: "/v1/objects/audit-entries?$filter=contains(recordKey,'AGAIN')",
    })
    expect(json).toHaveLength(1)
  })

  it('with a read: it is asked again', async () => {
    const before = await ended()
    const answer = await inDeadlock(
      'lock table attribute_value in access exclusive mode',
      'lock table customer in access exclusive mode',
      () => world.send({ as: 'integration', url: '/v1/objects/customers?$select=customerId,customerGroupId[C;T]' }),
    )
    expect([answer.status, answer.json]).toEqual([200, expect.any(Array)])
    await expect.poll(ended).toBe(before + 1)
  })
})
