// What administrators see of the service in the console, and nobody else does.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { onEachStore, startWorld } from '../support/world.ts'

const PASSWORD = 'correct horse battery'
const OWN = { 'x-requested-with': 'tabularium-console' }
const PATH = '/console/api/administration'
const COMPARISON = `${PATH}/setup/comparison`

async function withPeople(): Promise<string> {
  const hash = await hashSecret(PASSWORD)
  const people = `users:
  - { id: ada, defaultCompany: EN, roles: { EN: [integration] }, passwordHash: "${hash}", administrator: true }
  - { id: bo, defaultCompany: EN, roles: { EN: [integration] }, passwordHash: "${hash}" }
`
  const file = join(mkdtempSync(join(tmpdir(), 'tabularium-people-')), 'company.yaml')
  writeFileSync(file, readFileSync('test/fixtures/company.yaml', 'utf8').replace(/^users:\n/m, people))
  return file
}

onEachStore(
  'The service as administrators see it',
  (world) => {
    const signedIn = async (user: string) => {
      const body = { user, password: PASSWORD }
      const { headers } = await world().send({ method: 'POST', url: '/console/api/session', body, headers: OWN })
      return { ...OWN, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
    }
    const get = async (url: string, user = 'ada') => world().send({ url, headers: await signedIn(user) })
    const compare = async (setup: unknown, user = 'ada') =>
      world().send({ method: 'POST', url: COMPARISON, body: { setup }, headers: await signedIn(user) })

    it('is shown to no one else', async () => {
      const before = await get(`${PATH}/setup`)
      for (const url of [`${PATH}/clients`, `${PATH}/clients/reader/requests`, `${PATH}/health`, `${PATH}/setup`]) {
        const [person, nobody, client] = [
          await get(url, 'bo'),
          await world().send({ url, headers: OWN }),
          await world().send({ as: 'integration', url }),
        ]
        expect([url, person.status, nobody.status, client.status]).toEqual([url, 403, 401, 401])
        expect(person.text + nobody.text + client.text).not.toMatch(/svc-|scrypt|attributes/)
      }
      expect((await compare('version: 1', 'bo')).status).toBe(403)
      expect((await world().send({ method: 'POST', url: COMPARISON, body: { setup: '' } })).status).toBe(401)
      expect((await get(`${PATH}/setup`)).json).toEqual(before.json)
    })

    it('has the clients with what they may, and nothing of their secrets', async () => {
      const { status, json, text } = await get(`${PATH}/clients`)
      expect(status).toBe(200)
      const { clients } = json as { clients: { id: string }[] }
      expect(clients.find(({ id }) => id === 'reader')).toEqual({
        id: 'reader',
        user: 'svc-reader',
        isDisabled: false,
        secretsUntil: [''],
        companies: [{ id: 'EN', permissions: expect.arrayContaining(['attribute-values:read']) }],
      })
      expect(text).not.toMatch(/scrypt|hash/i)
    })

    it('has what a client has asked lately, by its routes alone', async () => {
      await world().send({ as: 'reader', url: '/v1/attribute-values/C1?$filter=attributeValue eq %27canary%27' })
      await world().send({ as: 'reader', method: 'POST', url: '/v1/attribute-values', body: {} })
      const { json, text } = await get(`${PATH}/clients/reader/requests`)
      expect((json as { requests: object[] }).requests.slice(0, 2)).toMatchObject([
        { method: 'POST', route: '/v1/attribute-values', status: 403, user: 'svc-reader' },
        { method: 'GET', route: '/v1/attribute-values/:attributeId', status: 200 },
      ])
      expect(text).not.toContain('canary')
      expect((await get(`${PATH}/clients/stranger/requests`)).status).toBe(404)
    })

    it('has its health', async () => {
      const { status, json } = await get(`${PATH}/health`)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        version: expect.stringMatching(/^\d+\./),
        isShared: world().kind === 'postgres',
        databaseBytes: expect.any(Number),
        processes: expect.any(Array),
      })
    })

    it('has the setup in force as a file, without the hashes of secrets and passwords', async () => {
      const { json } = await get(`${PATH}/setup`)
      const { setup } = json as { setup: string }
      expect(setup).toContain('id: EN')
      expect(setup).toMatch(/passwordHash: hidden-[0-9a-f]{16}/)
      expect(setup).not.toContain('scrypt$')
    })

    it('finds no difference in the file that it has told', async () => {
      const { json } = await get(`${PATH}/setup`)
      const compared = await compare((json as { setup: string }).setup)
      expect((compared.json as { changes: string }).changes).toMatch(/^0 created, 0 changed, \d+ unchanged/)
      expect(compared.text).not.toContain('scrypt$')
    })

    it('tells what a file would change, changes nothing, and tells each fault with its line', async () => {
      const before = await get(`${PATH}/setup`)
      const setup = `version: 1
companies:
  - id: EN
    name: Another name AS
    attributes:
      - { id: C1, name: COSTC, description: Cost centre }
`
      const { status, json } = await compare(setup)
      expect(status).toBe(200)
      expect((json as { changes: string }).changes).toMatch(/^~ company EN: name/m)
      const wrong = await compare('version: 1\ncompanies:\n  - { id: EN, nmae: X }\n')
      expect([wrong.status, (wrong.json as { problems: string[] }).problems[0]]).toEqual([
        200,
        expect.stringMatching(/^line:3:/),
      ])
      expect(wrong.text).not.toContain('/tmp')
      for (const body of [{}, { setup: 7 }]) expect((await compare(Object.values(body)[0])).status).toBe(400)
      expect((await get(`${PATH}/setup`)).json).toEqual(before.json)
    })
  },
  async (kind) => startWorld(kind, await withPeople()),
)
