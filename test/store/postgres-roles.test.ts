// Two roles on PostgreSQL: the owner of the tables migrates and sets up, a role without ownership serves.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApplication } from '../../src/app/app.ts'
import { MIGRATION_NAMES } from '../../src/databases/migrations/migrate.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { injectInto } from '../support/inject.ts'
import { run, SETUP, temporaryFolder } from '../support/process.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const OWN =
  'version: 1\ndocuments: [{ name: jobs, key: [companyId, jobId], properties: { companyId: { type: string }, jobId: { type: integer } } }]'
const OWNS = {
  kind: 'store-warning',
  message:
    'the database role owns the tables, so row-level security does not limit it; use that of `tabularium migrate --grant-to`',
}

describe.runIf(STORE_KINDS.includes('postgres'))('A role that serves without owning the tables', () => {
  const folder = temporaryFolder()
  let owner = ''
  let service = ''
  let role = ''
  const as = (url: string, ...args: string[]) => run([...args, '--database', url])
  const start = async (database: string, setup?: string) => {
    const observed: Observation[] = []
    const application = await buildApplication({
      data: join(folder.path, 'data'),
      database,
      setup,
      basePath: '',
      observe: (observation) => observed.push(observation),
      onFatal: () => {},
    })
    return { application, observed }
  }
  const advice = () => {
    const { username } = new URL(owner)
    return `the role ${role} may not use the tables of ${username}, or bring them to the schema of this version: run \`tabularium migrate --grant-to ${role}\` as ${username}`
  }
  const bound = (company: string, ...texts: string[]) =>
    queryOn(service, 'begin', `set local tabularium.bound_company = '${company}'`, ...texts)

  beforeAll(async () => {
    owner = await newDatabase()
    role = `${new URL(owner).username}_service`
    service = Object.assign(new URL(owner), { username: role }).href
    await queryOn(asSuperuser(owner), `create role ${role} login password 'secret'`)
    expect(await as(owner, 'setup', SETUP)).toMatchObject({ code: 0 })
  })
  afterAll(() => folder.remove())

  it('is granted rows by the owner, and told to the owner before', async () => {
    await expect(start(service)).rejects.toThrow(advice())
    const { code, stdout, stderr } = await as(owner, 'migrate', '--grant-to', role)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'the database has the schema of this version',
      `grant usage on schema "public" to "${role}"`,
      `grant select, insert, update, delete on all tables in schema "public" to "${role}"`,
      `alter default privileges in schema "public" grant select, insert, update, delete on tables to "${role}"`,
      '',
    ])
    expect(await as(owner, 'migrate', '--grant-to', role)).toMatchObject({ code: 0, stdout })
  })

  it('serves, without a warning', async () => {
    const { application, observed } = await start(service)
    const token = await application.tokens.issue('integration')
    const sent = await injectInto(application.server, {
      method: 'POST',
      url: '/v1/attribute-values',
      headers: { authorization: `Bearer ${token}` },
      payload: { companyId: 'EN', attributeId: 'C1', attributeValue: 'BY-SERVICE' },
    })
    expect(sent.statusCode).toBe(201)
    await application.stop(0)
    expect(JSON.stringify(observed)).not.toContain('the database role')
  })

  it('sees one company at a time, and none without one', async () => {
    const companies = 'select distinct company_id as id from attribute_value'
    expect(await bound('EN', companies)).toEqual([{ id: 'EN' }])
    await expect(queryOn(service, companies)).rejects.toThrow('unrecognized configuration parameter')
    await expect(bound('EN', "insert into attribute (company_id, attribute_id) values ('SV', 'X')")).rejects.toThrow(
      'row-level security',
    )
  })

  it.each([
    'alter table customer disable row level security',
    'drop policy own_company on customer',
    'alter table customer add column mine text',
    'truncate customer',
    'create table mine (id int)',
  ])('may not change the schema: %s', async (text) => {
    await expect(queryOn(service, text)).rejects.toThrow(/must be owner of|permission denied/)
  })

  it('leaves tables of a setup to the owner, and reads and writes them then', async () => {
    const setup = join(folder.path, 'jobs.yaml')
    writeFileSync(setup, OWN)
    await expect(start(service, setup)).rejects.toThrow(
      'the role of the database may not change tables, which this setup needs: run `tabularium setup` as their owner',
    )
    expect((await as(service, 'setup', setup)).stderr).toContain('run `tabularium setup` as their owner')
    expect(await queryOn(owner, "select id from setup_item where id = 'jobs'")).toEqual([])
    expect(await as(owner, 'setup', setup)).toMatchObject({ code: 0, stderr: '' })
    expect(await bound('EN', "insert into own_jobs (company_id, job_id) values ('EN', 1) returning job_id")).toEqual([
      { job_id: '1' },
    ])
    await expect(queryOn(service, 'select * from own_jobs')).rejects.toThrow('unrecognized configuration parameter')
    const { application } = await start(service, setup)
    await application.stop(0)
  })

  it('is better than the owner, who is warned when it serves', async () => {
    const { application, observed } = await start(owner)
    await application.stop(0)
    expect(observed).toContainEqual(OWNS)
  })

  it('takes backups that are whole, as the owner does', async () => {
    const data = ['--data', join(folder.path, 'data')]
    const backups = [owner, service].map((url, at) => as(url, 'backup', join(folder.path, `backup-${at}`), ...data))
    const texts = (await Promise.all(backups)).map(({ code, stdout }) => ({
      code,
      rows: /[\d,]+ rows/.exec(stdout)?.[0],
    }))
    expect(texts[0]).toEqual({ code: 0, rows: expect.any(String) })
    expect(texts[1]).toEqual(texts[0])
  })

  it('is named, exists and is limited', async () => {
    const refusal = async (name: string) => (await as(owner, 'migrate', '--grant-to', name)).stderr
    expect(await refusal('nobody_of_that_name')).toContain('there is no role nobody_of_that_name')
    expect(await refusal(new URL(owner).username)).toContain('row-level security does not limit the role')
    expect(await refusal('postgres')).toContain('row-level security does not limit the role postgres')
    const inFolder = await run(['migrate', '--grant-to', role, '--data', join(folder.path, 'embedded')])
    expect(inFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('has no roles') })
  })

  it('is sent to the owner when the schema is not that of its version', async () => {
    const newest = `name = '${MIGRATION_NAMES.at(-1)}'`
    await queryOn(owner, `create table newest as select * from kysely_migration where ${newest}`)
    await queryOn(owner, `delete from kysely_migration where ${newest}`)
    await expect(start(service)).rejects.toThrow(advice())
    await queryOn(owner, 'insert into kysely_migration select * from newest', 'drop table newest')
    const { application } = await start(service)
    await application.stop(0)
  })
})
