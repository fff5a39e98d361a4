// The tools of agents: what each answers, what it refuses, and that nothing is written but by a handle.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { TOOLS } from '../../src/mcp/tools/catalogue.ts'
import { CUSTOMERS, create, onEachStoreWithCustomers, replace } from '../support/customers.ts'
import { agentToken, callAgentTool, sendMessage } from '../support/mcp.ts'
import type { World } from '../support/world.ts'

const ajv = new Ajv2020({ strict: false })
const BOOK = { document: 'customers', key: { customerId: 'MCP' } }
const isValid = new Map(TOOLS.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]))

/** The structured content of a call, which must meet the tool's schema; or its error. */
async function call(world: World, name: string, args: Record<string, unknown>, scope = 'mcp:read', as = 'integration') {
  const result = await callAgentTool(world, await agentToken(world, as, scope), name, args)
  if (result.isError) return JSON.parse(result.content[0].text)
  expect(isValid.get(name)?.(result.structuredContent), JSON.stringify(result.structuredContent)).toBe(true)
  return result.structuredContent
}

const propose = (world: World, args: Record<string, unknown>, as?: string) =>
  call(world, 'propose_change', args, 'mcp:write', as)
const apply = (world: World, handle: string, as?: string) => call(world, 'apply_change', { handle }, 'mcp:write', as)

onEachStoreWithCustomers('The tools of agents', (world) => {
  const stored = async (id: string) => (await world().send({ as: 'integration', url: `${CUSTOMERS}/${id}` })).json

  it('have a catalogue of at most 2,500 tokens, in an order that stays the same', async () => {
    const write = await agentToken(world(), 'integration', 'mcp:write')
    const listed = async () => (await sendMessage(world(), write, { method: 'tools/list' })).json.result.tools
    const tools = await listed()
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'describe',
      'query',
      'aggregate',
      'read',
      'search_documents',
      'read_document',
      'history',
      'explain_access',
      'propose_change',
      'apply_change',
    ])
    expect(JSON.stringify(await listed())).toBe(JSON.stringify(tools))
    // Four characters are a token or less in texts such as these.
    expect(JSON.stringify(tools).length / 4).toBeLessThan(2_500)
    for (const { description } of tools) expect(description.length).toBeLessThanOrEqual(280)
  })

  it('describe documents, their properties and codes, and name the nearest for one that is not there', async () => {
    const all = await call(world(), 'describe', {})
    expect(all.documents.map(({ name }: { name: string }) => name)).toContain('customers')
    const one = await call(world(), 'describe', { document: 'customers' })
    expect(one.key).toEqual(['customerId'])
    expect(one.properties).toContainEqual({
      name: 'countryCode',
      title: 'Country',
      type: 'string',
      hasText: true,
      codes: expect.arrayContaining([expect.stringMatching(/^NO/)]),
    })
    expect(one.properties).toContainEqual(
      expect.objectContaining({
        valueList: { name: 'ZONE', title: 'Zone of delivery' },
        codes: ['Z1: Inner', 'Z2: Outer'],
      }),
    )
    expect((await call(world(), 'describe', { document: 'custmers' })).error).toContain("Did you mean 'customers'?")
  })

  it('query, count, read and tell the history of records', async () => {
    await create(world(), 'MCP', { customerName: 'Fjord Boats' })
    const found = await call(world(), 'query', {
      document: 'customers',
      select: 'customerId,customerName',
      filter: "customerId eq 'MCP'",
    })
    expect(found).toEqual({ rows: [{ customerId: 'MCP', customerName: 'Fjord Boats' }], total: 1 })
    const groups = await call(world(), 'aggregate', { document: 'customers', compute: 'count()', by: ['countryCode'] })
    expect(groups.groups).toContainEqual({ countryCode: 'NO', count: expect.any(Number) })
    const { record } = await call(world(), 'read', BOOK)
    expect(record).toMatchObject({ customerName: 'Fjord Boats', contactPoints: [{ address: { place: 'Oslo' } }] })
    const { changes } = await call(world(), 'history', BOOK)
    expect(changes[0]).toMatchObject({ operation: 'created' })
  })

  it('answer at most 100 rows and 32 kB, and say how to go on', async () => {
    for (const id of ['P1', 'P2', 'P3']) await create(world(), id)
    const first = await call(world(), 'query', { document: 'customers', limit: 2, select: 'customerId' })
    expect([first.rows.length, first.nextCursor, first.cut]).toEqual([2, '2', `${first.total - 2} more.`])
    const next = await call(world(), 'query', { document: 'customers', limit: 2, select: 'customerId', cursor: '2' })
    expect(next.rows).not.toContainEqual(first.rows[0])
    expect((await call(world(), 'query', { document: 'customers', limit: 101 })).error).toContain('limit')
  })

  it('tell mistakes in the words of the service, and take no other arguments', async () => {
    const wrong = await call(world(), 'query', { document: 'customers', filter: "custmerName eq 'x'" })
    expect(wrong).toEqual({ error: expect.stringContaining("'custmerName'"), retryable: false })
    expect((await call(world(), 'query', { document: 'customers', file: '/etc/passwd' })).error).toContain('file')
    expect((await call(world(), 'read', { document: 'customers', key: {} })).error).toContain('customerId')
    expect((await call(world(), 'read', { document: 'customers', key: { customerId: 'NONE' } })).error).toContain(
      'no such record',
    )
  })

  it('take no parameter that the document does not have, and name the nearest one', async () => {
    const asked = { document: 'general-ledger-transactions', parameters: { postd: 'true' } }
    for (const [name, args] of [
      ['query', {}],
      ['aggregate', { compute: 'count()' }],
      ['read', { key: { transactionNumber: 1 } }],
    ] as const) {
      const { error } = await call(world(), name, { ...asked, ...args })
      expect([name, error]).toEqual([name, expect.stringMatching(/no parameter 'postd'.*(posted|none)/)])
    }
    const { error } = await call(world(), 'query', { document: 'customers', parameters: { posted: 'true' } })
    expect(error).toBe("customers has no parameter 'posted'. It has none.")
  })

  it('tell which changes of a history are cut, and where it goes on', async () => {
    await create(world(), 'CUT')
    const key = { customerId: 'CUT' }
    const url = `${CUSTOMERS}/CUT`
    for (let no = 0; no < 60; no++) {
      const body = [replace('/customerName', `${no} ${'x'.repeat(200)}`)]
      expect((await world().send({ as: 'integration', method: 'PATCH', url, body })).status).toBe(200)
    }
    const numbers: number[] = []
    const cuts: (string | undefined)[] = []
    for (let before: string | undefined; ; ) {
      const page = await call(world(), 'history', { document: 'customers', key, ...(before ? { before } : {}) })
      numbers.push(...page.changes.map(({ number }: { number: number }) => number))
      cuts.push(page.cut)
      if (page.next === undefined) break
      before = page.next
    }
    expect(numbers).toHaveLength(61)
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one))
    expect([cuts.length > 1, cuts.at(-1), cuts.slice(0, -1).every((cut) => cut)]).toEqual([true, undefined, true])
  })

  it('reach no other company', async () => {
    for (const name of ['describe', 'explain_access'])
      expect((await call(world(), name, { company: 'NONE' })).error).toContain('not authorised')
    expect((await call(world(), 'query', { document: 'customers', company: 'NONE' })).error).toContain('not authorised')
  })

  it('propose a change and write nothing, then apply it once', async () => {
    await create(world(), 'CH')
    const args = { operation: 'update', document: 'customers', key: { customerId: 'CH' } }
    const proposed = await propose(world(), { ...args, operations: [replace('/customerName', 'New name')] })
    expect(proposed).toMatchObject({
      changes: [{ path: '/customerName', before: 'Customer CH', after: 'New name' }],
      mistakes: [],
    })
    expect((await stored('CH')).customerName).toBe('Customer CH')
    const [one, other] = await Promise.all([apply(world(), proposed.handle), apply(world(), proposed.handle)])
    expect([one.status, other.status]).toEqual([200, 200])
    expect((await stored('CH')).customerName).toBe('New name')
    const { changes } = await call(world(), 'history', { document: 'customers', key: { customerId: 'CH' } })
    expect(changes.length).toBe(2)
  })

  it('say which argument was meant, also in the words of addresses', async () => {
    const args = { document: 'customers', groupby: ['countryCode'], $aggregate: 'count()', filtr: '', nothing: 1 }
    const { error } = await call(world(), 'aggregate', args)
    for (const text of [
      "there is no argument 'groupby', did you mean 'by'?",
      "there is no argument '$aggregate', did you mean 'compute'?",
      "there is no argument 'filtr', did you mean 'filter'?",
      "there is no argument 'nothing', there are document, compute, by,",
    ])
      expect(error).toContain(text)
    expect(error).not.toContain('schema')
  })

  it('propose what is wrong with a change, without a handle', async () => {
    const wrong = await propose(world(), { operation: 'create', document: 'customers', record: { customerName: '' } })
    expect(wrong.handle).toBeUndefined()
    expect(wrong.mistakes.join(' ')).toContain('customerGroupId')
    expect(
      await propose(world(), {
        operation: 'update',
        document: 'customers',
        key: { customerId: 'NONE' },
        operations: [],
      }),
    ).toMatchObject({ error: expect.stringContaining('404') })
  })

  it('refuse a handle of another caller, of a record that has changed, and without the scope', async () => {
    await create(world(), 'HA')
    const args = { operation: 'delete', document: 'customers', key: { customerId: 'HA' } }
    const { handle } = await propose(world(), args)
    expect((await apply(world(), handle, 'nobody')).error).toContain('no such proposal')
    const read = await agentToken(world(), 'integration')
    const scoped = await sendMessage(world(), read, {
      method: 'tools/call',
      params: { name: 'apply_change', arguments: { handle } },
    })
    expect([scoped.status, scoped.headers['www-authenticate']]).toEqual([403, expect.stringContaining('mcp:write')])
    const patch = {
      as: 'integration',
      method: 'PATCH',
      url: `${CUSTOMERS}/HA`,
      body: [replace('/customerName', 'X')],
    } as const
    expect((await world().send(patch)).status).toBe(200)
    expect((await apply(world(), handle)).error).toContain('Nothing was written')
    expect((await stored('HA')).customerName).toBe('X')
  })

  it('show characters that hide text as escapes', async () => {
    const hidden = 'Invoice \u202e\u200b\u{e0041} end'
    await create(world(), 'BIDI', { customerName: hidden })
    const { record } = await call(world(), 'read', { document: 'customers', key: { customerId: 'BIDI' } })
    expect(record.customerName).toBe('Invoice \\u{202e}\\u{200b}\\u{e0041} end')
  })
})
