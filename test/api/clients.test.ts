// Clients that come and go: disabled ones are out at once, and a secret is replaced without a refused request.
import { randomBytes, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup, previewSetup } from '../../src/setup/apply/apply-setup.ts'
import type { PrunableSection } from '../../src/setup/apply/prune.ts'
import { injectInto } from '../support/inject.ts'
import { soon } from '../support/soon.ts'
import { uniqueAddress } from '../support/unique-address.ts'
import { CLIENT_SECRET, onEachStore, startWorld } from '../support/world.ts'

const original = readFileSync('test/fixtures/company.yaml', 'utf8')
const url = '/v1/attribute-values/C1/CC100/0'
const OLD_HASH = /"(scrypt\$[^"]+)"/.exec(original)?.[1] ?? ''
const DAY_MS = 86_400_000

/** At a low cost. */
function hashOf(secret: string): string {
  const salt = randomBytes(16)
  const hash = scryptSync(secret, salt, 32, { N: 1024, r: 8, p: 1 })
  return `scrypt$1024$8$1$${salt.toString('base64')}$${hash.toString('base64')}`
}

let now = Date.now()

onEachStore(
  'Clients',
  (world) => {
    const task = (text: string, prune?: readonly PrunableSection[]) => {
      const file = join(world().folder, 'changed.yaml')
      writeFileSync(file, text)
      return setupTask(world().application.service.store, file, () => {}, { prune })
    }
    const byBasic = async (id: string, secret: string) =>
      (
        await injectInto(world().application.server, {
          url,
          remoteAddress: uniqueAddress(),
          headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
        })
      ).statusCode
    const tokenStatus = async (id: string, secret: string) => {
      const body = `grant_type=client_credentials&client_id=${id}&client_secret=${encodeURIComponent(secret)}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return (await world().send({ method: 'POST', url: '/oauth/token', body, headers })).status
    }
    /** Applies the setup with another line for a client. */
    const withClient = (id: string, rest: string) =>
      applySetup(
        task(
          original.replace(
            new RegExp(`(- . id: ${id}, user: [^,]+), secret.*`),
            (_line, start) => `${start}, ${rest} }`,
          ),
        ),
      )

    it.each(['a+b/c=', 'as 100% sure: yes', 'per%2Fcent%41', 'sm\u00f8r & br\u00f8d', '%zz+%2B', 'plain'])(
      'show the secret %j by Basic at the token endpoint as it is, or form-encoded, and elsewhere as it is',
      async (secret) => {
        await withClient('reader', `secretHash: "${hashOf(secret)}"`)
        const ask = async (id: string, shown: string) => {
          const authorization = `Basic ${Buffer.from(`${id}:${shown}`).toString('base64')}`
          const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization }
          const body = 'grant_type=client_credentials'
          return (await world().send({ method: 'POST', url: '/oauth/token', body, headers })).status
        }
        await soon(async () => expect(await byBasic('reader', secret)).toBe(200))
        const form = String(new URLSearchParams({ secret })).slice('secret='.length)
        for (const shown of [secret, encodeURIComponent(secret), form]) {
          expect([shown, await ask('reader', shown), await ask('re%61der', shown)]).toEqual([shown, 200, 200])
        }
        expect([await ask('reader', `${form}x`), await ask('r%65aders', form)]).toEqual([401, 401])
        expect(await byBasic('reader', secret)).toBe(200)
        if (form !== secret) expect(await byBasic('reader', form)).toBe(401)
        await withClient('reader', 'secretEnv: TEST_CLIENT_SECRET')
        await soon(async () => expect(await byBasic('reader', CLIENT_SECRET)).toBe(200))
      },
    )

    it.each([
      ['a client', (text: string) => text.replace('{ id: reader,', '{ id: reader, disabled: true,')],
      ['its user', (text: string) => text.replace('{ id: svc-reader,', '{ id: svc-reader, disabled: true,')],
    ])(
      'are out as soon as %s is disabled, with cached tokens, secrets and answers, and back when it is not',
      async (_what, disable) => {
        const answers = async () => [
          (await world().send({ as: 'reader', url })).status,
          await byBasic('reader', CLIENT_SECRET),
          await tokenStatus('reader', CLIENT_SECRET),
        ]
        // Several times, so that the answer is cached.
        for (let time = 0; time < 4; time++) expect(await answers()).toEqual([200, 200, 200])
        await applySetup(task(disable(original)))
        await soon(async () => expect(await answers()).toEqual([401, 401, 401]))
        const refused = await world().send({ as: 'reader', url })
        expect(refused.json).toEqual({ statusCode: 401, message: 'Invalid JWT.' })
        expect((await world().send({ as: 'integration', url })).status).toBe(200)
        await applySetup(task(original))
        await soon(async () => expect(await answers()).toEqual([200, 200, 200]))
      },
    )

    it('have two secrets, of which one ends, also where it was verified before', async () => {
      const until = new Date(now + DAY_MS).toISOString()
      const added = hashOf('the secret that is added')
      await withClient('both', `secrets: [{ hash: "${OLD_HASH}", until: ${until} }, { hash: "${added}" }]`)
      await soon(async () => expect(await byBasic('both', 'the secret that is added')).toBe(200))
      expect(await byBasic('both', CLIENT_SECRET)).toBe(200)
      expect(await byBasic('both', 'another secret')).toBe(401)
      now += DAY_MS - 1
      expect(await byBasic('both', CLIENT_SECRET)).toBe(200)
      now += 1
      expect([await byBasic('both', CLIENT_SECRET), await tokenStatus('both', CLIENT_SECRET)]).toEqual([401, 401])
      expect(await byBasic('both', 'the secret that is added')).toBe(200)
    })

    it('take secrets of environment variables, whose stored hashes stay', async () => {
      process.env.TEST_ADDED_SECRET = 'the secret that is added'
      const secrets = 'secrets: [{ env: TEST_CLIENT_SECRET, until: 2099-12-31 }, { env: TEST_ADDED_SECRET }]'
      await withClient('sv', secrets)
      const again = await withClient('sv', secrets)
      expect(again.changes.filter(({ kind }) => kind === 'changed')).toEqual([])
      await soon(async () => expect(await byBasic('sv', 'the secret that is added')).toBe(200))
      expect(await byBasic('sv', CLIENT_SECRET)).toBe(200)
    })

    it('are changed with no hash in the preview and in the change log', async () => {
      const added = hashOf('the secret that is added')
      const client = '{ id: watcher, user: svc-watcher, '
      const text = original.replace(
        new RegExp(`${client}secretHash.*`),
        `${client}secrets: [{ hash: "${OLD_HASH}", until: 2099-12-31 }, { hash: "${added}" }] }`,
      )
      const { text: changes } = await previewSetup(task(text))
      expect(changes).toContain(
        '~ client watcher: secret, secrets nothing -> one until 2099-12-31T00:00:00.000Z and one without end',
      )
      await applySetup(task(text))
      const entries = await world().query('select * from audit_entry')
      const written = JSON.stringify(entries)
      expect(written).toContain('2099-12-31T00:00:00.000Z')
      expect(written).not.toContain('scrypt$')
      expect(changes).not.toContain('scrypt$')
    })

    it('are removed when they are not in the file, and are out at once, each with an entry of the change log', async () => {
      const without = original
        .replace(/^ {2}- \{ id: (nobody|svc-nobody).*\n/gm, '')
        .replace(/^ {2}- id: nobody\n/m, '')
        .replace('\nusers:', '  - { id: added, apis: { customers: [read] } }\n\nusers:')
      const token = await world().token('nobody')
      const send = () => world().send({ url, headers: { authorization: `Bearer ${token}` } })
      expect((await send()).status).toBe(403)
      const before = await world().dump()
      const { text } = await previewSetup(task(without, ['clients', 'users', 'roles']))
      expect(text.split('\n')).toEqual(
        expect.arrayContaining(['- client nobody', '- user svc-nobody', '- role nobody', '+ role added']),
      )
      expect(text).toMatch(/, 3 removed, 0 kept though not in the file/)
      expect(await world().changesSince(before)).toEqual([])

      const { text: applied } = await applySetup(task(without, ['clients', 'users', 'roles']))
      expect(applied).toBe(text)
      await soon(async () => expect((await send()).json).toEqual({ statusCode: 401, message: 'Invalid JWT.' }))
      expect(await byBasic('nobody', CLIENT_SECRET)).toBe(401)
      const entries = await world().query(
        `select entity, record_key, user_id, before, after from audit_entry where operation = 'delete' order by entry_no`,
      )
      expect(entries.map(({ entity, record_key }) => `${entity} ${record_key}`)).toEqual([
        'setup-client ["nobody"]',
        'setup-role ["nobody"]',
        'setup-user ["svc-nobody"]',
      ])
      expect(entries.every(({ user_id, after }) => user_id === 'setup' && after === '')).toBe(true)
      expect(JSON.stringify(entries)).not.toContain('scrypt$')
      await applySetup(task(original))
      await soon(async () => expect((await send()).status).toBe(403))
    })

    it.each<[PrunableSection[], string]>([
      [['users'], 'user svc-nobody cannot be removed: client nobody, which stays, acts for it'],
      [['roles'], 'role nobody cannot be removed: user svc-nobody, who stays, has it'],
      [['clients', 'roles'], 'role nobody cannot be removed: user svc-nobody, who stays, has it'],
    ])('are not removed by %j where something that stays needs them', async (sections, message) => {
      const without = original
        .replace(/^ {2}- \{ id: (nobody|svc-nobody).*\n/gm, '')
        .replace(/^ {2}- id: nobody\n/m, '')
      const before = await world().dump()
      for (const attempt of [previewSetup, applySetup]) {
        await expect(attempt(task(without, sections))).rejects.toThrow(message)
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('are not removed by a file without their section', async () => {
      const before = await world().dump()
      const withoutAll = original.slice(0, original.indexOf('\nclients:'))
      await expect(applySetup(task(withoutAll, ['clients']))).rejects.toThrow(
        "write 'clients: []' to remove all clients",
      )
      expect(await world().changesSince(before)).toEqual([])
    })

    it('leave the user that binds a trusted issuer, which could name every user without it', async () => {
      const issuer =
        '{ issuer: "https://login.example", audience: a, keySet: "https://login.example/k", algorithms: [ES256] }'
      const authentication = `authentication: { issuers: [${issuer}] }\n`
      const user = '  - { id: ann, issuer: "https://login.example", defaultCompany: EN }\n\nclients:'
      await applySetup(task(`${original.replace('\nclients:', user)}\n${authentication}`))
      await expect(applySetup(task(`${original}\n${authentication}`, ['users']))).rejects.toThrow(
        'user ann cannot be removed: without it the issuer https://login.example could name every user',
      )
      await applySetup(
        task(`${original}\n${authentication.replace('audience', 'companies: [EN], audience')}`, ['users']),
      )
    })
  },
  (kind) => startWorld(kind, undefined, '', { clock: () => new Date(now) }),
)
