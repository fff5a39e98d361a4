// `tabularium smoke`: a line for each door of a service, and an exit code that tells whether one has failed.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEMO_AUTHORIZATION, demoFolder } from '../support/demo.ts'
import { run, type ServingHere, serveHere } from '../support/process.ts'

let data: string
let demo: ServingHere

beforeAll(async () => {
  // A busy machine is no failure of the service.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  data = await demoFolder()
  const args = ['--data', data, '0', '--base-path', '/web-api']
  demo = await serveHere(args, {}, 'demo')
})
afterAll(async () => {
  vi.restoreAllMocks()
  await demo?.stop()
  rmSync(data, { recursive: true, force: true })
})

interface Told {
  readonly code: number | null
  readonly lines: readonly string[]
  readonly summary: string
}

async function smoke(url: string, client = 'demo', secret = 'demo-secret'): Promise<Told> {
  const environment = { TABULARIUM_SECRET: secret }
  const { code, stdout, stderr } = await run(['smoke', '--url', url, '--client', client], { environment })
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  return { code, lines: lines.slice(0, -1), summary: lines.at(-1) ?? '' }
}

const failedIn = ({ lines }: Told) => lines.filter((line) => line.startsWith('failed'))

interface Feed {
  readonly changes: readonly unknown[]
  readonly next: string
}

/** What was written to records since a place. */
async function changesSince(place: string): Promise<Feed> {
  const answer = await fetch(`${demo.address}/v1/changes?since=${place}`, { headers: DEMO_AUTHORIZATION })
  return (await answer.json()) as Feed
}

describe('of the demo', () => {
  it('finds every door open, and changes nothing', async () => {
    const { next } = await changesSince('now')
    const told = await smoke(demo.address)
    expect({ code: told.code, failed: failedIn(told) }).toEqual({ code: 0, failed: [] })
    expect(told.summary).toBe(`${demo.address}: ${told.lines.length} ok, 0 failed, 0 not asked`)
    expect(told.lines.length).toBeGreaterThan(40)
    for (const door of ['POST /v1/documents?', 'GET /odata/v4/EN/$metadata', 'POST /mcp', 'GET /console/assets/'])
      expect(told.lines.join('\n')).toContain(`ok         ${door}`)
    expect((await changesSince(next)).changes).toEqual([])
  })

  it('does not ask what the client has no right for', async () => {
    const told = await smoke(demo.address, 'demo-reader', 'reader-secret')
    expect({ code: told.code, failed: failedIn(told) }).toEqual({ code: 0, failed: [] })
    expect(told.lines).toContain('not asked  GET /v1/objects/customers?$limit=1: no right')
    expect(told.lines).toContain('not asked  POST /v1/attribute-values?$validateOnly=true: no right')
    expect(told.lines).toContain('ok         GET /v1/objects/attribute-values?$limit=1')
  })

  it('fails for a wrong secret, and says what it has not asked', async () => {
    const told = await smoke(demo.address, 'demo', 'wrong')
    expect(told.code).toBe(1)
    expect(failedIn(told)).toEqual([expect.stringMatching(/^failed {5}POST \/oauth\/token: 401 instead of 200 \{/)])
    expect(told.lines.at(-1)).toBe('not asked  everything else: no token')
  })
})

const BROKEN: readonly (readonly [path: string, status: number, type: string, body: string, says: RegExp])[] = [
  ['/health/ready', 503, 'application/json', '{}', /^failed {5}GET \/health\/ready: 503 instead of 200 \{\}$/],
  [
    '/v1/batch-operations',
    200,
    'text/html',
    'a page',
    /^failed {5}GET \/v1\/batch-operations: text\/html instead of application\/json$/,
  ],
  ['/openapi.json', 200, 'application/json', '{}', /^failed {5}GET \/openapi.json: the answer has no "openapi"$/],
  ['/v1/changes', 200, 'application/json', '"next"}', /^failed {5}GET \/v1\/changes\?since=now: .*JSON/],
  ['/v1/document-types', 403, 'application/json', '{}', /^failed {5}GET \/v1\/document-types: 403 instead of 200/],
]

describe('of a service with a broken door', () => {
  it.each(BROKEN)('tells of %s that answers %i of %s', async (path, status, type, body, says) => {
    const server = await startBefore(demo.address, (url) => url.includes(path), { status, type, body })
    const told = await smoke(server.address).finally(server.stop)
    expect({ code: told.code, failed: failedIn(told) }).toEqual({ code: 1, failed: [expect.stringMatching(says)] })
  })

  it('asks no further where the rights of the client are not told', async () => {
    const answer = { status: 200, type: 'application/json', body: '{}' }
    const server = await startBefore(demo.address, (url) => url.includes('/v1/access'), answer)
    const told = await smoke(server.address).finally(server.stop)
    expect(told.code).toBe(1)
    expect(told.lines.at(-1)).toBe('not asked  everything else: the rights of the client are not known')
  })

  it('says that nothing answers', async () => {
    const told = await smoke('http://127.0.0.1:1')
    expect(told.code).toBe(1)
    expect(told.lines[0]).toMatch(/^failed {5}GET \/health\/live: .*(?:bad port|ECONNREFUSED)/)
    expect(told.summary).toMatch(/: 0 ok, \d+ failed, 1 not asked$/)
  })
})

/** Another server in front of a service, which answers itself for some addresses. */
async function startBefore(service: string, isBroken: (url: string) => boolean, answer: BrokenAnswer) {
  const { hostname, port, origin, pathname } = new URL(service)
  const server = createServer((asked, response) => {
    const { method, url = '', headers } = asked
    if (isBroken(url)) {
      asked.resume()
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
      return
    }
    const sending = request({ hostname, port, method, path: url, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(response)
    })
    asked.pipe(sending)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `${origin}${pathname}`.replace(port, String((server.address() as AddressInfo).port))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address, stop }
}

interface BrokenAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}
