// Fair writes: a client with many writes delays itself only. The tests do not depend on the clock: they count the
// order.
import { expect, it } from 'vitest'
import { onEachStore } from '../support/world.ts'

const MANY = 200

onEachStore('Fair writes', (world) => {
  const write = async (as: string, attributeValue: string, answered: string[]) => {
    const body = { attributeId: 'C1', attributeValue, description: 'Written beside many others' }
    const { status } = await world().send({ as, method: 'POST', url: '/v1/attribute-values', body })
    answered.push(as)
    expect([as, status]).toEqual([as, 201])
  }

  /** Sends many requests of one client, then one of another; returns how many were answered before it. */
  async function answeredBefore(other: string): Promise<number> {
    for (const as of ['integration', other]) await world().token(as)
    const answered: string[] = []
    const many = Array.from({ length: MANY }, (_, at) => write('integration', `BESIDE-${other}-${at}`, answered))
    await Promise.all([...many, write(other, `OF-${other}`, answered)])
    return answered.indexOf(other)
  }

  it('do the write of one company before most of those that another sent earlier', async () => {
    expect(await answeredBefore('sv')).toBeLessThan(MANY / 2)
  })

  it('do the write of one client before most of those that another of the company sent earlier', async () => {
    expect(await answeredBefore('both')).toBeLessThan(MANY / 2)
  })

  it('begin one of another company or client beside as many requests of one client as are worked on', async () => {
    for (const as of ['integration', 'both', 'sv']) await world().token(as)
    const statusOf = async (as: string, at: number) => {
      const body = { attributeId: 'C1', attributeValue: `CROWD-${as}-${at}`, description: 'In a crowd' }
      const { status } = await world().send({ as, method: 'POST', url: '/v1/attribute-values', body })
      return status
    }
    const crowd = Array.from({ length: 400 }, (_, at) => statusOf('integration', at))
    const others = [statusOf('both', 0), statusOf('sv', 0)]
    expect([[...new Set(await Promise.all(crowd))].sort(), await Promise.all(others)]).toEqual([
      [201, 503],
      [201, 201],
    ])
  })

  it('drop a write from a full queue for one of another company', async () => {
    const { store } = world().application.service
    const outcomeOf = async (companyId: string, clientId: string) => {
      const actor = { userId: clientId, clientId, requestId: 'full' }
      return store.write(companyId, actor, async () => 'written').catch(({ status }: { status: number }) => status)
    }
    const many = Array.from({ length: 600 }, () => outcomeOf('EN', 'integration'))
    const others = [outcomeOf('EN', 'both'), outcomeOf('SV', 'sv')]
    expect(await Promise.all(others)).toEqual(['written', 'written'])
    expect(new Set(await Promise.all(many))).toEqual(new Set(['written', 503]))
  })
})
