// Secrets cannot be found by trying: wrong ones are counted for each client and address, and nobody else is held up.
import { expect, it } from 'vitest'
import { MOST_WRONG_SECRETS } from '../../src/access/guesses.ts'
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
    return world().send({ method: 'POST', url: '/oauth/token', body, headers: form })
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
    // Tokens of the same client, the same client from elsewhere, and other clients are not held up.
    expect((await world().send({ as: 'reader', url })).status).toBe(200)
    expect((await byBasic('reader', CLIENT_SECRET, '192.0.2.7')).statusCode).toBe(200)
    expect((await byForm('integration', CLIENT_SECRET)).status).toBe(200)
  })

  it('are forgotten when the right one comes in time, and then that one is never counted', async () => {
    for (let tries = 0; tries < MOST_WRONG_SECRETS - 1; tries++) await byBasic('integration', `w${tries}`, '192.0.2.8')
    expect((await byBasic('integration', CLIENT_SECRET, '192.0.2.8')).statusCode).toBe(200)
    for (let tries = 0; tries < MOST_WRONG_SECRETS; tries++) await byBasic('integration', `w${tries}`, '192.0.2.8')
    expect((await byBasic('integration', 'wrong again', '192.0.2.8')).statusCode).toBe(429)
    expect((await byBasic('integration', CLIENT_SECRET, '192.0.2.8')).statusCode).toBe(200)
  })

  it('are not what many requests at once with the right one are', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => byBasic('both', CLIENT_SECRET, '192.0.2.10')))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })

  it('of many at once are counted before they are checked', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => byBasic('nobody', `w${at}`, '192.0.2.9')))
    const checked = answers.filter(({ statusCode }) => statusCode === 401).length
    expect(checked).toBeLessThanOrEqual(MOST_WRONG_SECRETS)
    expect(answers.every(({ statusCode }) => [401, 429, 503].includes(statusCode))).toBe(true)
  })
})
