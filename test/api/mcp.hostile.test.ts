// Hostile arguments of the tools of agents: each is answered or refused in words, and none is a fault of the service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TOOLS } from '../../src/mcp/tools/catalogue.ts'
import { agentToken, headersOf, messageOf } from '../support/mcp.ts'
import { startWorld, type World } from '../support/world.ts'

/** JSON texts, each in the place of every argument. */
const HOSTILE = [
  '"constructor"',
  '"../../v1/access"',
  '"\\u202e\\ud83d\\ude00\'"',
  `"${'('.repeat(3_000)}"`,
  '1e400',
  '12345678901234567890',
  'null',
  `${'['.repeat(30)}${']'.repeat(30)}`,
  '[{"toString":1}]',
  '{"toString":1,"valueOf":1}',
  '{"posted":{"toString":1}}',
  '{"posted":12345678901234567890}',
  '{"customerId":{"toString":1}}',
  '{"customerId":".."}',
]

const LEDGER = '"general-ledger-transactions"'
const RECORD = { document: '"customers"', key: '{"customerId":"1"}' }
/** Arguments that are right, as JSON texts. */
const RIGHT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  query: { document: LEDGER },
  aggregate: { document: LEDGER, compute: '"count()"' },
  read: RECORD,
  history: RECORD,
  search_documents: { words: '"a"' },
  read_document: { id: '"00000000-0000-4000-8000-000000000000"' },
  propose_change: { ...RECORD, operation: '"update"', operations: '[]' },
  apply_change: { handle: '"0123456789abcdef"' },
}

let world: World & { stop(): Promise<void> }
beforeAll(async () => {
  world = await startWorld('sqlite', 'test/fixtures/customers.yaml')
})
afterAll(() => world.stop())

it.each(TOOLS)('$name says what is wrong with each of its arguments', async ({ name, inputSchema, scope }) => {
  const authorization = `Bearer ${await agentToken(world, 'integration', scope)}`
  const before = await world.dump()
  const faults: string[] = []
  for (const argument of Object.keys(inputSchema.properties as object)) {
    for (const hostile of HOSTILE) {
      const pairs = Object.entries({ ...RIGHT[name], [argument]: hostile })
      const given = `{${pairs.map(([one, text]) => `"${one}":${text}`).join(',')}}`
      const { status, text } = await world.send({
        method: 'POST',
        url: '/mcp',
        headers: { authorization, 'content-type': 'application/json', ...headersOf('tools/call', { name }) },
        body: JSON.stringify(messageOf('tools/call', { name, arguments: {} })).replace(
          '"arguments":{}',
          () => `"arguments":${given}`,
        ),
      })
      if (status >= 500 || text.includes('-32603'))
        faults.push(`${given.slice(0, 150)}: ${status} ${text.slice(0, 200)}`)
    }
  }
  expect(faults).toEqual([])
  expect(await world.changesSince(before)).toEqual([])
})
