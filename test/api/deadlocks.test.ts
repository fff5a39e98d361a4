// A transaction that PostgreSQL has ended because of a deadlock is done again: who has not been answered notices nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersOf, CONTINUE, creating, sendBatch, statusesOf, urlOf, VALUES } from '../support/batch.ts'
import { connectToPostgres } from '../support/direct-connection.ts'
import { asSuperuser } from '../support/test-database.ts'
import { STORE_KINDS, startWorld } from '../support/world.ts'

/**
 * The one who asks in vain for so long looks, once, whether it is a deadlock, and is ended: never the other one here.
 * The database counts what it has ended once a second for each session, so it is no less.
 */
const PREPARE = `do $$ begin
  execute format('alter database %I set deadlock_timeout = ''1100ms''', current_database());
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
  async function inDeadlock<T>(second: string, first: string, send: () => Promise<T>): Promise<T> {
    const other = connectToPostgres(asSuperuser(world.databaseUrl()))
    try {
      await other.query(`set deadlock_timeout = '600s'; set statement_timeout = '60s'`)
      await other.query(`begin; ${second}`)
      const answered = send()
      await other.query(onceWaitedFor(first))
      await other.query('commit')
      return await answered
    } finally {
      await other.close()
    }
  }
  /** The request has locked its company, and writes a value. */
  const inDeadlockOfWrites = <T>(send: () => Promise<T>) =>
    inDeadlock(
      'lock table attribute_value in exclusive mode',
      "update journal_counter set last_entry = last_entry where company_id = 'EN'",
      send,
    )
  const entriesOf = async (key: string) =>
    (await world.send({ as: 'integration', url: `/v1/objects/audit-entries?$filter=contains(recordKey,'${key}')` }))
      .json
  const ended = async () => {
    const count = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    return Number((await world.query(count))[0]?.deadlocks)
  }

  it('with a write: it is done again, once', async () => {
    const body = { attributeId: 'C1', attributeValue: 'AGAIN', description: 'Once' }
    const before = await ended()
    const answer = await inDeadlockOfWrites(() => world.send({ as: 'integration', method: 'POST', url: VALUES, body }))
    expect([answer.status, answer.json]).toEqual([201, expect.objectContaining(body)])
    await expect.poll(ended).toBe(before + 1)
    expect(await entriesOf('AGAIN')).toHaveLength(1)
  })

  it.each([
    ['a group', { atomicityGroup: 'g' }, {}],
    ['operations that share a transaction', {}, {}],
    ['operations that go on after a failure', {}, CONTINUE],
  ])('with %s of a batch: all of it is done again, and refers to what is new', async (name, member, sent) => {
    const before = await ended()
    const key = `B${before}`
    const numbered = { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: name } } as const
    const change = { method: 'PATCH', body: [{ op: 'replace', path: '/description', value: key }] } as const
    const asked = [
      { url: urlOf('CC100') },
      { ...numbered, headers: { 'idempotency-key': key } },
      { ...change, url: '$2', dependsOn: ['2'] },
      creating(key),
    ].map((one) => ({ ...one, ...member }))
    const answers = await inDeadlockOfWrites(() => answersOf(sendBatch(world, asked, sent)))
    expect(statusesOf(answers)).toEqual([200, 201, 200, 201])
    await expect.poll(ended).toBe(before + 1)
    expect(answers[2]?.body).toMatchObject({ ...answers[1]?.body, description: key })
    expect(await entriesOf(answers[1]?.body.attributeValue)).toHaveLength(2)
    expect(await entriesOf(key)).toHaveLength(1)
  })

  it('with a group that fails besides: nothing of it is left', async () => {
    const before = await ended()
    const asked = [creating('LEFT'), creating('CC100')].map((one) => ({ ...one, atomicityGroup: 'g' }))
    const answers = await inDeadlockOfWrites(() => answersOf(sendBatch(world, asked)))
    expect(statusesOf(answers)).toEqual([424, 409])
    await expect.poll(ended).toBe(before + 1)
    expect(await entriesOf('LEFT')).toEqual([])
  })

  it('with rows of an import: they are stored once, and rejected once', async () => {
    const before = await ended()
    const body = 'attributeId,attributeValue,description\nC1,ROW1,One\nC1,ROW1,Twice\nC9,ROW2,Two\nC1,ROW3,Three\n'
    const send = () =>
      world.send({
        as: 'integration',
        method: 'POST',
        url: `${VALUES}/batch`,
        headers: { 'content-type': 'text/csv' },
        body,
      })
    world.application.operations.start()
    const { json } = await inDeadlockOfWrites(send)
    const url = `/v1/batch-operations/${json.id}`
    const operation = async () => (await world.send({ as: 'integration', url: `${url}/status` })).json
    await expect.poll(operation, { timeout: 60_000 }).toMatchObject({ status: 'C' })
    expect(await operation()).toMatchObject({ written: 2, rejected: 2 })
    await expect.poll(ended).toBe(before + 1)
    const results = (await world.send({ as: 'integration', url: `${url}/results` })).json
    expect(results.map(({ row }: { row: number }) => row)).toEqual([3, 4])
    expect(await entriesOf('ROW1')).toHaveLength(1)
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
