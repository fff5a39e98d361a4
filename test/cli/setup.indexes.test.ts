// Indexes that a setup asks for: the real command line and the service, on SQLite and on PostgreSQL.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, linesOf, rowsOf, run, serve, serveHere, temporaryFolder } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const DOCUMENT = `
version: 1
companies:
  - { id: EN, name: Example Nordic AS }
documents:
  - name: work-orders
    key: [companyId, workOrderId]
    properties:
      companyId: { type: string }
      workOrderId: { type: string }
      status: { type: string }
      plan: { group: { startDate: { type: date-time }, hours: { type: number } } }
`
const TWO = `${DOCUMENT}    indexes: [[status], [plan/startDate, status]]
indexes: { customers: [[payment/bankAccount]] }
`

/** Opens the rows of no company to a session with PostgreSQL. */
const NO_COMPANY = "set tabularium.bound_company = ' '"

describe.each(STORE_KINDS)('indexes of a setup on %s', (kind) => {
  let folder: Folder
  let database = ''
  let store: string[]

  beforeEach(async () => {
    folder = temporaryFolder()
    store = ['--data', folder.path]
    if (kind === 'sqlite') return
    database = await newDatabase()
    store.push('--database', database)
  })
  afterEach(() => folder.remove())

  const write = (text: string): string => {
    const path = join(folder.path, 'setup.yaml')
    writeFileSync(path, text)
    return path
  }
  const setup = (text: string, ...flags: string[]) => run(['setup', write(text), ...flags, ...store])
  const query = async (text: string) =>
    kind === 'sqlite' ? rowsOf(folder.path, text) : queryOn(database, NO_COMPANY, text)
  /** A dry run creates no database. */
  const isMade = () => kind === 'postgres' || existsSync(join(folder.path, 'tabularium.db'))

  /** Table and columns of each, in the order of their names. */
  const found = async (): Promise<string[]> => {
    if (!isMade()) return []
    const rows = await query(
      kind === 'sqlite'
        ? `select m.tbl_name as "table", group_concat(i.name, ' ') as columns
             from sqlite_schema m, pragma_index_info(m.name) i
             where m.type = 'index' and m.name glob 'setup_index_*' group by m.name order by m.name`
        : `select t.relname as "table", string_agg(regexp_replace(pg_get_indexdef(a.attrelid, a.attnum, false), '[()]|::name', '', 'g'), ' ' order by a.attnum) as columns
             from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
             join pg_attribute a on a.attrelid = c.oid
             where c.relname like 'setup\\_index\\_%' and c.relname not like '%\\_order' and i.indisvalid group by t.relname, c.relname order by c.relname`,
    )
    return rows.map((row) => `${row.table}: ${row.columns}`)
  }
  const ON_CUSTOMER = 'customer: company_id bank_account customer_id'
  const ON_ORDERS = [
    'own_work_orders: company_id plan_start_date status work_order_id',
    'own_work_orders: company_id status work_order_id',
  ]

  it('are shown by --dry-run, built with the company first and the key last, and left alone the second time', async () => {
    const preview = await setup(TWO, '--dry-run')
    expect(linesOf(preview.stdout)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^\+ index setup_index_customer_bank_account_\w{8} on customer \(company_id, bank_account, customer_id\)$/,
        ),
        expect.stringMatching(/^\+ index setup_index_own_work_orders_status_\w{8} on own_work_orders /),
        '+ indexes customers',
      ]),
    )
    expect(await found()).toEqual([])

    expect(await setup(TWO)).toEqual(preview)
    expect(await found()).toEqual([ON_CUSTOMER, ...ON_ORDERS])
    const again = await setup(TWO)
    expect({ code: again.code, lines: linesOf(again.stdout) }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^0 created, 0 changed, \d+ unchanged, 0 kept/)],
    })
    const entries = await query(
      `select record_key from journal_entry e join journal_origin o on o.company_id = e.company_id and o.origin_no = e.origin_no where entity = 'setup-indexes'`,
    )
    expect(entries.length).toBe(1)
  })

  it('are dropped when a document that is listed no longer has them, and retained when it is left out', async () => {
    await setup(TWO)
    const fewer = await setup(`${DOCUMENT}    indexes: [[status]]\n`)
    expect(linesOf(fewer.stdout)).toEqual([
      '~ document work-orders: indexes [["status"],["plan/startDate","status"]] -> [["status"]]',
      '= indexes customers (not in the file: kept)',
      expect.stringMatching(/^- index setup_index_own_work_orders_plan_start_date_\w+$/),
      expect.stringMatching(/^0 created, 1 changed, /),
    ])
    expect(await found()).toEqual([ON_CUSTOMER, ON_ORDERS[1]])
    await setup(`${DOCUMENT}indexes: { customers: [] }\n`)
    expect(await found()).toEqual([])
  })

  longIt(
    'are built by the service in the background when they are missing, also by one of several processes',
    async () => {
      const file = write(TWO)
      const service = await serveHere([...store, '--setup', file])
      await expect.poll(found, { timeout: 120_000 }).toEqual([ON_CUSTOMER, ...ON_ORDERS])
      await service.stop()

      await setup(`${DOCUMENT}indexes: { customers: [] }\n`)
      expect(await found()).toEqual([])
      const several = await serve([...store, '--setup', write(TWO), '--workers', '2'])
      await expect.poll(found, { timeout: 120_000 }).toEqual([ON_CUSTOMER, ...ON_ORDERS])
      several.child.kill('SIGTERM')
      expect((await several.ended).code).toBe(0)
    },
  )

  it.runIf(kind === 'postgres')('that were cut short are dropped and built again', async () => {
    await setup(TWO)
    const [index] = await query(
      `select oid::regclass::text as name from pg_class where relname like 'setup\\_index\\_customer%'`,
    )
    const superuser = database.replace(/\/\/.*@/, '//postgres:postgres@')
    await queryOn(superuser, `update pg_index set indisvalid = false where indexrelid = '${index?.name}'::regclass`)
    expect(await found()).toEqual(ON_ORDERS)
    const { code, stdout } = await setup(TWO)
    expect({ code, first: linesOf(stdout)[0] }).toEqual({
      code: 0,
      first: expect.stringMatching(/^\+ index setup_index_customer_bank_account/),
    })
    expect(await found()).toEqual([ON_CUSTOMER, ...ON_ORDERS])
  })
})
