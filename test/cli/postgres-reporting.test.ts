// The statements of guides/administration/postgresql.md, as they are printed there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresServer } from '../support/postgres.ts'
import { call, run, SETUP, serveHere, temporaryFolder } from '../support/process.ts'
import { queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const PAGE = readFileSync('guides/administration/postgresql.md', 'utf8')
const BLOCKS = [...PAGE.matchAll(/```sql\n-- (superuser|app)\n(.*?)```/gs)].map(([, role = '', text = '']) => ({
  role,
  text,
}))

describe.runIf(STORE_KINDS.includes('postgres'))('The page about PostgreSQL', () => {
  const folder = temporaryFolder()
  let server: PostgresServer
  const of = (role: string, database = 'records') =>
    `${server.admin.replace('postgres:postgres@', role === 'superuser' ? 'postgres:postgres@' : `${role}:secret@`)}/${database}`
  const [roles, foreignOwner, service, reporting, views] = BLOCKS

  beforeAll(async () => {
    server = await PostgresServer.start()
    for (const statement of statementsIn(roles)) await queryOn(of('superuser', 'postgres'), statement)
    const flags = ['--database', of('app'), '--data', folder.path]
    expect(await run(['setup', SETUP, ...flags])).toMatchObject({ code: 0 })
    for (const { role, text } of [reporting, views].filter((block) => block !== undefined))
      await queryOn(of(role), text)
  })
  afterAll(async () => {
    await server?.remove()
    folder.remove()
  })

  it('has a reporting role that reads the views of its company', async () => {
    const rows = await queryOn(of('reporting'), 'select attribute_id, attribute_value from reporting.attribute_values')
    expect(rows).toContainEqual({ attribute_id: 'C1', attribute_value: 'CC100' })
    expect(JSON.stringify(rows)).not.toContain('CC999')
    await queryOn(of('reporting'), 'select * from reporting.customers', 'select sum(amount) from reporting.ledger')
  })

  it('has a reporting role that reads nothing else, and changes nothing', async () => {
    const ask = (...texts: string[]) => queryOn(of('reporting'), ...texts)
    const count = 'select count(*)::int as n from reporting.attribute_values'
    expect(await ask(`set tabularium.company = 'SV'`, count)).toEqual([{ n: 0 }])
    expect(await ask('reset tabularium.company', `set tabularium.company = ''`, count)).toEqual([{ n: 0 }])
    for (const table of ['attribute_value', 'customer', 'setup_item', 'journal_entry', 'audit_entry', 'client_usage'])
      await expect(ask(`select * from ${table}`)).rejects.toThrow('permission denied')
    for (const text of [
      `update reporting.attribute_values set description = 'x'`,
      'create table public.mine (id int)',
      'create view reporting.mine as select 1',
    ])
      await expect(ask('set default_transaction_read_only = off', text)).rejects.toThrow('permission denied')
  })

  it('has a role that serves, also beside the views, and one of them shows what it writes', async () => {
    const service = await serveHere(['--database', of('app'), '--data', folder.path])
    try {
      const body = { companyId: 'EN', attributeId: 'C1', attributeValue: 'CC400', description: 'Shop' }
      const created = await call(`${service.address}/v1/attribute-values`, { method: 'POST', body })
      expect([created.status, created.text]).toEqual([201, expect.anything()])
      const written = `select description from reporting.attribute_values where attribute_value = 'CC400'`
      expect(await queryOn(of('reporting'), written)).toEqual([{ description: 'Shop' }])
    } finally {
      await service.stop()
    }
  })

  it('has statements that may be run again', async () => {
    if (views) await queryOn(of('app'), views.text)
    expect(await queryOn(of('reporting'), 'select count(*)::int as n from reporting.ledger')).toEqual([{ n: 0 }])
  })

  it('has the grants of a role that does not own the database', async () => {
    await queryOn(of('superuser', 'postgres'), 'create database other')
    const address = of('app', 'other')
    await queryOn(of('superuser', 'other'), 'revoke connect, temporary on database other from public')
    expect((await run(['setup', SETUP, '--database', address])).stderr).toContain('may not use the database other')
    const grants = foreignOwner?.text.replaceAll('database records', 'database other') ?? ''
    await queryOn(of('superuser', 'other'), grants)
    expect(await run(['setup', SETUP, '--database', address, '--data', join(folder.path, 'other')])).toMatchObject({
      code: 0,
    })
  })

  it('has a role of the service, which serves without owning the tables once the owner has granted it rows', async () => {
    for (const statement of statementsIn(service)) await queryOn(of('superuser', 'postgres'), statement)
    const migrated = await run(['migrate', '--database', of('app'), '--grant-to', 'service'])
    expect(migrated).toMatchObject({ code: 0, stderr: '' })
    const serving = await serveHere(['--database', of('service'), '--data', folder.path, '--setup', SETUP])
    try {
      const { status } = await call(`${serving.address}/v1/attribute-values/C1/CC100/0?companyId=EN`)
      expect(status).toBe(200)
    } finally {
      await serving.stop()
    }
  })
})

/** A database cannot be created beside another statement. */
function statementsIn(block: { text: string } | undefined): string[] {
  return (block?.text ?? '').split(';').filter((text) => text.trim() !== '')
}
