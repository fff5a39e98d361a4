// A1: only an intact token of the service or of a trusted issuer is accepted; any other gets 401.

import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimForgeries } from '../../support/forgery/claim-forgeries.ts'
import { headerForgeries } from '../../support/forgery/header-forgeries.ts'
import { type Forgery, type Signer, signedToken } from '../../support/forgery/signer.ts'
import { ownSigner, startTrustedIssuers } from '../../support/forgery/signers.ts'
import { textForgeries } from '../../support/forgery/text-forgeries.ts'
import { injectInto } from '../../support/inject.ts'
import { IS_FULL, randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { uniqueAddress } from '../../support/unique-address.ts'
import { STORE_KINDS, startWorld } from '../../support/world.ts'

const url = '/v1/attribute-values/C1/CC100/0'
/** The same message for every error (RFC 6750, 3.1), but for a token of the right signer that was good before. */
const refused = (description: string) => [
  401,
  '{"statusCode":401,"message":"Invalid JWT."}',
  `Bearer error="invalid_token", error_description="${description}", Basic realm="Tabularium", charset="UTF-8"`,
]
const REFUSED = refused('The access token is malformed, expired, revoked or not for this service.')
const EXPIRED = refused('The access token has expired.')
/** Forgeries that change nothing but the times of a token. */
const ABOUT_TIMES = /^(?:exp|iat) /
const ASKED_AT_ONCE = 8

// Authentication does not depend on the kind of store.
describe.each(IS_FULL ? STORE_KINDS : STORE_KINDS.slice(0, 1))('A1 forged tokens on %s', (kind) => {
  let issuers: Awaited<ReturnType<typeof startTrustedIssuers>>
  let world: Awaited<ReturnType<typeof startWorld>>
  let signers: readonly Signer[]

  beforeAll(async () => {
    issuers = await startTrustedIssuers()
    world = await startWorld(kind, issuers.setup)
    signers = [ownSigner(world.folder), ...issuers.signers]
  })
  afterAll(async () => {
    await world?.stop()
    await issuers?.stop()
  })

  const answerTo = async (headers: Record<string, string>, at = url) => {
    const answer = await injectInto(world.application.server, { url: at, headers, remoteAddress: uniqueAddress() })
    return [answer.statusCode, answer.body, answer.headers['www-authenticate']]
  }
  const answerToToken = (token: string) => answerTo({ authorization: `Bearer ${token}` })
  const expectGoodOnes = async () => {
    const foreign = signers.slice(1).flatMap((signer) => [
      signedToken(signer, { header: { typ: undefined } }),
      signedToken(signer, { header: { typ: 'application/at+jwt' }, claims: { aud: ['others', signer.claims.aud] } }),
      signedToken(signer, {
        header: { jku: issuers.address },
        claims: { nbf: Number(signer.claims.iat) - 1, sub: 'x' },
      }),
    ])
    for (const token of [...signers.map((signer) => signedToken(signer)), ...foreign]) {
      const [status] = await answerToToken(token)
      expect([token, status]).toEqual([token, 200])
    }
  }

  it('A1 rejects every one of the matrix as the contract says', () =>
    reliabilityTest('A1', `forged tokens on ${kind}`, async () => {
      await expectGoodOnes()
      const stranger = `${issuers.address}/stranger`
      const forgeries = signers.flatMap((signer) => [
        ...headerForgeries(signer, stranger),
        ...claimForgeries(signer),
        ...textForgeries(signer),
      ])
      forgeries.push({ name: 'a key of 1,024 bits', token: signedToken(issuers.small) })
      const cpu = process.cpuUsage()
      const taken = await takenOf(forgeries)
      const { user, system } = process.cpuUsage(cpu)
      expect(taken).toEqual([])
      expect(forgeries.length).toBeGreaterThan(400)
      // Addresses and key ids in tokens are not followed, and unknown key ids do not cause key sets to be fetched
      // again.
      expect(issuers.asked.toSorted()).toEqual(['/ec', '/rsa', '/small'])
      await expectGoodOnes()
      return `${forgeries.length} tokens, ${Math.round((user + system) / forgeries.length)} us of CPU each`
    }))

  it('A1 rejects every token with a flipped bit', () =>
    reliabilityTest('A1', `flipped bits on ${kind}`, async () => {
      const random = randomNumbers(SEED)
      const tokens = signers.map((signer) => signedToken(signer))
      const flips = triesOf({ long: 1_000, full: 50_000 })
      for (let done = 0; done < flips; done += 500) {
        const flipped = Array.from({ length: Math.min(500, flips - done) }, (_, at) => {
          const token = Buffer.from(tokens[at % tokens.length] ?? '')
          const bit = Math.floor(random() * token.length * 8)
          token[bit >> 3] = (token[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          return { name: `bit ${bit} of ${signers[at % tokens.length]?.name}`, token: token.toString('latin1') }
        })
        expect(await takenOf(flipped)).toEqual([])
      }
      await expectGoodOnes()
      return `${flips} flips`
    }))

  it('A1 rejects a token anywhere but in Authorization', () =>
    reliabilityTest('A1', `tokens in other places on ${kind}`, async () => {
      const token = signedToken(signers[0] as Signer)
      const ways: readonly [headers: Record<string, string>, at?: string][] = [
        [{}, `${url}?access_token=${token}`],
        [{}, `${url}?authorization=Bearer%20${token}`],
        ...['proxy-authorization', 'x-authorization', 'x-access-token', 'x-forwarded-authorization', 'token'].map(
          (name): [Record<string, string>] => [{ [name]: `Bearer ${token}` }],
        ),
        ...['access_token', 'Authorization', 'token', 'jwt'].map((name): [Record<string, string>] => [
          { cookie: `${name}=${token}` },
        ]),
        ...[
          '',
          'Bearer',
          'Bearer:',
          'Token',
          'JWT',
          'DPoP',
          'Bearer Bearer',
          'Bearer,',
          'Digest',
          'Negotiate',
          'Bearer\t',
        ].map((scheme): [Record<string, string>] => [
          { authorization: scheme === 'Bearer' ? `Bearer${token}` : `${scheme} ${token}` },
        ]),
        ...['Bearer', 'Bearer ', 'bearer', 'Basic', 'Basic ', ''].map((text): [Record<string, string>] => [
          { authorization: text },
        ]),
        ...['/nowhere', '/v1/attribute-values/%zz', `/v1/attribute-values/${'x'.repeat(600)}`, '/'].map(
          (at): [Record<string, string>, string] => [{ authorization: 'Bearer forged' }, at],
        ),
      ]
      for (const [headers, at] of ways) {
        const [status, text, challenge] = await answerTo(headers, at)
        expect([headers, at, status, text]).toEqual([headers, at, ...REFUSED.slice(0, 2)])
        expect(challenge).toMatch(/^Bearer/)
      }
      return `${ways.length} ways`
    }))

  it('A1 rejects on the wire: before the body is read, two headers, 64 KB', () =>
    reliabilityTest('A1', `forged tokens on the wire, ${kind}`, async () => {
      const { port } = new URL(await world.application.server.listen({ host: '127.0.0.1', port: 0 }))
      const good = `Authorization: Bearer ${signedToken(signers[0] as Signer)}`
      const forged = 'Authorization: Bearer forged'
      expect(await answerOnWire(port, 'GET', [good])).toMatch(/^HTTP\/1.1 200 /)
      for (const headers of [
        [good, forged],
        [forged, good],
        [good, good],
      ]) {
        expect(await answerOnWire(port, 'GET', headers)).toMatch(/^HTTP\/1.1 401 .*"Invalid JWT\."\}$/s)
      }
      expect(await answerOnWire(port, 'GET', [`Authorization: Bearer ${'A'.repeat(65_536)}`])).toMatch(
        /^HTTP\/1.1 431 /,
      )
      for (const length of ['Content-Length: 1000000', 'Transfer-Encoding: chunked']) {
        for (const path of ['/v1/attribute-values', '/v1/documents', '/nowhere']) {
          const headers = [forged, 'Content-Type: application/json', length]
          expect(await answerOnWire(port, 'POST', headers, path)).toMatch(/^HTTP\/1.1 401 .*"Invalid JWT\."\}$/s)
        }
      }
      return '11 requests'
    }))

  it('A1 does not keep fetching from a key server that has no keys', () =>
    reliabilityTest('A1', `an issuer whose keys are away on ${kind}`, async () => {
      const before = issuers.asked.length
      const away = { ...(signers[1] as Signer), claims: { ...signers[1]?.claims, iss: 'https://away.example.com' } }
      const forgeries = Array.from({ length: 100 }, (_, at) => {
        return { name: `unknown ${at}`, token: signedToken(away, { header: { kid: `k${at}` } }) }
      })
      expect(await takenOf(forgeries)).toEqual([])
      expect(issuers.asked.length - before).toBeLessThanOrEqual(2)
      return `${forgeries.length} tokens, asked ${issuers.asked.length - before} times`
    }))

  /** The forgeries that were not rejected exactly this way. */
  async function takenOf(forgeries: readonly Forgery[]): Promise<string[]> {
    const taken: string[] = []
    const waiting = forgeries.values()
    const ask = async () => {
      for (const { name, token } of waiting) {
        const answer = await answerToToken(token)
        const legal = ABOUT_TIMES.test(name) ? [REFUSED, EXPIRED] : [REFUSED]
        if (!legal.some((one) => isDeepStrictEqual(answer, one))) taken.push(`${name}: ${answer}`)
      }
    }
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask))
    return taken
  }
})

/** The answer to a request whose body is never sent. */
function answerOnWire(port: string, method: string, headers: readonly string[], path = url): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      if (Number(/content-length: (\d+)/i.exec(head)?.[1] ?? -1) > Buffer.byteLength(body)) return
      socket.destroy()
      resolve(answer)
    })
    socket.on('error', reject)
    socket.setTimeout(300_000, () => reject(new Error(`no answer to ${headers}: ${answer}`)))
    socket.write([`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n'))
  })
}
