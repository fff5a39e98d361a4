// `tabularium login`: credentials that are checked, kept for their user alone, and used where nothing else is told.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialsFrom } from '../../src/cli/settings/credentials.ts'
import { readLogins, saveLogin } from '../../src/cli/settings/logins.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET, startWorld } from '../support/world.ts'

const folder = temporaryFolder()
const place = (name: string) => join(folder.path, name, 'tabularium', 'logins.json')
let world: Awaited<ReturnType<typeof startWorld>>
let url: string

beforeAll(async () => {
  world = await startWorld('sqlite', undefined, '/erp')
  url = `${await world.application.server.listen({ port: 0, host: '127.0.0.1' })}/erp`
})
afterAll(async () => {
  folder.remove()
  await world?.stop()
})

/** In a configuration folder of its own. */
const login = (name: string, args: readonly string[], secret = CLIENT_SECRET) =>
  run(['login', ...args], { environment: { XDG_CONFIG_HOME: join(folder.path, name), TABULARIUM_SECRET: secret } })

describe('tabularium login', () => {
  it('keeps what the service knows in a file that nobody else may read', async () => {
    mkdirSync(join(folder.path, 'kept', 'tabularium'), { recursive: true, mode: 0o755 })
    const kept = await login('kept', ['--url', `${url}/`, '--client', 'integration'])
    expect(kept).toMatchObject({ code: 0, stderr: '' })
    expect(kept.stdout).not.toContain(CLIENT_SECRET)
    const nobody = await login('kept', ['--url', url, '--client', 'nobody'])
    expect(nobody).toMatchObject({ code: 0, stderr: '' })
    const file = place('kept')
    const [newest, before] = ['nobody', 'integration'].map((clientId) => ({
      url,
      clientId,
      clientSecret: CLIENT_SECRET,
    }))
    expect(readLogins(file)).toEqual([newest, before])
    expect(await login('kept', ['--url', url, '--client', 'integration'])).toMatchObject({ code: 0 })
    expect(readLogins(file)).toEqual([before, newest])
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(readdirSync(join(file, '..'))).toEqual(['logins.json'])
  })

  it('keeps nothing that the service does not know', async () => {
    const wrong = await login('wrong', ['--url', url, '--client', 'integration'], 'a wrong secret')
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toBe('tabularium: the service gives no token: the client id or secret is wrong\n')
    const nowhere = await login('wrong', ['--url', 'http://127.0.0.1:9', '--client', 'integration'])
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toMatch(/^tabularium: no complete answer of http:\/\/127\.0\.0\.1:9: [^\n]+\n$/)
    const missing = await login('wrong', ['--url', url, '--client', 'integration'], '')
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('the variable TABULARIUM_SECRET') })
    expect(existsSync(join(folder.path, 'wrong'))).toBe(false)
  })

  it('refuses a file that others can read, and one of anything else', () => {
    const file = place('open')
    saveLogin(file, { url, clientId: 'a', clientSecret: 'b' })
    chmodSync(file, 0o640)
    const before = readFileSync(file, 'utf8')
    expect(() => readLogins(file)).toThrow('others may read it')
    expect(() => saveLogin(file, { url, clientId: 'a', clientSecret: 'b' })).toThrow('others may read it')
    expect(readFileSync(file, 'utf8')).toBe(before)
    chmodSync(file, 0o600)
    for (const text of ['', '{', '[]', 'null', '{"logins":{}}', '{"logins":[{"url":1}]}', '{"logins":[null]}']) {
      writeFileSync(file, text)
      expect(() => readLogins(file)).toThrow('is no file of logins')
    }
  })
})

describe('credentials', () => {
  const environment = { XDG_CONFIG_HOME: join(folder.path, 'given') }
  const kept = { url: 'https://erp.example.com', clientId: 'shop', clientSecret: 'kept' }
  beforeAll(() => {
    saveLogin(place('given'), { ...kept, url: 'https://test.example.com' })
    saveLogin(place('given'), kept)
  })

  it('come from flags, then the environment, then what login has kept, the newest first', () => {
    expect(credentialsFrom({}, environment)).toEqual(kept)
    expect(credentialsFrom({ url: `${kept.url}/`, client: 'shop' }, environment)).toEqual(kept)
    expect(credentialsFrom({}, { ...environment, TABULARIUM_SECRET: 'newer' })).toEqual({
      ...kept,
      clientSecret: 'newer',
    })
    expect(credentialsFrom({ url: 'https://test.example.com' }, environment)).toEqual({
      ...kept,
      url: 'https://test.example.com',
    })
    const other = { url: 'https://other.example.com', clientId: 'shop', clientSecret: 'a' }
    expect(credentialsFrom({ url: other.url, client: 'shop' }, { ...environment, TABULARIUM_SECRET: 'a' })).toEqual(
      other,
    )
  })

  it('never send a kept secret to another address, or for another client', () => {
    const url = 'https://other.example.com'
    expect(() => credentialsFrom({ url, client: 'shop' }, environment)).toThrow('the variable TABULARIUM_SECRET')
    expect(() => credentialsFrom({ url }, environment)).toThrow("option '--client'")
    expect(() => credentialsFrom({ client: 'other' }, environment)).toThrow("option '--url'")
  })
})
