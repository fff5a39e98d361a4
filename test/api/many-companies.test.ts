// A thousand companies on one service: the rules of a company are made when it is asked for, at most a hundred are kept,
// and each company has its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { onEachStore, startWorld } from '../support/world.ts'

const COMPANIES = 1_000
const MOST_LOADED = 100
const HASH = 'scrypt$1024$8$1$Zml4dHVyZSBzZWNyZXQgcw==$DCei+LZQYxNZjA1a0XGMZ5IVAru8DX+xW/IG03C3haA='

const idOf = (no: number) => `C${no}`
const ALL = Array.from({ length: COMPANIES }, (_, at) => at + 1)

/** Each company has an attribute that no other one has. */
function setup(companies: readonly number[], name: (no: number) => string): string {
  const all = companies.map((no) => ({
    id: idOf(no),
    name: name(no),
    attributes: [{ id: `K${no}`, name: 'KIND' }],
    valueLists: { OWN: { [`code${no}`]: `Title of ${no}` } },
  }))
  const roles = [{ id: 'all', apis: { 'attribute-values': ['create', 'read'], objects: ['read'] }, objects: ['*'] }]
  const users = [
    { id: 'user', defaultCompany: 'C1', roles: Object.fromEntries(ALL.map((no) => [idOf(no), ['all']])) },
    { id: 'other', defaultCompany: 'C1', roles: { C1: ['all'] } },
  ]
  const clients = [
    { id: 'client', user: 'user', secretHash: HASH },
    { id: 'other', user: 'other', secretHash: HASH },
  ]
  const access = companies.length === COMPANIES ? { roles, users, clients } : {}
  return JSON.stringify({ version: 1, companies: all, ...access })
}

const folder = mkdtempSync(join(tmpdir(), 'many-companies-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onEachStore(
  'A thousand companies',
  (world) => {
    const loaded = async () => {
      const { text } = await world().send({ url: '/metrics' })
      return Number(/^tabularium_companies_loaded (\d+)$/m.exec(text)?.[1])
    }
    const titles = async (no: number, as = 'client') => {
      const { status, json } = await world().send({
        as,
        url: `/v1/objects/value-list?companyId=${idOf(no)}&$select=title`,
      })
      return [status, status === 200 ? json.map(({ title }: { title: string }) => title) : json.code]
    }

    it('have no rules in memory until one is asked for, however many ask for it at once', async () => {
      expect(await loaded()).toBe(0)
      const answers = await Promise.all(Array.from({ length: 20 }, () => titles(700)))
      expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(new Set(['[200,["Title of 700"]]']))
      expect(await loaded()).toBe(1)
    })

    it('are named to their callers without their rules', async () => {
      const before = await loaded()
      const { json } = await world().send({ as: 'client', url: '/v1/access?companyId=C700' })
      expect(json.companies).toHaveLength(COMPANIES)
      expect(json.companies[1]).toEqual({ companyId: 'C2', companyName: 'Company 2' })
      expect(await loaded()).toBe(before)
    })

    it('have their own rules each, and those of others never', async () => {
      const post = (no: number, attributeId: string) => {
        const body = { companyId: idOf(no), attributeId, attributeValue: 'A', description: 'One' }
        return world().send({ as: 'client', method: 'POST', url: '/v1/attribute-values', body })
      }
      expect((await post(3, 'K3')).status).toBe(201)
      const before = await world().dump()
      const refused = await post(4, 'K3')
      expect(refused.status).toBe(422)
      expect(await world().changesSince(before)).toEqual([])
      expect(await titles(4, 'other')).toEqual([403, 2030])
    })

    it('are forgotten when many others were asked for, and answered as before', async () => {
      for (let no = 100; no < 100 + MOST_LOADED + 20; no++) expect(await titles(no)).toEqual([200, [`Title of ${no}`]])
      expect(await loaded()).toBe(MOST_LOADED)
      expect(await titles(700)).toEqual([200, ['Title of 700']])
      expect(await loaded()).toBe(MOST_LOADED)
    })

    it('follow a later setup of one of them', async () => {
      const file = join(folder, 'later.yaml')
      writeFileSync(
        file,
        setup([700], () => 'Another name'),
      )
      await applySetup(setupTask(world().application.service.store, file, () => {}))
      const nameOf = async (no: number) => {
        const url = `/v1/objects/companies?companyId=${idOf(no)}`
        return (await world().send({ as: 'client', url })).json[0].companyName
      }
      await vi.waitFor(async () => expect(await nameOf(700)).toBe('Another name'), { timeout: 120_000 })
      expect(await nameOf(701)).toBe('Company 701')
    })
  },
  (kind) => {
    const file = join(folder, 'setup.yaml')
    writeFileSync(
      file,
      setup(ALL, (no) => `Company ${no}`),
    )
    return startWorld(kind, file)
  },
)
