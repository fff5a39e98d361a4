// Secrets cannot be guessed: wrong ones are counted by client and address, and no other client is affected.
import { expect, it } from 'vitest'
import { FailedLogins, MOST_WRONG_SECRETS } from '../../src/access/failed-logins.ts'
import { clientUsage } from '../../src/store/service-state/usage-store.ts'
import { CLIENT_SECRET, onEachStore } from '../support/world.ts'

const url = '/v1/attribute-values/C1/CC100/0'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

onEachStore('Wrong secrets', (world) => {
  const byBasic = (id: string, secret: string, remoteAddress = '127.0.0.1') =>
    world().application.server.inject({
      url,
      remoteAddress,
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    })
  const byForm = (id: string, secret: string) => {
    const body = `grant_type=client_credentials&client_id=${id}&client_secret=${encodeURIComponent(secret)}`
    return world().send({ from: '127.0.0.1', method: 'POST', url: '/oauth/token', body, headers: form })
  }

  it(`are refused with 429 and Retry-After after ${MOST_WRONG_SECRETS} in a minute, right ones among them too`, async () => {
    const statuses = []
    for (let tries = 0; tries < MOST_WRONG_SECRETS; tries++) {
      statuses.push(
        tries % 2 ? (await byBasic('reader', `w${tries}`)).statusCode : (await byForm('reader', `w${tries}`)).status,
      )
    }
    expect(new Set(statuses)).toEqual(new Set([401]))
    for (const secret of ['wrong again', CLIENT_SECRET]) {
      const answer = await byForm('reader', secret)
      expect([answer.status, answer.json]).toEqual([429, { code: 1020, message: 'Too many wrong secrets.' }])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
      expect((await byBasic('reader', secret)).statusCode).toBe(429)
    }
    // Tokens of the same client, the same client from elsewhere, and other clients are not affected.
    expect((await world().send({ as: 'reader', url })).status).toBe(200)
    expect((await byBasic('reader', CLIENT_SECRET, '192.0.2.7')).statusCode).toBe(200)
    expect((await byForm('integration', CLIENT_SECRET)).status).toBe(200)
  })

  it('are reset when the right one comes in time, and then that one is never counted', async () => {
    for (let tries = 0; tries < MOST_WRONG_SECRETS - 1; tries++) await byBasic('integration', `w${tries}`, '192.0.2.8')
    expect((await byBasic('integration', CLIENT_SECRET, '192.0.2.8')).statusCode).toBe(200)
    for (let tries = 0; tries < MOST_WRONG_SECRETS; tries++) await byBasic('integration', `w${tries}`, '192.0.2.8')
    expect((await byBasic('integration', 'wrong again', '192.0.2.8')).statusCode).toBe(429)
    expect((await byBasic('integration', CLIENT_SECRET, '192.0.2.8')).statusCode).toBe(200)
  })

  it('do not include many concurrent requests with the right one', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => byBasic('both', CLIENT_SECRET, '192.0.2.10')))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })

  it('of many at once are counted before they are checked', async () => {
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
    const others = [1, 2].map(() => new FailedLogins(clientUsage(world().application.service.store)))
    const guesser = '192.0.2.30 nobody'
    for (let tries = 0; tries < MOST_WRONG_SECRETS - 1; tries++) await others[tries % 2]?.begin('192.0.2.30 reader')
    const statuses = []
    for (let tries = 0; tries < 3; tries++)
      statuses.push((await byBasic('reader', `w${tries}`, '192.0.2.30')).statusCode)
    expect(statuses).toEqual([401, 429, 429])
    await expect(others[0]?.begin('192.0.2.30 reader')).rejects.toThrow('Too many wrong secrets.')
    await expect(others[0]?.begin(guesser)).resolves.toBeUndefined()
  })

  it('from one address do not delay a right one from another, however many they are', async () => {
    const before: number[] = []
    const wrong = Array.from({ length: 100 }, (_, at) =>
      byBasic(`stranger${at}`, 'wrong', '192.0.2.40').then(({ statusCode }) => before.push(statusCode)),
    )
    const right = await byBasic('watcher', CLIENT_SECRET, '192.0.2.41')
    const checked = before.filter((status) => status === 401).length
    await Promise.all(wrong)
    // The one that was being checked, and one whose turn came first.
    expect([right.statusCode, checked <= 2]).toEqual([403, true])
    const told = before.filter((status) => status === 401).length
    // On a busy machine some wait too long to be checked.
    expect([told <= MOST_WRONG_SECRETS, told === MOST_WRONG_SECRETS || before.includes(503)]).toEqual([true, true])
  })
})
