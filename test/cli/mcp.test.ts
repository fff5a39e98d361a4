// `tabularium mcp`: messages on standard input are passed on to a service, and its answers come line by line.

import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBridge } from '../../src/cli/actions/bridge/run-bridge.ts'
import { messageOf } from '../support/mcp.ts'
import { run } from '../support/process.ts'
import { CLIENT_SECRET, startWorld } from '../support/world.ts'

let now = Date.now()
let world: Awaited<ReturnType<typeof startWorld>>
let url: string

beforeAll(async () => {
  world = await startWorld('sqlite', undefined, '/erp', { clock: () => new Date(now) })
  url = `${await world.application.server.listen({ port: 0, host: '127.0.0.1' })}/erp`
})
afterAll(() => world?.stop())

interface Answered {
  readonly id: unknown
  readonly result?: { readonly [name: string]: unknown; readonly content: readonly { readonly text: string }[] }
  readonly error?: { readonly code: number }
}

interface Bridged {
  readonly answers: Answered[]
  readonly complaints: string
}

async function bridge(
  lines: readonly (object | string)[],
  { write = false, secret = CLIENT_SECRET } = {},
): Promise<Bridged> {
  const [input, output, error] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const said = text(output)
  const complained = text(error)
  input.end(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  const credentials = { url, clientId: 'integration', clientSecret: secret }
  await runBridge(credentials, { write, input, output, error }).finally(() => {
    output.end()
    error.end()
  })
  const answers = (await said).split('\n').filter((line) => line !== '')
  return { answers: answers.map((line) => JSON.parse(line)), complaints: await complained }
}

const numbered = (id: number, method: string, params: Record<string, unknown> = {}) => ({
  ...messageOf(method, params),
  id,
})

describe('tabularium mcp', () => {
  it('passes messages of the revision without sessions on, and their answers back', async () => {
    const { answers, complaints } = await bridge([
      numbered(1, 'server/discover'),
      numbered(2, 'tools/list'),
      '',
      numbered(3, 'tools/call', { name: 'no tool \u00e6', arguments: {} }),
      numbered(4, 'no/method'),
    ])
    expect(complaints).toBe('')
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    expect([...byId.keys()].sort()).toEqual([1, 2, 3, 4])
    expect(byId.get(1)?.result?.supportedVersions).toEqual(['2026-07-28'])
    expect(byId.get(2)?.result?.tools).toEqual(expect.any(Array))
    expect(byId.get(3)?.result?.content[0]?.text).toContain("There is no tool 'no tool \u00e6'.")
    expect(byId.get(4)?.error?.code).toBe(-32601)
  })

  it('passes messages of the revision before on', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } }
    const { answers } = await bridge([{ jsonrpc: '2.0', id: 'a', method: 'initialize', params }])
    expect(answers).toMatchObject([{ id: 'a', result: { protocolVersion: '2025-11-25' } }])
    const listed = await bridge([
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
    ])
    expect(listed.answers).toMatchObject([{ id: 'b', result: { tools: expect.any(Array) } }])
    expect(listed.complaints).toBe('')
  })

  it('answers what is no message, and refusals of the service, in the form of the protocol', async () => {
    const { answers } = await bridge(['{', '[1]', numbered(1, 'tools/list', { padding: 'x'.repeat(1_100_000) })])
    expect(answers.filter(({ error }) => error?.code === -32700)).toHaveLength(2)
    const [refused] = answers.filter(({ id }) => id === 1)
    expect(refused?.error).toMatchObject({ code: -32000, data: { status: 413 } })
  })

  it('asks for a token to read, or to write, and for a new one when it is refused', async () => {
    const issued: string[] = []
    const { agentTokens } = world.application
    const issue = agentTokens.issue.bind(agentTokens)
    agentTokens.issue = async (clientId, scope = '') => {
      issued.push(scope)
      return await issue(clientId, scope)
    }
    try {
      await bridge([numbered(1, 'tools/list')])
      await bridge([numbered(1, 'tools/list')], { write: true })
      expect(issued.splice(0)).toEqual(['mcp:read', 'mcp:read mcp:write'])
      // Two hours pass between the token and the message.
      agentTokens.issue = async (clientId, scope = '') => {
        issued.push(scope)
        now -= 7_200_000
        const token = await issue(clientId, scope)
        now += 7_200_000
        if (issued.length > 1) return await issue(clientId, scope)
        return token
      }
      const { answers } = await bridge([numbered(7, 'tools/list')])
      expect(answers).toMatchObject([{ id: 7, result: {} }])
      expect(issued).toHaveLength(2)
    } finally {
      agentTokens.issue = issue
    }
  })

  it('fails at once with a wrong secret, or where nothing answers', async () => {
    await expect(bridge([], { secret: 'wrong' })).rejects.toThrow(
      'the service gives no token: the client id or secret is wrong',
    )
    const right = url
    url = 'http://127.0.0.1:9'
    await expect(bridge([])).rejects.toThrow('no service answers at http://127.0.0.1:9')
    url = right
  })

  it('says which setting is missing', async () => {
    const flags = ['--url', 'https://erp.example.com', '--client', 'agents']
    for (const [args, message] of [
      [[], "option '--url': the address of the service is missing"],
      [flags.slice(0, 2), "option '--client': the id of the client is missing"],
      [flags, 'the variable TABULARIUM_SECRET is missing'],
      [['--url', 'ftp://x'].concat(flags.slice(2)), "option '--url': ftp://x is no http(s) address"],
    ] as const) {
      const { code, stderr } = await run(['mcp', ...args])
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })
})
