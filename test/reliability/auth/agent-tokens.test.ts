// A1: the tools of agents are opened by their own tokens alone, whoever has signed them, and no message makes the
// service fail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type Signer, signedToken } from '../../support/forgery/signer.ts'
import { ownSigner, setupWith, startTrustedIssuers } from '../../support/forgery/signers.ts'
import { injectInto } from '../../support/inject.ts'
import { agentToken, callAgentTool, headersOf, messageOf, sendMessage } from '../../support/mcp.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { uniqueAddress } from '../../support/unique-address.ts'
import { startWorld } from '../../support/world.ts'

const RECORDS = 'urn:tabularium:records'
const TOOLS = 'urn:tabularium:mcp'
const TRIES = triesOf({ long: 400, full: 20_000 })

let issuers: Awaited<ReturnType<typeof startTrustedIssuers>>
let world: Awaited<ReturnType<typeof startWorld>>
let own: Signer

beforeAll(async () => {
  issuers = await startTrustedIssuers((address) =>
    setupWith(address).replace('audience: records', 'audience: records, mcpAudience: tools-of-agents'),
  )
  world = await startWorld('sqlite', issuers.setup)
  own = ownSigner(world.folder)
})
afterAll(async () => {
  await world?.stop()
  await issuers?.stop()
})

/** Status of the tools, then of the records, twice: the second time a token is known. */
async function openedBy(token: string): Promise<number[]> {
  const statuses: number[] = []
  for (const _time of [1, 2]) {
    statuses.push((await sendMessage(world, token, { method: 'tools/list' })).status)
    const { server } = world.application
    const headers = { authorization: `Bearer ${token}` }
    statuses.push((await injectInto(server, { url: '/v1/access', headers, remoteAddress: uniqueAddress() })).statusCode)
  }
  return statuses
}

const NEITHER = [401, 401, 401, 401]
const TOOLS_ALONE = [200, 401, 200, 401]
const RECORDS_ALONE = [401, 200, 401, 200]

describe('A1 tokens of agents', () => {
  it.each<[string, unknown, number[]]>([
    ['the tools', TOOLS, TOOLS_ALONE],
    ['the records', RECORDS, RECORDS_ALONE],
    ['the address of the tools', 'http://localhost/mcp', NEITHER],
    ['something like it', `${TOOLS}/`, NEITHER],
    ['nothing', undefined, NEITHER],
    ['an empty list', [], NEITHER],
  ])('A1 open what the service has signed them for: %s', async (_what, aud, expected) => {
    expect(await openedBy(signedToken(own, { claims: { aud, scope: 'mcp:read' } }))).toEqual(expected)
  })

  it('A1 of a trusted issuer open the tools where the setup names an audience for them', async () => {
    const [rsa, ec] = issuers.signers
    const signed = (signer: Signer, claims: Json) => openedBy(signedToken(signer, { claims }))
    expect(await signed(rsa, { aud: 'tools-of-agents' })).toEqual(TOOLS_ALONE)
    expect(await signed(rsa, {})).toEqual(RECORDS_ALONE)
    expect(await signed(ec, { aud: 'tools-of-agents' })).toEqual(NEITHER)
    expect(await signed(ec, {})).toEqual(RECORDS_ALONE)
    const { json } = await world.send({ url: '/.well-known/oauth-protected-resource/mcp' })
    expect(json.authorization_servers).toEqual(['http://localhost', 'https://rsa.example.com'])
  })

  it('A1 show and call the tools of their scope, whatever else it names', async () => {
    const [rsa] = issuers.signers
    const named = async (claims: Json) => {
      const token = signedToken(rsa, { claims: { aud: 'tools-of-agents', ...claims } })
      const { json } = await sendMessage(world, token, { method: 'tools/list' })
      return [json.result.tools.some(({ name }: { name: string }) => name === 'apply_change'), token] as const
    }
    expect((await named({ scope: 'openid mcp:write' }))[0]).toBe(true)
    expect((await named({ scp: ['mcp:write'] }))[0]).toBe(true)
    for (const claims of [{}, { scope: 'mcp:writer' }, { scope: 7 }, { scope: '', scp: ['mcp:write'] }]) {
      expect([claims, (await named(claims))[0]]).toEqual([claims, false])
    }
    const [, reading] = await named({ scope: 'mcp:read' })
    const params = { name: 'apply_change', arguments: { handle: 'x' } }
    const { status, headers } = await sendMessage(world, reading, { method: 'tools/call', params })
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="mcp:write", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
    ])
  })

  it('A1 end with their client', async () => {
    const token = signedToken(own, { claims: { aud: TOOLS, client_id: 'removed', sub: 'removed' } })
    expect(await openedBy(token)).toEqual(NEITHER)
  })
})

/** Pieces that messages are made of. */
const METHODS = [
  'tools/call',
  'tools/list',
  'initialize',
  'server/discover',
  'ping',
  'resources/read',
  'x',
  '',
  7,
  null,
]
const PIECES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  'query',
  '\u0000',
  '\ud800',
  [],
  {},
  [[[]]],
  { jsonrpc: '2.0' },
  '__proto__',
  true,
  { name: 'query', arguments: null },
  { name: 'query', arguments: [] },
  { name: {}, arguments: {} },
  { name: 'query', arguments: { document: 'customers', limit: -1 } },
  { _meta: 'x' },
  { _meta: { progressToken: {} } },
]

it('H1 no message to the tools is answered as a failure of the service', () =>
  reliabilityTest('H1', 'random messages to the tools', async () => {
    const random = randomNumbers(SEED)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const token = await agentToken(world, 'integration', 'mcp:write')
    const failures: unknown[] = []
    const met = new Map<number, number>()
    for (let at = 0; at < TRIES; at++) {
      const { headers, payload } = wildMessage(random, pick)
      const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
      const { server } = world.application
      const answer = await injectInto(server, { method: 'POST', url: '/mcp', headers: sent, payload })
      met.set(answer.statusCode, (met.get(answer.statusCode) ?? 0) + 1)
      if (answer.statusCode >= 500 || /-32603/.test(answer.body)) failures.push([headers, String(payload), answer.body])
    }
    expect(failures).toEqual([])
    expect(world.observed.filter(({ kind }) => kind === 'request-failed')).toEqual([])
    expect((await callAgentTool(world, token, 'query', { document: 'customers' })).isError).not.toBe(true)
    return [...met].map(([status, count]) => `${status}: ${count}`).join(', ')
  }))

type Pick = <T>(list: readonly T[]) => T

function wildMessage(random: () => number, pick: Pick): { headers: Record<string, string>; payload: Buffer | string } {
  const bytes = () => Buffer.from(Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256)))
  const method = String(pick(METHODS))
  const right = headersOf(method)
  const headers = pick([right, { ...right, 'mcp-protocol-version': pick(['2025-11-25', '1', '2026-07-28 ']) }, {}])
  const params = pick(PIECES)
  const good = messageOf(method, typeof params === 'object' && !Array.isArray(params) ? { ...params } : {})
  const loose = { jsonrpc: pick(['2.0', '1.0', 2]), id: pick(PIECES), method: pick(METHODS), params }
  const text = JSON.stringify(pick<unknown>([good, loose, { ...good, id: pick(PIECES) }, [good, loose], pick(PIECES)]))
  const cut = text.slice(0, Math.floor(random() * text.length))
  return { headers, payload: pick<Buffer | string>([bytes(), cut, text, text, text]) }
}
