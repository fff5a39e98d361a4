// A start on PostgreSQL whose migrations take longer than any query may.
import { describe, expect, it } from 'vitest'
import { STORE_KINDS, startWorld } from '../support/world.ts'

/** Creating each table takes longer than a query may run. */
const SLOW_TABLES = `
  create function slow_tables() returns event_trigger language plpgsql as $$
  begin
    if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.slow_query') then
      perform pg_sleep(2);
    end if;
  end $$;
  create event trigger slow_tables on ddl_command_end when tag in ('CREATE TABLE') execute function slow_tables();`

describe.runIf(STORE_KINDS.includes('postgres'))('A migration on PostgreSQL', () => {
  it('takes the time that it needs, whatever a query may take', async () => {
    const world = await startWorld('postgres', 'test/fixtures/company.yaml', '', {
      prepare: SLOW_TABLES,
      queryTimeoutMs: 1_000,
    })
    try {
      expect((await world.send({ as: 'integration', url: '/v1/attribute-values/C1' })).status).toBe(200)
    } finally {
      await world.stop()
    }
  })
})
