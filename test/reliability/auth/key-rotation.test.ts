// A2: key rotation under load: no good token is rejected, and none signed with a removed key is accepted.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Denial } from '../../../src/access/denial.ts'
import { Directory } from '../../../src/access/directory.ts'
import { KeyRing } from '../../../src/access/keys.ts'
import { Tokens } from '../../../src/access/tokens.ts'
import { type Signer, signedToken } from '../../support/forgery/signer.ts'
import { ownSigner, startTrustedIssuers } from '../../support/forgery/signers.ts'
import { injectInto } from '../../support/inject.ts'
import { temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { uniqueAddress } from '../../support/unique-address.ts'
import { STORE_KINDS, startWorld, type World } from '../../support/world.ts'

const url = '/v1/attribute-values/C1/CC100/0'
const HOUR_MS = 3_600_000
/** Four rotations happen within the day that a key stays valid after it has been replaced. */
const BETWEEN_ROTATIONS_MS = 7 * HOUR_MS
const GRACE_MS = 24 * HOUR_MS
const REQUESTS_A_ROTATION = 80
const REQUEST_EVERY_MS = 5

describe('A2 rotation of keys', () => {
  it('A2 rejects no good token under load, and all of a removed key', () =>
    reliabilityTest('A2', 'rotations under load', async () => {
      let now = Date.parse('2026-03-01T00:00:00Z')
      const world = await startWorld(STORE_KINDS[0] ?? 'sqlite', undefined, '', { clock: () => new Date(now) })
      try {
        const rotations = triesOf({ smoke: 5, long: 5, full: 100 })
        // Each with the time at which its successor was created; the newest has none.
        const made: { signer: Signer; until?: number }[] = [{ signer: ownSigner(world.folder) }]
        const tally = { asked: 0, refused: 0, longestMs: 0 }
        for (let round = 0; round < rotations; round++) {
          const good = made.filter(({ until }) => until === undefined || now - until < GRACE_MS)
          const away = made.filter((key) => !good.includes(key))
          const tokens = { good: await tokensOf(world, good, now), away: await tokensOf(world, away, now) }
          const load = sendSteadily(world, tokens, tally)
          await sleep((REQUESTS_A_ROTATION * REQUEST_EVERY_MS) / 2)
          await world.application.keys.rotate()
          const newest = made.at(-1)
          if (newest) newest.until = now
          made.push({ signer: ownSigner(world.folder) })
          await load
          const published = await publishedIds(world)
          expect(away.filter(({ signer }) => published.includes(String(signer.header.kid)))).toEqual([])
          now += BETWEEN_ROTATIONS_MS
        }
        expect(tally.refused).toBeGreaterThan(0)
        return `${rotations} rotations, ${tally.asked} requests answered, ${tally.refused} with keys put away refused, slowest ${Math.round(tally.longestMs)} ms`
      } finally {
        await world.stop()
      }
    }))

  it('A2 dates a key by the moment from which it signs, whatever the clock does while it is made', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'keys.json')
    let now = Date.parse('2026-03-01T00:00:00Z')
    const keys = await KeyRing.managed(file, () => new Date(now))
    const before = (await keys.signing()).kid
    let isMade = false
    const made = keys.rotate().then(() => {
      isMade = true
    })
    let signedLast = now
    while (!isMade) {
      now += HOUR_MS
      if ((await keys.signing()).kid === before) signedLast = now
      await new Promise(setImmediate)
    }
    await made
    const [newest] = JSON.parse(readFileSync(file, 'utf8')).keys
    folder.remove()
    expect(Date.parse(newest.created)).toBeGreaterThanOrEqual(signedLast)
  })

  it('A2 accepts the key that another process already signs with, and none that was removed from the file', () =>
    reliabilityTest('A2', 'rotations of another machine', async () => {
      const folder = temporaryFolder()
      const file = join(folder.path, 'keys.json')
      const clock = () => new Date()
      const keys = await KeyRing.managed(file, clock)
      const [first, second] = [
        new Tokens(keys, directory(), clock),
        new Tokens(KeyRing.provided(file, clock), directory(), clock),
      ]
      const rotations = triesOf({ smoke: 5, long: 5, full: 100 })
      const issued: string[] = []
      for (let round = 0; round < rotations; round++) {
        await keys.rotate()
        issued.push(await first.issue('integration'))
        for (const token of issued.slice(-3)) {
          expect(await second.verify(token)).toMatchObject({ userId: 'svc' })
          expect(second.findCached(token)?.userId).toBe('svc')
        }
      }
      const { keys: all } = JSON.parse(readFileSync(file, 'utf8')) as { keys: object[] }
      writeFileSync(file, JSON.stringify({ keys: all.slice(1) }), { mode: 0o600 })
      chmodSync(file, 0o600)
      const third = KeyRing.provided(file, clock)
      const reader = new Tokens(third, directory(), clock)
      const [last = '', before = ''] = issued.toReversed()
      expect(await reader.verify(last)).toBeInstanceOf(Denial)
      expect(await reader.verify(before)).toMatchObject({ userId: 'svc' })
      writeFileSync(file, JSON.stringify({ keys: all.slice(0, 1) }))
      third.reload()
      // Cached tokens of a removed key are no longer accepted.
      expect(reader.findCached(before)).toBeUndefined()
      expect(await reader.verify(before)).toBeInstanceOf(Denial)
      folder.remove()
      return `${rotations} rotations`
    }))

  it('A2 drops the cached tokens of an issuer that is no longer trusted', async () => {
    const issuers = await startTrustedIssuers()
    const folder = temporaryFolder()
    const clock = () => new Date()
    const trusted = directory()
    const tokens = new Tokens(await KeyRing.managed(join(folder.path, 'keys.json'), clock), trusted, clock)
    const issuer = { issuer: 'https://ec.example.com', audience: 'records', algorithms: ['ES256'], userClaim: 'upn' }
    trusted.replace({ ...ACCESS, issuers: [{ ...issuer, keySet: `${issuers.address}/ec` }] })
    const token = signedToken(issuers.signers[1], { claims: { upn: 'svc' } })
    expect(await tokens.verify(token)).toMatchObject({ userId: 'svc' })
    expect(tokens.findCached(token)?.userId).toBe('svc')
    trusted.replace({ ...ACCESS, issuers: [{ ...issuer, keySet: `${issuers.address}/rsa` }] })
    expect(tokens.findCached(token)).toBeUndefined()
    expect(await tokens.verify(token)).toBeInstanceOf(Denial)
    trusted.replace(ACCESS)
    expect(await tokens.verify(token)).toBeInstanceOf(Denial)
    folder.remove()
    await issuers.stop()
  })
})

interface Tally {
  asked: number
  refused: number
  longestMs: number
}

/** Sends 200 requests a second regardless of latency, alternating good tokens and tokens of removed keys. */
async function sendSteadily(world: World, tokens: { good: string[]; away: string[] }, tally: Tally): Promise<void> {
  const sent: Promise<void>[] = []
  for (let at = 0; at < REQUESTS_A_ROTATION; at++) {
    const isAway = at % 4 === 3 && tokens.away.length > 0
    const of = isAway ? tokens.away : tokens.good
    // Every fourth good token is new, signed with the newest key.
    const token = at % 4 === 0 ? world.application.tokens.issue('integration') : of[at % of.length]
    sent.push(ask(world, token ?? '', isAway ? 401 : 200, tally))
    await sleep(REQUEST_EVERY_MS)
  }
  await Promise.all(sent)
}

async function ask(world: World, token: string | Promise<string>, expected: number, tally: Tally): Promise<void> {
  const since = performance.now()
  const headers = { authorization: `Bearer ${await token}` }
  // An address that sends many wrong tokens is refused with 429.
  const remoteAddress = uniqueAddress()
  const { statusCode, body } = await injectInto(world.application.server, { url, headers, remoteAddress })
  expect([statusCode, statusCode === expected ? '' : body]).toEqual([expected, ''])
  tally.longestMs = Math.max(tally.longestMs, performance.now() - since)
  tally.asked += 1
  if (statusCode === 401) tally.refused += 1
}

/** A token of each key, signed now: a holder of a removed key can still sign with it. */
async function tokensOf(world: World, keys: readonly { signer: Signer }[], nowMs: number): Promise<string[]> {
  const now = Math.floor(nowMs / 1000)
  const times = { iat: now, exp: now + 3_600 }
  const signed = keys.map(({ signer }) => signedToken(signer, { claims: { ...times, jti: String(nowMs) } }))
  const isUsed = keys.some(({ signer }) => signer.header.kid === ownSigner(world.folder).header.kid)
  return isUsed ? [...signed, await world.application.tokens.issue('integration')] : signed
}

async function publishedIds(world: World): Promise<string[]> {
  const { json } = await world.send({ url: '/.well-known/jwks.json' })
  return json.keys.map(({ kid }: { kid: string }) => kid)
}

const ACCESS = {
  roles: [],
  users: [{ id: 'svc', defaultCompany: 'EN' }],
  clients: [{ id: 'integration', user: 'svc', secretHash: '' }],
  basicAllowed: true,
  issuers: [],
}

function directory(): Directory {
  const made = new Directory()
  made.replace(ACCESS)
  return made
}
