// What an external table holds that is no value of its property reads as the absent value, wherever it is read.
import { expect, it } from 'vitest'
import { startWithExternalTables } from '../support/external-tables.ts'
import { onEachStore } from '../support/world.ts'

const COLUMNS = `id integer not null, client char(5) not null, title varchar(50), code char(8), status char(1),
  hours numeric, rate double precision, pieces integer, is_done boolean,
  starts_on date, ends_at timestamp, logged_at timestamptz, primary key (client, id)`

/** The second row has nulls; what follows holds what is none. */
const POSTGRES = `
  create schema erp;
  create table erp.job (${COLUMNS});
  insert into erp.job (id, client, hours, rate, pieces, starts_on, ends_at, logged_at) values
    (1, 'EN', 12.5, 2.5, 7, '2026-01-31', '2026-02-01 12:30:00', '2026-02-01 12:30:00+02'),
    (2, 'EN', null, null, null, null, null, null),
    (3, 'EN', 'NaN', 'NaN', null, 'infinity', '-infinity', 'infinity'),
    (4, 'EN', 'Infinity', 'Infinity', null, '5874897-01-01', '294276-12-31', '12000-01-01'),
    (5, 'EN', '-Infinity', '-Infinity', null, '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC'),
    (6, 'EN', 0, '-0', null, null, null, null),
    (7, 'EN', null, null, null, '4713-01-01 BC', '4713-11-24 BC', '0001-12-31 BC');
  create view erp.open_job as select id, client, title from erp.job;
  grant usage on schema erp to public;
  grant select on all tables in schema erp to public;`

const SQLITE = `
  create table job (${COLUMNS});
  insert into job (id, client, hours, rate, pieces, starts_on, ends_at, logged_at) values
    (1, 'EN', 12.5, 2.5, 7, '2026-01-31', '2026-02-01 12:30:00', '2026-02-01 12:30:00+02:00'),
    (2, 'EN', null, null, null, null, null, null),
    (3, 'EN', '12,5', 'abc', 'seven', 'now', 'now', 'now'),
    (4, 'EN', 9e999, 9e999, 7.5, '2024-02-30', '2024-02-30', '2024-02-30 10:00:00.1234567'),
    (5, 'EN', -9e999, -9e999, '7 pieces', '12:00', '2460000.5 days', ''),
    (6, 'EN', '12 hours', -0.0, null, '12000-01-01', '12000-01-01', '12000-01-01'),
    (7, 'EN', null, null, null, 5, -1, 1721425.4);
  create view open_job as select id, client, title from job;`

const JOBS = '/v1/objects/jobs?$select=hours,rate,pieces,plan'
const ABSENT = {
  startDate: '1900-01-01T00:00:00.000Z',
  endsAt: '1900-01-01T00:00:00.000Z',
  loggedAt: '1900-01-01T00:00:00.000Z',
}
const NOTHING = { hours: 0, rate: 0, pieces: 0, plan: ABSENT }

onEachStore(
  'Odd values of external tables',
  (world) => {
    const get = async (url: string) => {
      const answer = await world().send({ as: 'integration', url })
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
      return answer
    }
    const idsOf = async (options: string) =>
      (await get(`/v1/objects/jobs?$select=jobId&${options}`)).json.map(({ jobId }: { jobId: number }) => jobId)

    it('are absent in every form', async () => {
      const rows = [
        {
          ...NOTHING,
          hours: 12.5,
          rate: 2.5,
          pieces: 7,
          plan: expect.objectContaining({ endsAt: '2026-02-01T12:30:00.000Z' }),
        },
        ...Array(6).fill(NOTHING),
      ]
      expect((await get(`${JOBS}&$orderby=jobId`)).json).toEqual(rows)
      const lines = (await get(`${JOBS}&$orderby=jobId&$format=ndjson`)).text.trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
      const cells = (await get(`/v1/objects/jobs?$select=hours,rate,pieces&$orderby=jobId&$format=csv`)).text
      expect(cells.trimEnd().split(/\r?\n/).slice(1)).toEqual(['12.5,2.5,7', ...Array(6).fill('0,0,0')])
      const { value } = (await get('/odata/v4/EN/jobs?$select=hours,rate,pieces&$orderby=jobId')).json
      expect(value).toEqual(rows.map(({ hours, rate, pieces }) => expect.objectContaining({ hours, rate, pieces })))
      expect(JSON.stringify(value)).not.toContain('-0')
      expect((await get('/v1/objects/jobs?$format=parquet')).status).toBe(200)
    })

    it('are absent for filters, orders and sums', async () => {
      for (const name of ['hours', 'rate', 'pieces']) {
        expect(await idsOf(`$filter=${name} gt 5 and jobId gt 1`)).toEqual([])
        expect(await idsOf(`$filter=${name} ne 0&$orderby=jobId`)).toEqual([1])
        expect(await idsOf(`$filter=${name} eq 0&$orderby=jobId`)).toEqual([2, 3, 4, 5, 6, 7])
        expect((await idsOf(`$orderby=${name} desc,jobId`))[0]).toBe(1)
        const [sums] = (await get(`/v1/objects/jobs?$aggregate=max(${name}) as most,sum(${name}) as sum`)).json
        expect([typeof sums.most, sums.most]).toEqual(['number', sums.sum])
      }
      for (const name of ['startDate', 'endsAt', 'loggedAt']) {
        expect(await idsOf(`$filter=plan/${name} gt 1900-01-02&$orderby=jobId`)).toEqual([1])
      }
    })
  },
  (kind) => startWithExternalTables(kind, undefined, { postgres: POSTGRES, sqlite: SQLITE }),
)
