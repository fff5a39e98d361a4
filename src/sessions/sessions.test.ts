import { describe, expect, it } from 'vitest'
import { Caller, type UserDefinition } from '../access/caller.ts'
import { Directory } from '../access/directory.ts'
import type { SessionStore, StoredSession } from './session-store.ts'
import { idOf, PersonSessions } from './sessions.ts'

const ADA: UserDefinition = { id: 'ada', defaultCompany: 'EN', roles: { EN: ['r'] }, passwordHash: 'scrypt$1' }
const ROLES = [{ id: 'r', apis: { customers: ['read'] } }]

function directoryOf(...users: UserDefinition[]): Directory {
  const directory = new Directory()
  const clients = [{ id: 'shop', user: 'ada', secretHash: 'scrypt$2' }]
  directory.replace({ roles: ROLES, users, clients, basicAllowed: true, issuers: [] })
  return directory
}

/** Rows in memory, as the database keeps them. */
function sessionsOn(directory: Directory) {
  const rows = new Map<string, StoredSession>()
  const store: Pick<SessionStore, keyof SessionStore> = {
    add: async (row) => void rows.set(row.session_id, row),
    find: async (id) => rows.get(id),
    use: async () => {},
    end: async (id) => void rows.delete(id),
    list: async () => [...rows.values()],
    idsOf: async () => [...rows.keys()],
    forget: async () => {},
  }
  const sessions = new PersonSessions({
    store: store as SessionStore,
    directory,
    clock: () => new Date(1_000_000),
  })
  return { sessions, rows, store }
}

const BROWSER = { userAgent: 'Firefox', address: '127.0.0.1' }
const read = { method: 'GET' }

describe('a session', () => {
  it.each([
    ['gets another password', { ...ADA, passwordHash: 'scrypt$3' }],
    ['loses the password', { ...ADA, passwordHash: '' }],
    ['is disabled', { ...ADA, disabled: true }],
    ['is removed', { ...ADA, id: 'bo' }],
  ])('ends when its user %s', async (_what, changed) => {
    const directory = directoryOf(ADA)
    const { sessions } = sessionsOn(directory)
    const secret = await sessions.begin(ADA, BROWSER)
    expect(await sessions.verify({ secret, ...read })).toBeInstanceOf(Caller)
    directory.replace({ roles: ROLES, users: [changed], clients: [], basicAllowed: true, issuers: [] })
    expect(await sessions.verify({ secret, ...read })).not.toBeInstanceOf(Caller)
    expect(await sessions.list()).toEqual([])
  })

  it('is stored without what the browser holds', async () => {
    const { sessions, rows } = sessionsOn(directoryOf(ADA))
    const secret = await sessions.begin(ADA, BROWSER)
    expect(JSON.stringify([...rows.values()])).not.toContain(secret)
    expect([...rows.keys()]).toEqual([idOf(secret)])
  })

  it('takes little memory, whatever the browser calls itself', async () => {
    const { sessions, rows } = sessionsOn(directoryOf(ADA))
    await sessions.begin(ADA, { ...BROWSER, userAgent: 'x'.repeat(16_000) })
    expect(JSON.stringify([...rows.values()]).length).toBeLessThan(600)
  })

  it.each(['before', 'while'] as const)('stays ended when it was read %s it ended', async (when) => {
    const { sessions, store } = sessionsOn(directoryOf(ADA))
    const secret = await sessions.begin(ADA, BROWSER)
    const row = await store.find(idOf(secret))
    const [reading, ending] = [Promise.withResolvers<StoredSession | undefined>(), Promise.withResolvers<void>()]
    const { find, end } = store
    store.find = () => reading.promise
    store.end = async (id) => {
      await ending.promise
      await end(id)
    }
    const read = when === 'before' ? sessions.find(secret) : undefined
    const ended = sessions.end(idOf(secret))
    const found = read ?? sessions.find(secret)
    if (when === 'before') {
      ending.resolve()
      await ended
    }
    reading.resolve(row)
    await found
    ending.resolve()
    await ended
    store.find = find
    expect(await sessions.find(secret)).toBeUndefined()
  })

  it('finds the client that an administrator acts as, with the person who asks, and only for reads', async () => {
    const administrator = { ...ADA, administrator: true }
    const { sessions } = sessionsOn(directoryOf(administrator))
    const secret = await sessions.begin(administrator, BROWSER)
    const person = await sessions.verify({ secret, ...read })
    for (const method of ['GET', 'HEAD']) {
      const client = await sessions.verify({ secret, method, actAs: 'shop' })
      expect(client).toMatchObject({ clientId: 'shop', actedAs: 'shop', actor: person, flow: (person as Caller).flow })
    }
    const write = sessions.verify({ secret, method: 'PATCH', actAs: 'shop' })
    await expect(write).rejects.toMatchObject({ status: 403, caller: { actedAs: 'shop', actor: person } })
    const unknown = sessions.verify({ secret, ...read, actAs: 'none' })
    await expect(unknown).rejects.toMatchObject({ status: 403, caller: person })
  })
})
