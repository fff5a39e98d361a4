// Answers when PostgreSQL fails: about a commit only what is known, and nothing about writing to readers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORE_KINDS, startWorld, type World } from '../support/world.ts'

const URL = '/v1/attribute-values'
const READ = `${URL}/C1/CC100/0`

/** Fails the commit of an insert of a value with this name, with the SQLSTATE in its description. */
const REFUSING = `
  create function refuse_commit() returns trigger language plpgsql as $$
  begin
    if new.attribute_value like 'STATE-%' then raise exception 'refused at the commit' using errcode = substr(new.attribute_value, 7, 5); end if;
    return null;
  end $$;
  create constraint trigger refuse_commit after insert on attribute_value deferrable initially deferred
    for each row execute function refuse_commit();
  create function lose_server() returns trigger language plpgsql as $$
  begin
    raise exception using message = substr(new.attribute_value, 6), errcode = 'XX000';
  end $$;
  create trigger lose_server before insert on attribute_value
    for each row when (new.attribute_value like 'LOST:%') execute function lose_server();`

describe.runIf(STORE_KINDS.includes('postgres'))('A fault of PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let role = ''
  beforeAll(async () => {
    // Its role is its own: those of copies are shared.
    world = await startWorld('postgres', undefined, '', { isNew: true })
    role = new globalThis.URL(world.databaseUrl()).username
    await world.query(REFUSING)
  })
  afterAll(async () => world?.stop())

  let made = 0
  const post = (on: World, value = `W${made++}`) =>
    on.send({ as: 'integration', method: 'POST', url: URL, body: { attributeId: 'C1', attributeValue: value } })
  const endSessions = () =>
    world.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}' and pid <> pg_backend_pid()`,
    )
  /** The first query after its session was terminated may fail. */
  const settled = async () => {
    await endSessions()
    await world.send({ as: 'integration', url: READ })
    await post(world)
  }

  it.each(['XX000', '58030', '53100', '55P03', '57014', '08006', '40003', 'P0001'])(
    'at a commit is in doubt where its state does not say that nothing was done: %s',
    async (state) => {
      const answer = await post(world, `STATE-${state}`)
      expect([answer.status, answer.json.code, answer.text]).toEqual([
        503,
        1020,
        expect.stringContaining('it may be there or not'),
      ])
    },
  )

  it.each(['40001', '40P01'])('at a commit is reported as rolled back where its state says so: %s', async (state) => {
    const answer = await post(world, `STATE-${state}`)
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('Nothing was written; try again.')])
    expect((await world.send({ as: 'integration', url: `${URL}/C1/STATE-${state}/0` })).status).toBe(404)
  })

  it.each(['server closed the connection unexpectedly', 'terminating connection due to unexpected postmaster exit'])(
    'is no internal error where a server behind it is lost: %s',
    async (message) => {
      const answer = await post(world, `LOST:${message}`)
      expect([answer.status, answer.json.code, answer.text]).toEqual([
        503,
        1020,
        expect.stringContaining('Nothing was written; try again.'),
      ])
      const stored = await world.send({
        as: 'integration',
        url: `${URL}/C1/${encodeURIComponent(`LOST:${message}`)}/0`,
      })
      expect(stored.status).toBe(404)
    },
  )

  it('that makes it read-only is reported to writers, and does not affect readers', async () => {
    await world.query(`alter role "${role}" set default_transaction_read_only = on`)
    try {
      await settled()
      expect((await world.send({ as: 'integration', url: READ })).status).toBe(200)
      const answer = await post(world)
      expect([answer.status, answer.json.message]).toEqual([
        503,
        'The store is read-only: it answers, and nothing can be written.',
      ])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(30)
    } finally {
      await world.query(`alter role "${role}" reset default_transaction_read_only`)
      await settled()
    }
    expect((await post(world)).status).toBe(201)
  })

  it('does not report to readers that nothing was written', async () => {
    await world.query(`alter role "${role}" nologin`)
    try {
      await settled()
      const [read, count, list, written] = [
        await world.send({ as: 'integration', url: READ }),
        await world.send({ as: 'integration', method: 'HEAD', url: `${URL}/C1?filter=attributeValue%20ne%20'x'` }),
        await world.send({ as: 'integration', url: '/v1/objects/customers?limit=7' }),
        await post(world),
      ]
      expect([read.status, count.status, list.status, written.status]).toEqual([503, 503, 503, 503])
      for (const { text } of [read, list])
        expect(text).toMatch(/^\{"code":1020,"message":"The store cannot be used now: [^.]*\. Try again\."\}$/)
      expect(written.text).toMatch(/Nothing was written; try again\./)
    } finally {
      await world.query(`alter role "${role}" login`)
      await settled()
    }
    expect((await post(world)).status).toBe(201)
  })
})
