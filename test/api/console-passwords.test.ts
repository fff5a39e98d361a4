// Passwords cannot be guessed at the console: wrong ones are counted by user and address, and by address alone.
import { expect, it } from 'vitest'
import { ADDRESS_BURSTS } from '../../src/access/address-limits.ts'
import { MOST_WRONG_SECRETS as MOST_WRONG } from '../../src/access/client-secrets.ts'
import { companyWithPeople, signIn } from '../support/console-people.ts'
import { type Answer, onEachStore, startWorld } from '../support/world.ts'

/** No time passes in which more would be allowed, however long it takes to check a password. */
const STOPPED = new Date()
/** What an address may send at once. */
const BURST = ADDRESS_BURSTS.failed

onEachStore(
  'Wrong passwords',
  (world) => {
    const guess = (user: string, from: string, at: number) =>
      signIn(world(), user, { password: `guess number ${at}`, from })
    /** One after the other: of many at once, the last ones would be refused because they wait too long. */
    const guesses = async (times: number, from: string, userOf: (at: number) => string) => {
      const answers: Answer[] = []
      for (let at = 0; at < times; at++) answers.push(await guess(userOf(at), from, at))
      return answers
    }
    const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)

    it(`of a user are refused with 429 and Retry-After after ${MOST_WRONG} from an address, the right one elsewhere not`, async () => {
      const stored = await world().dump()
      const wrong = await guesses(MOST_WRONG, '192.0.2.1', () => 'bo')
      expect(new Set(statusesOf(wrong))).toEqual(new Set([401]))
      // Further guesses of one user wait for their turn: one that is known to be wrong need not.
      const refused = await guess('bo', '192.0.2.1', 0)
      expect([refused.status, refused.json]).toEqual([429, { code: 1020, message: 'Too many wrong secrets.' }])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused.headers['set-cookie']).toBeUndefined()
      expect((await signIn(world(), 'bo', { from: '192.0.2.2' })).status).toBe(201)
      expect((await signIn(world(), 'ada', { from: '192.0.2.1' })).status).toBe(201)
      expect(await world().changesSince(stored)).toEqual([])
    })

    it('of users that there are not are refused alike', async () => {
      const answers = await guesses(MOST_WRONG + 3, '192.0.2.3', (at) => `nobody${at}`)
      expect(statusesOf(answers).filter((status) => status === 401)).toHaveLength(MOST_WRONG)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(3)
      for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect((await signIn(world(), 'bo', { from: '192.0.2.3' })).status).toBe(201)
    })

    it('are counted by address too: too many refuse a wrong one of any user with 429, and the right ones not', async () => {
      const stored = await world().dump()
      // To check the same one again costs nothing, and counts for the address.
      for (let at = 0; at < BURST; at++) expect((await guess('bo', '192.0.2.4', 0)).status).toBe(401)
      const refused = await guess('cleo', '192.0.2.4', 0)
      expect(refused.json).toEqual({ code: 1020, message: 'Too many wrong credentials from this address.' })
      expect(refused.status).toBe(429)
      expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-limit': String(BURST) })
      expect(await world().changesSince(stored)).toEqual([])
      expect((await signIn(world(), 'ada', { from: '192.0.2.4' })).status).toBe(201)
      expect((await signIn(world(), 'bo', { from: '192.0.2.5' })).status).toBe(201)
    })
  },
  (kind) => startWorld(kind, companyWithPeople(), '', { clock: () => STOPPED, elapsedMs: () => 0 }),
)
