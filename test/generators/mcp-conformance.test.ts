// The conformance suite of the protocol's own project, against the route of the tools: of both revisions all scenarios
// that they require of a server and that a server without sessions can have.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { agentToken } from '../support/mcp.ts'
import { fixtureServer } from '../support/mcp-suite/fixture-server.ts'
import { startWorld } from '../support/world.ts'
import { install } from './generate.ts'

const FOLDER = 'test/generators/node_modules/@modelcontextprotocol/conformance'
const SUITE = `${FOLDER}/dist/index.js`
const REVISIONS = ['2026-07-28', '2025-11-25'] as const
type Revision = (typeof REVISIONS)[number]

let world: Awaited<ReturnType<typeof startWorld>>
let door: Server
let url: string

beforeAll(async () => {
  await install()
  world = await startWorld('sqlite', undefined, '', { agentServer: fixtureServer })
  const service = await world.application.server.listen({ port: 0, host: '127.0.0.1' })
  door = doorTo(new URL(service), await agentToken(world, 'integration'))
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`
})
afterAll(async () => {
  door?.close()
  await world?.stop()
})

/** The suite shows no token: a proxy adds it, and passes everything on as it is, the host too. */
function doorTo(service: URL, token: string): Server {
  return createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` }
    const { hostname, port } = service
    const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    asked.pipe(passed)
  })
}

/** Questions of a server to its client, in a stream of a session; the revision without sessions has another way. */
const OF_SESSIONS = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
]

/** Not had of a revision: the tasks of an extension, and headers made of arguments, which the library does not read. */
const LEFT_OUT: Readonly<Record<Revision, readonly string[]>> = {
  '2026-07-28': [
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-required-task-error',
    'tasks-mrtr-composition',
    'http-custom-header-server-validation',
  ],
  '2025-11-25': OF_SESSIONS,
}

/** By scenario, whether it held. */
async function outcomesOf(revision: Revision): Promise<ReadonlyMap<string, boolean>> {
  const args = [SUITE, 'server', '--url', url, '--requirements', revision]
  // The exit code tells of those that are left out, too.
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout: string }) => error,
  )
  const lines = stdout.matchAll(/^(\S) (\S+): \d+ passed, (\d+) failed/gm)
  return new Map([...lines].map(([, , name = '', failed]) => [name, failed === '0']))
}

/** As the suite has them for a revision. */
function requiredBy(revision: Revision): readonly string[] {
  const text = readFileSync(`${FOLDER}/requirements/${revision}.yaml`, 'utf8')
  return (parse(text) as { server: string[] }).server
}

describe('the conformance suite of the protocol', () => {
  it.each(REVISIONS)('holds of the revision %s, but for what is left out', async (revision) => {
    const outcomes = await outcomesOf(revision)
    expect(requiredBy(revision).filter((name) => !outcomes.has(name))).toEqual([])
    expect([...outcomes].filter(([, holds]) => !holds).map(([name]) => name)).toEqual(LEFT_OUT[revision])
  })

  it('requires nothing that is left out of the revision without sessions', () => {
    const [newest, before] = REVISIONS.map((revision) =>
      requiredBy(revision).filter((name) => LEFT_OUT[revision].includes(name)),
    )
    expect([newest, before]).toEqual([[], OF_SESSIONS])
  })
})
