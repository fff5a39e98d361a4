// T1: OData, whose paths begin with the company: companies and records of others in every part of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, type CallerKind, callersOf } from '../../support/isolation/callers.ts'
import { UNKNOWN } from '../../support/isolation/companies.ts'
import { IsolationClient, requestLine } from '../../support/isolation/isolation-client.ts'
import { type Ids, idsOnlyOf, NOWHERE, SHARED, startIsolationWorld } from '../../support/isolation/records.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { SqlTap } from '../../support/sql-tap.ts'
import { type Sent, STORE_KINDS } from '../../support/world.ts'

/** An entity by its key: the company is that of the path. */
const customer = ({ customer: id }: Ids) => `/customers('${id}')`

const ofCompany = (ids: Ids): readonly string[] => [
  '',
  '/$metadata',
  '/customers?$top=1',
  '/customers/$count',
  '/work_orders',
  '/attribute_values/$count',
  customer(ids),
  `${customer(ids)}/contactPoints`,
  '/link-files/customers.odc',
  '/link-files/tabularium.pbids',
  '/nothing',
]

const ofRecord = (ids: Ids): readonly string[] => [
  customer(ids),
  `${customer(ids)}/contactPoints`,
  `${customer(ids)}/contactPoints/$count`,
  `/customers?$filter=customerId eq '${ids.customer}'&$expand=contactPoints`,
  `/customers/$count?$filter=contains(customerId,'${ids.customer}')`,
  `/customers?$apply=filter(customerId eq '${ids.customer}')/aggregate($count as many)`,
  `/work_orders?$filter=workOrderId eq '${ids.value}'&$orderby=workOrderId desc`,
]

const spelled = (path: string) => path.replaceAll(' ', '%20')

describe.each(STORE_KINDS)('T1 OData on %s', (kind) => {
  let requester: IsolationClient
  let tap: SqlTap
  let callers: readonly CallerKind[]
  let before: ReadonlySet<string>

  beforeAll(async () => {
    tap = new SqlTap()
    requester = new IsolationClient(await startIsolationWorld(kind), tap)
    callers = await callersOf(requester.world)
    before = await requester.world.dump()
  })
  afterAll(async () => {
    tap?.stop()
    await requester?.world.stop()
  })

  const sentTo = (caller: CallerKind, companyId: string, path: string, method: 'GET' | 'HEAD'): Sent => ({
    ...as(caller),
    method,
    url: spelled(`/odata/v4/${companyId}${path}`),
  })

  async function everyCaller(ask: (caller: CallerKind, method: 'GET' | 'HEAD') => Promise<void>): Promise<string> {
    const from = requester.asked
    for (const caller of callers) for (const method of ['GET', 'HEAD'] as const) await ask(caller, method)
    return `${callers.length} callers, ${requester.asked - from} requests`
  }

  it('answers like a missing one a company that is not of the caller', async () => {
    await reliabilityTest('T1', `companies in paths of OData on ${kind}`, () =>
      everyCaller(async (caller, method) => {
        const { foreign, mine, isKnown } = caller
        const sent = (companyId: string) => ofCompany(SHARED).map((path) => sentTo(caller, companyId, path, method))
        const [theirs, nobodys] = [sent(foreign.id), sent(UNKNOWN)]
        for (const [at, one] of theirs.entries()) {
          const status = await requester.requireAlike(one, nobodys[at] as Sent, [[foreign.id, UNKNOWN]], mine)
          expect(isKnown ? [403, 404] : [401, 404], requestLine(one)).toContain(status)
        }
      }),
    )
  })

  it('answers like a missing one a record of another company, in the path and in options', async () => {
    const answered = new Set<number>()
    await reliabilityTest('T1', `records in paths and options of OData on ${kind}`, () =>
      everyCaller(async (caller, method) => {
        const { own, foreign, mine, isKnown } = caller
        const [theirs, nobodys] = [idsOnlyOf(foreign.letter), idsOnlyOf(NOWHERE)]
        const alike = [
          [theirs.customer, nobodys.customer],
          [theirs.value, nobodys.value],
        ] as const
        const sent = (ids: Ids) => ofRecord(ids).map((path) => sentTo(caller, own.id, path, method))
        const others = sent(nobodys)
        for (const [at, one] of sent(theirs).entries()) {
          const status = await requester.requireAlike(one, others[at] as Sent, alike, mine)
          expect(isKnown ? [200, 403, 404] : [401], requestLine(one)).toContain(status)
          answered.add(status)
        }
      }),
    )
    // Neither is everything refused, nor is anything found.
    expect([...answered].sort()).toEqual([200, 401, 403, 404])
  })

  it('has written nothing', async () => {
    expect(await requester.world.changesSince(before)).toEqual([])
    expect(requester.asked).toBeGreaterThan(300)
  })
})
