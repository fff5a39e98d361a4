// Secrets cannot be guessed: wrong ones are counted by client and address, and no other client is affected.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AddressLimits } from '../../src/access/address-limits.ts'
import { Caller } from '../../src/access/caller.ts'
import { ClientSecrets, MOST_WRONG_SECRETS } from '../../src/access/client-secrets.ts'
import { Directory } from '../../src/access/directory.ts'
import { failedLogins } from '../../src/access/failed-logins.ts'
import { itemOf } from '../../src/setup/items/setup-item.ts'
import { accessFrom } from '../../src/setup/rules/access-definitions.ts'
import { listSetupItems } from '../../src/store/service-state/setup-store.ts'
import { clientUsage } from '../../src/store/service-state/usage-store.ts'
import { injectInto } from '../support/inject.ts'
import { longIt } from '../support/reliability-test.ts'
import { CLIENT_SECRET, FEWER_KINDS, onEachStore, startWorld } from '../support/world.ts'

/** Long enough for others to come before the next turn. */
const PACE_MS = 400
const url = '/v1/attribute-values/C1/CC100/0'
/** A wrong secret is checked at the costs of all secrets: here they are small. */
function withCheapSecrets(): string {
  const text = readFileSync('test/fixtures/company.yaml', 'utf8')
  const [hash = ''] = /secretHash: "[^"]*"/.exec(text) ?? []
  const file = join(mkdtempSync(join(tmpdir(), 'tabularium-secrets-')), 'company.yaml')
  writeFileSync(file, text.replace('secretEnv: TEST_CLIENT_SECRET', hash))
  return file
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

onEachStore(
  'Wrong secrets',
  (world) => {
    const byBasic = (id: string, secret: string, remoteAddress = '127.0.0.1') =>
      injectInto(world().application.server, {
        url,
        remoteAddress,
        headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      })
    const byForm = (id: string, secret: string) => {
      const body = `grant_type=client_credentials&client_id=${id}&client_secret=${encodeURIComponent(secret)}`
      return world().send({ from: '127.0.0.1', method: 'POST', url: '/oauth/token', body, headers: form })
    }

    // Both readings of the secret count as one.
    const byBasicForToken = (id: string, secret: string) => {
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      const sent = {
        from: '127.0.0.1',
        method: 'POST',
        url: '/oauth/token',
        headers: { ...form, authorization },
      } as const
      return world().send({ ...sent, body: 'grant_type=client_credentials' })
    }

    it(`are refused with 429 and Retry-After after ${MOST_WRONG_SECRETS} in a minute, but the right one is not`, async () => {
      const statuses = []
      for (let tries = 0; tries < MOST_WRONG_SECRETS; tries++) {
        const ways = [byForm, byBasic, byBasicForToken]
        const answer = await ways[tries % 3]?.('reader', `w%2B${tries}`)
        statuses.push(answer && 'status' in answer ? answer.status : answer?.statusCode)
      }
      expect(new Set(statuses)).toEqual(new Set([401]))
      const answer = await byForm('reader', 'wrong again')
      expect([answer.status, answer.json]).toEqual([429, { code: 1020, message: 'Too many wrong secrets.' }])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
      expect((await byBasic('reader', 'wrong again')).statusCode).toBe(429)
      // This process has not seen the right one yet.
      expect((await byForm('reader', CLIENT_SECRET)).status).toBe(200)
      expect((await byBasic('reader', CLIENT_SECRET)).statusCode).toBe(200)
      expect((await byBasic('reader', 'wrong once more')).statusCode).toBe(429)
      // Tokens of the same client, the same client from elsewhere, and other clients are not affected.
      expect((await world().send({ as: 'reader', url })).status).toBe(200)
      expect((await byBasic('reader', CLIENT_SECRET, '192.0.2.7')).statusCode).toBe(200)
      expect((await byForm('integration', CLIENT_SECRET)).status).toBe(200)
    })

    longIt('are reset when the right one comes in time, and then that one is never counted', async () => {
      for (let tries = 0; tries < MOST_WRONG_SECRETS - 1; tries++)
        await byBasic('integration', `w${tries}`, '192.0.2.8')
      expect((await byBasic('integration', CLIENT_SECRET, '192.0.2.8')).statusCode).toBe(200)
      const more = Array.from({ length: MOST_WRONG_SECRETS }, (_, at) => byBasic('integration', `v${at}`, '192.0.2.8'))
      await Promise.all(more)
      expect((await byBasic('integration', 'wrong again', '192.0.2.8')).statusCode).toBe(429)
      expect((await byBasic('integration', CLIENT_SECRET, '192.0.2.8')).statusCode).toBe(200)
    })

    it('do not include many concurrent requests with the right one', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => byBasic('both', CLIENT_SECRET, '192.0.2.10')))
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    })

    longIt('of many at once are counted before they are checked', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => byBasic('nobody', `w${at}`, '192.0.2.9')))
      const checked = answers.filter(({ statusCode }) => statusCode === 401).length
      expect(checked).toBeLessThanOrEqual(MOST_WRONG_SECRETS)
      expect(answers.every(({ statusCode }) => [401, 429, 503].includes(statusCode))).toBe(true)
    })

    it('of unknown clients are counted for their address only', async () => {
      const statuses = []
      for (let at = 0; at < MOST_WRONG_SECRETS + 3; at++) {
        statuses.push((await byBasic(`stranger${at}`, 'wrong', '192.0.2.20')).statusCode)
      }
      expect(statuses).toEqual([...Array(MOST_WRONG_SECRETS).fill(401), 429, 429, 429])
      expect((await byBasic('stranger0', 'wrong', '192.0.2.21')).statusCode).toBe(401)
      expect((await byBasic('sv', CLIENT_SECRET, '192.0.2.20')).statusCode).toBe(200)
    })

    it('of one network of IPv6 are counted together', async () => {
      for (let at = 0; at < MOST_WRONG_SECRETS; at++) await byBasic('nobody', `w${at}`, `2001:db8::${at.toString(16)}`)
      expect((await byBasic('nobody', 'w', '2001:db8::ffff')).statusCode).toBe(429)
      expect((await byBasic('nobody', 'w', '2001:db8:0:1::1')).statusCode).toBe(401)
    })

    it('are counted by all processes on a store together', async () => {
      const shared = clientUsage(world().application.service.store)
      const others = [1, 2].map(() => failedLogins(shared, 'wrong-secrets', MOST_WRONG_SECRETS, () => new Date()))
      const guesser = '192.0.2.30 nobody'
      for (let tries = 0; tries < MOST_WRONG_SECRETS - 1; tries++) await others[tries % 2]?.begin('192.0.2.30 reader')
      const statuses = []
      for (let tries = 0; tries < 3; tries++)
        statuses.push((await byBasic('reader', `w${tries}`, '192.0.2.30')).statusCode)
      expect(statuses).toEqual([401, 429, 429])
      expect(await others[0]?.begin('192.0.2.30 reader')).toBe(false)
      expect(await others[0]?.begin(guesser)).toBe(true)
    })

    it('in a row are told once in the log, with the client where there is one', async () => {
      const toldOf = (address: string) =>
        world().observed.filter((one) => one.kind === 'wrong-secrets' && one.address === address)
      for (let tries = 0; tries < 12; tries++) await byBasic('reader', `s${tries}`, '192.0.2.50')
      for (let tries = 0; tries < 12; tries++) await byBasic(`stranger${tries}`, 'wrong', '192.0.2.51')
      for (let tries = 0; tries < 4; tries++) await byBasic('reader', `s${tries}`, '192.0.2.52')
      expect(toldOf('192.0.2.50')).toEqual([
        { kind: 'wrong-secrets', client: 'reader', address: '192.0.2.50', count: 5 },
      ])
      expect(toldOf('192.0.2.51')).toMatchObject([{ client: undefined, count: 5 }])
      expect(toldOf('192.0.2.52')).toEqual([])
    })

    it('from one address do not delay a right one from another, however many they are', async () => {
      const before: number[] = []
      const wrong = Array.from({ length: 100 }, (_, at) =>
        byBasic(`stranger${at}`, 'wrong', '192.0.2.40').then(({ statusCode }) => before.push(statusCode)),
      )
      const right = await byBasic('watcher', CLIENT_SECRET, '192.0.2.41')
      const checked = before.filter((status) => status === 401).length
      await Promise.all(wrong)
      // The one that was being checked, one whose turn came first, and those that end while the right one is answered.
      expect([right.statusCode, checked < MOST_WRONG_SECRETS / 2]).toEqual([403, true])
      const told = before.filter((status) => status === 401).length
      // On a busy machine some wait too long to be checked.
      expect([told <= MOST_WRONG_SECRETS, told === MOST_WRONG_SECRETS || before.includes(503)]).toEqual([true, true])
    })

    describe('during a lockout', () => {
      const lockOut = async (id: string, address: string) => {
        const guesses = Array.from({ length: MOST_WRONG_SECRETS }, (_, at) => byBasic(id, `guess ${at}`, address))
        expect(new Set((await Promise.all(guesses)).map(({ statusCode }) => statusCode))).toEqual(new Set([401]))
      }
      /** As another process on the store has it, or this one after a restart. */
      const secretsOfAnother = async () => {
        const { store } = world().application.service
        const directory = new Directory()
        directory.replace(accessFrom((await listSetupItems(store.reading(''))).map(itemOf)))
        return new ClientSecrets({
          directory,
          shared: clientUsage(store),
          addressLimits: new AddressLimits(() => performance.now()),
          clock: () => new Date(),
          observe: () => {},
          paceMs: PACE_MS,
        })
      }

      it('are known again, and then cost neither a check nor a count', async () => {
        const statuses = []
        for (let tries = 0; tries <= MOST_WRONG_SECRETS; tries++)
          statuses.push((await byBasic('watcher', 'outdated', '192.0.2.60')).statusCode)
        expect(new Set(statuses)).toEqual(new Set([401]))
        expect((await byBasic('watcher', CLIENT_SECRET, '192.0.2.60')).statusCode).toBe(403)
      })

      it('do not hold up the right one of another process, or after a restart', async () => {
        await lockOut('both', '192.0.2.61')
        const fresh = await secretsOfAnother()
        expect(await fresh.verify('both', CLIENT_SECRET, '192.0.2.61')).toBeInstanceOf(Caller)
        await expect(fresh.verify('both', 'wrong again', '192.0.2.61')).rejects.toThrow('Too many wrong secrets.')
        await fresh.close()
      })

      it('flooding from the same address do not hold up the right one for long, and stay few', async () => {
        await lockOut('sv', '192.0.2.62')
        const fresh = await secretsOfAnother()
        let isOver = false
        let guesses = 0
        const flood = async () => {
          while (!isOver) {
            guesses += 1
            const verified = fresh.verify('sv', `flood ${guesses}`, '192.0.2.62').catch(() => 'refused')
            // It sends the next one whether it has an answer or not.
            const [answer] = await Promise.all([Promise.race([verified, soon()]), soon()])
            expect([undefined, 'refused']).toContain(answer)
          }
        }
        const flooding = Promise.all(Array.from({ length: 30 }, flood))
        let shown = 0
        for (;;) {
          shown += 1
          const answer = await fresh.verify('sv', CLIENT_SECRET, '192.0.2.62').catch(() => undefined)
          if (answer instanceof Caller) break
          await soon()
        }
        isOver = true
        await flooding
        expect(shown).toBeLessThan(guesses / 10)
        const [checked] = await world().query(
          "select sum(amount) as checks from client_usage where kind = 'patient-checks' and client_id = '192.0.2.62 sv'",
        )
        expect(Number(checked?.checks)).toBeLessThanOrEqual(12)
        expect(await fresh.verify('sv', CLIENT_SECRET, '192.0.2.62')).toBeInstanceOf(Caller)
        await fresh.close()
      })
    })
  },
  (kind) => startWorld(kind, withCheapSecrets(), '', { secretPaceMs: PACE_MS }),
  FEWER_KINDS,
)

const soon = () => new Promise<undefined>((resolve) => setTimeout(resolve, 20, undefined))
