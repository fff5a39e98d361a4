// Custom Enterprise Documents: on tables of the service, and on external tables and views. Decision 6,
// endpoints; decision 0, no null; decision 8, setup.
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startWithExternalTables } from '../support/external-tables.ts'
import { insertRows, objects, startObjects } from '../support/object-records.ts'
import { onEachStore, STORE_KINDS, startWorld, type World } from '../support/world.ts'

const OWN = [
  {
    company_id: 'EN',
    work_order_id: 'W1',
    description: 'Roof',
    cost_centre: 'CC100',
    status: 'N',
    stage: 2,
    is_urgent: 1,
  },
  { company_id: 'EN', work_order_id: 'W2', description: '', cost_centre: '', status: '', stage: 0, is_urgent: 0 },
  {
    company_id: 'SV',
    work_order_id: 'W1',
    description: 'canary-of-SV',
    cost_centre: '',
    status: '',
    stage: 0,
    is_urgent: 0,
  },
]

onEachStore(
  'A document on a table of the service',
  (world) => {
    it('answers its records with groups, descriptions and lastUpdated (decision 6)', async () => {
      await insertRows(world(), 'own_work_orders', OWN)
      const none = { updatedAt: '1900-01-01T00:00:00.000Z', updatedBy: '' }
      const plan = { startDate: '1900-01-01T00:00:00.000Z', hours: 0 }
      const answer = await world().send({ as: 'integration', url: objects('work-orders') })
      expect(answer.text).toBe(
        JSON.stringify([
          {
            companyId: 'EN',
            workOrderId: 'W1',
            description: 'Roof',
            costCentre: 'CC100',
            status: 'N',
            stage: 2,
            isUrgent: true,
            plan,
            lastUpdated: none,
          },
          {
            companyId: 'EN',
            workOrderId: 'W2',
            description: '',
            costCentre: '',
            status: '',
            stage: 0,
            isUrgent: false,
            plan,
            lastUpdated: none,
          },
        ]),
      )
    })

    it('takes the same options as every document: select, filter, orderBy, pages and counts (decision 6)', async () => {
      const url = objects('work-orders', {
        select: 'workOrderId,costCentre[T],status[T],plan(hours)',
        filter: 'isUrgent or plan/hours eq 0',
        orderBy: 'plan/hours,isUrgent desc',
        limit: 1,
      })
      expect((await world().send({ as: 'integration', url })).json).toEqual([
        {
          workOrderId: 'W1',
          'costCentre(description)': 'Head office',
          'status(description)': 'Active',
          plan: { hours: 0 },
        },
      ])
      const count = await world().send({
        as: 'integration',
        method: 'HEAD',
        url: objects('work-orders', { filter: 'not isUrgent' }),
      })
      expect(count.headers['x-erp-total-count']).toBe('1')
    })

    it('keeps companies apart', async () => {
      const url = objects('work-orders', { select: 'description', filter: "companyId eq 'SV' or workOrderId eq 'W1'" })
      expect((await world().send({ as: 'integration', url })).text).toBe('[{"description":"Roof"}]')
      expect((await world().send({ as: 'sv', url })).text).toBe('[{"description":"canary-of-SV"}]')
    })
  },
  startObjects,
)

const absentPlan = {
  startDate: '1900-01-01T00:00:00.000Z',
  endsAt: '1900-01-01T00:00:00.000Z',
  loggedAt: '1900-01-01T00:00:00.000Z',
}

/** `[filter, matching jobs]`: of jobs 1 to 3, the second has nulls, the third the absent values themselves. */
const NULLS: readonly (readonly [string, readonly number[]])[] = [
  ["title eq ''", [2, 3]],
  ['title eq null', [2, 3]],
  ["title ne ''", [1]],
  ["title lt 'B'", [1, 2, 3]],
  ["title gt ''", [1]],
  ["title in ('', 'x')", [2, 3]],
  ["title in ('Alpha')", [1]],
  ["contains(title,'lph')", [1]],
  ["startswith(title,'')", [1, 2, 3]],
  ["startswith(title,'Al')", [1]],
  ["endswith(title,'a') or length(title) eq 0", [1, 2, 3]],
  ["tolower(title) eq 'alpha'", [1]],
  ["code eq 'CC100'", [1]],
  ["code eq ''", [2]],
  ['hours eq 12.5', [1]],
  ['hours eq 0', [2, 3]],
  ['hours eq null', [2, 3]],
  ['hours lt 1', [2, 3]],
  ['rate le 0', [2, 3]],
  ['pieces gt -1', [1, 2]],
  ['pieces eq 0', [2]],
  ['isDone', [1]],
  ['isDone eq false', [2, 3]],
  ['isDone ne true', [2, 3]],
  ['plan/startDate eq 2026-01-31', [1]],
  ['plan/startDate eq null', [2, 3]],
  ['plan/startDate lt 2026-01-01', [2, 3]],
  ['date(plan/endsAt) eq 2026-02-01', [1]],
  ['plan/endsAt eq 2026-02-01T12:30:00.25', [1]],
  ['plan/loggedAt eq 2026-02-01T10:30:00Z', [1]],
  ['year(plan/loggedAt) eq 2019', [3]],
  ['year(plan/endsAt) eq 1900', [2]],
  ['hours eq rate', [2]],
  ['companyId eq null', []],
]

onEachStore(
  'A document on an external table',
  (world) => {
    it('is searched as other documents are, and for the company alone', async () => {
      const found = async (q: string) => {
        const { json } = await world().send({ as: 'integration', url: `/v1/search?q=${q}` })
        expect(json.unfinished).toEqual([])
        const groups = json.groups as { document: string; hits: { key: object }[] }[]
        return groups.map(({ document, hits }) => [document, ...hits.map(({ key }) => Object.values(key).join('/'))])
      }
      expect(await found('ALPH')).toEqual([['jobs', '1']])
      expect(await found('31.01.2026')).toEqual([['jobs', '1']])
      expect(await found('3')).toEqual([
        ['jobs', '3'],
        ['open-jobs', '3'],
      ])
      expect(await found('canary')).toEqual([])
    })

    it('answers its rows, nulls as absent values, in the form of every document (decision 0, no null)', async () => {
      const answer = await world().send({ as: 'integration', url: objects('jobs') })
      expect({ status: answer.status, text: answer.text }).toEqual({
        status: 200,
        text: JSON.stringify([
          {
            companyId: 'EN',
            jobId: 1,
            title: 'Alpha',
            code: 'CC100',
            status: 'N',
            hours: 12.5,
            rate: 2.5,
            pieces: 7,
            isDone: true,
            plan: {
              startDate: '2026-01-31T00:00:00.000Z',
              endsAt: '2026-02-01T12:30:00.250Z',
              loggedAt: '2026-02-01T10:30:00.000Z',
            },
          },
          {
            companyId: 'EN',
            jobId: 2,
            title: '',
            code: '',
            status: '',
            hours: 0,
            rate: 0,
            pieces: 0,
            isDone: false,
            plan: absentPlan,
          },
          {
            companyId: 'EN',
            jobId: 3,
            title: '',
            code: 'X',
            status: 'P',
            hours: 0,
            rate: -1,
            pieces: -3,
            isDone: false,
            plan: {
              startDate: '1900-01-01T00:00:00.000Z',
              endsAt: '2030-06-15T00:00:00.000Z',
              loggedAt: '2019-12-31T23:59:59.999Z',
            },
          },
        ]),
      })
    })

    it.each(NULLS)('reads null as the absent value in a filter and under not: %s', async (filter, found) => {
      const ids = async (text: string) => {
        const answer = await world().send({
          as: 'integration',
          url: objects('jobs', { select: 'jobId', filter: text }),
        })
        expect({ text, status: answer.status, body: answer.text }).toMatchObject({ text, status: 200 })
        return answer.json.map(({ jobId }: { jobId: number }) => jobId)
      }
      expect(await ids(filter)).toEqual(found)
      expect(await ids(`not (${filter})`)).toEqual([1, 2, 3].filter((id) => !found.includes(id)))
      const head = await world().send({ as: 'integration', method: 'HEAD', url: objects('jobs', { filter }) })
      expect(head.headers['x-erp-total-count']).toBe(String(found.length))
    })

    it('sorts nulls where the absent value stands, in both directions (decision 6, orderBy)', async () => {
      const order = async (orderBy: string) => {
        const { json } = await world().send({ as: 'integration', url: objects('jobs', { select: 'jobId', orderBy }) })
        return json.map(({ jobId }: { jobId: number }) => jobId)
      }
      expect(await order('title')).toEqual([2, 3, 1])
      expect(await order('title desc')).toEqual([1, 2, 3])
      expect(await order('pieces')).toEqual([3, 2, 1])
      expect(await order('plan/loggedAt desc, jobId')).toEqual([1, 3, 2])
      expect(await order('isDone desc,jobId desc')).toEqual([1, 3, 2])
    })

    it('describes its codes, also those of columns that are filled up with blanks', async () => {
      const url = objects('jobs', { select: 'code[C;T],status[T]', limit: 2 })
      expect((await world().send({ as: 'integration', url })).json).toEqual([
        { code: 'CC100', 'code(description)': 'Head office', 'status(description)': 'Active' },
        { code: '', 'code(description)': '', 'status(description)': '' },
      ])
    })

    it('answers a view, and CSV and NDJSON of it', async () => {
      const ask = (accept: string) =>
        world().send({ as: 'integration', url: objects('open-jobs'), headers: { accept } })
      expect((await ask('application/json')).text).toBe(
        '[{"companyId":"EN","jobId":2,"title":""},{"companyId":"EN","jobId":3,"title":""}]',
      )
      expect((await ask('text/csv')).text).toBe('companyId,jobId,title\r\nEN,2,\r\nEN,3,\r\n')
      expect((await ask('application/x-ndjson')).text.split('\n')).toHaveLength(3)
      const csv = await world().send({ as: 'integration', url: objects('jobs'), headers: { accept: 'text/csv' } })
      expect(csv.text.split('\r\n')[2]).toBe(
        'EN,2,,,,0,0,0,false,1900-01-01T00:00:00.000Z,1900-01-01T00:00:00.000Z,1900-01-01T00:00:00.000Z',
      )
    })

    it('isolates companies where the database has no row-level security for it', async () => {
      const url = objects('jobs', { select: 'title', filter: "companyId eq 'SV' or companyId ne 'XX'" })
      expect((await world().send({ as: 'integration', url })).text).not.toContain('canary')
      expect((await world().send({ as: 'sv', url })).text).toBe('[{"title":"canary-of-SV"}]')
    })
  },
  startWithExternalTables,
)

/** A change of the setup, and the messages of the start. */
const UNFIT: readonly { name: string; change: (setup: string) => string; told: RegExp[] }[] = [
  {
    name: 'a table that is not there',
    change: (setup) => setup.replace('erp.job', 'erp.jobs_of_old'),
    told: [/document jobs: there is no table or view erp\.jobs_of_old/],
  },
  {
    name: 'a schema that is not there',
    change: (setup) => setup.replace('erp.job', 'crm.job'),
    told: [/document jobs: there is no table or view crm\.job/],
  },
  {
    name: 'a column that is not there',
    change: (setup) => setup.replace('title: { type: string }', 'caption: { type: string }'),
    told: [/document jobs: property caption: erp\.job has no column caption; it has id, client, title, /],
  },
  {
    name: 'types that do not fit, several together',
    change: (setup) =>
      setup
        .replace('hours: { type: number }', 'hours: { type: integer }')
        .replace('isDone: { type: boolean }', 'isDone: { type: date-time }')
        .replace('rate: { type: number }', 'raw: { type: string }'),
    told: [
      /document jobs: property hours: the column hours of erp\.job is of type numeric.*, which cannot be read as integer/,
      /document jobs: property isDone: the column is_done of erp\.job is of type boolean, which cannot be read as date-time/,
      /document jobs: property raw: the column raw of erp\.job is of type (bytea|blob), which cannot be read as string/i,
    ],
  },
]

describe.each(STORE_KINDS)('A document that does not fit its table on %s', (kind) => {
  it.each(UNFIT)('is reported at the start: $name', async ({ change, told }) => {
    let world: (World & { stop(): Promise<void> }) | undefined
    let said = ''
    try {
      world = await startWithExternalTables(kind, change)
    } catch (error) {
      said = (error as Error).message
    } finally {
      await world?.stop()
    }
    for (const message of told) expect(said).toMatch(message)
  })

  it('is reported at the start: no property companyId', async () => {
    const change = (setup: string) =>
      setup
        .replace('key: [companyId, jobId]', 'key: [jobId]')
        .replace('companyId: { type: string, column: client }', 'owner: { type: string, column: client }')
    await expect(startWithExternalTables(kind, change)).rejects.toThrow(/companyId/)
  })
})

describe.runIf(STORE_KINDS.includes('sqlite'))('A database file that is attached', () => {
  it('is reported at the start when it is missing, and is not created', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tabularium-attached-')), 'none.db')
    const start = startWorld('sqlite', 'test/fixtures/objects-external.yaml', '', {
      attached: [`erp=${file}`],
      isNew: true,
    })
    await expect(start).rejects.toThrow(`the database ${file}, attached as erp, cannot be read`)
    expect(existsSync(file)).toBe(false)
  })
})
