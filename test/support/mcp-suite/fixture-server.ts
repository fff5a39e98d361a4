// The server that the conformance suite of the protocol calls: its fixtures, served by the route of the tools.
import type { ServerFactory } from '../../../src/mcp/mcp-server.ts'
import { PROMPTS, readPrompt } from './fixture-prompts.ts'
import { RESOURCES, readResource, TEMPLATES } from './fixture-resources.ts'
import { callFixture, TOOLS } from './fixture-tools.ts'
import { type Rounds, roundsOf } from './rounds.ts'

const KEY = 'a key of the tests alone, 32 bytes'
const CACHED = { ttlMs: 0, cacheScope: 'private' } as const
const CACHEABLE = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const

export const fixtureServer: ServerFactory = (library, _request, { era }) => {
  const rounds: Rounds = roundsOf(library, library.createRequestStateCodec({ key: KEY }))
  const legacy = era === 'legacy' ? { logging: {}, resources: { subscribe: true } } : { resources: {} }
  const server = new library.Server(
    { name: 'fixtures', version: '1' },
    {
      capabilities: { tools: {}, prompts: {}, completions: {}, ...legacy },
      cacheHints: Object.fromEntries(CACHEABLE.map((method) => [method, CACHED])),
      requestState: { verify: rounds.verify },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }))
  server.setRequestHandler('tools/call', ({ params }, context) => callFixture(library, rounds, params, context))
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params }, context) => readPrompt(rounds, params, context))
  server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris'], hasMore: false } }))
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = readResource(uri)
    if (!found) throw new library.ResourceNotFoundError(uri)
    return { contents: [found] }
  })
  if (era === 'legacy') {
    server.setRequestHandler('logging/setLevel', () => ({}))
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
  }
  return server
}
