// Handles of proposed changes end after ten minutes, and are removed then.
import { expect, it } from 'vitest'
import { CUSTOMERS, create, replace } from '../support/customers.ts'
import { agentToken, callAgentTool } from '../support/mcp.ts'
import { onEachStoreWith, CUSTOMERS as RESOURCE } from '../support/resources/resource.ts'
import { startWorld } from '../support/world.ts'

const MINUTE_MS = 60_000
let ahead = 0

onEachStoreWith(
  RESOURCE,
  'Handles of proposals',
  (world) => {
    const call = async (name: string, args: Record<string, unknown>) => {
      const token = await agentToken(world(), 'integration', 'mcp:write')
      const result = await callAgentTool(world(), token, name, args)
      return result.isError ? JSON.parse(result.content[0].text) : result.structuredContent
    }
    const propose = async (id: string, name: string) => {
      const operations = [replace('/customerName', name)]
      const args = { operation: 'update', document: 'customers', key: { customerId: id }, operations }
      return (await call('propose_change', args)).handle as string
    }
    const nameOf = async (id: string) =>
      (await world().send({ as: 'integration', url: `${CUSTOMERS}/${id}` })).json.customerName
    const kept = () => world().query('select request from proposal')

    it('are good for ten minutes', async () => {
      await create(world(), 'TEN')
      const handle = await propose('TEN', 'In time')
      ahead += 9 * MINUTE_MS
      expect((await call('apply_change', { handle })).status).toBe(200)
      const late = await propose('TEN', 'Too late')
      ahead += 11 * MINUTE_MS
      expect((await call('apply_change', { handle: late })).error).toContain('ten minutes are over')
      expect(await nameOf('TEN')).toBe('In time')
    })

    it('are enough alone, also where the proposal named its company in other letters', async () => {
      await create(world(), 'LETTERS')
      const operations = [replace('/customerName', 'By its handle')]
      const key = { customerId: 'LETTERS' }
      const args = { operation: 'update', document: 'customers', key, operations, company: 'en' }
      const { handle } = await call('propose_change', args)
      // An erasure looks for proposals there.
      expect(await world().query('select distinct company_id as id from proposal')).toEqual([{ id: 'EN' }])
      expect((await call('apply_change', { handle: String(handle) })).status).toBe(200)
      expect(await nameOf('LETTERS')).toBe('By its handle')
    })

    it('leave nothing behind: the next proposal removes those that have ended', async () => {
      ahead += 11 * MINUTE_MS
      const handle = await propose('TEN', 'Next')
      expect((await kept()).length).toBe(1)
      expect((await call('apply_change', { handle })).status).toBe(200)
    })
  },
  (kind) => startWorld(kind, RESOURCE.setup, '', { clock: () => new Date(Date.now() + ahead) }),
)
