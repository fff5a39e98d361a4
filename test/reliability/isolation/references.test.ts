// T5: a body that refers to a record of another company is answered like one that refers to a missing record; the same
// reference to a record of the own company is accepted, which proves that each reference is checked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRANIT, JASPER, KOPPER } from '../../support/isolation/companies.ts'
import { IsolationClient, requestLine } from '../../support/isolation/isolation-client.ts'
import { type Ids, idsOnlyOf, NOWHERE, startIsolationWorld } from '../../support/isolation/records.ts'
import { RELATED_QUERIES, referencesOf, UNRELATED } from '../../support/isolation/references.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { SqlTap } from '../../support/sql-tap.ts'
import { STORE_KINDS } from '../../support/world.ts'

const [OWN, NONE] = [idsOnlyOf(JASPER.letter), idsOnlyOf(NOWHERE)]

describe.each(STORE_KINDS)('T5 references on %s', (kind) => {
  let requester: IsolationClient
  let tap: SqlTap

  beforeAll(async () => {
    tap = new SqlTap()
    requester = new IsolationClient(
      await startIsolationWorld(kind, { clock: () => new Date('2026-05-04T10:00:00.000Z') }),
      tap,
    )
  })
  afterAll(async () => {
    tap?.stop()
    await requester?.world.stop()
  })

  it('to records and codes of another company are answered as those to none', async () => {
    const before = await requester.world.dump()
    await reliabilityTest('T5', `references on ${kind}`, async () => {
      const references = [...referencesOf(OWN.document), ...UNRELATED]
      for (const { name, sent, isPassedOver } of references) {
        const as = 'writer-JASPER'
        for (const theirs of [idsOnlyOf(KOPPER.letter), idsOnlyOf(GRANIT.letter)]) {
          const status = await requester.requireAlike({ as, ...sent(theirs) }, { as, ...sent(NONE) }, alikeIn(theirs), [
            JASPER,
          ])
          const wanted = isPassedOver ? [200] : [400, 404, 409, 422]
          expect(wanted, `${name}: ${requestLine(sent(theirs))}`).toContain(status)
        }
      }
      for (const { name, sent } of referencesOf(OWN.document)) {
        const own = await requester.ask({ as: 'writer-JASPER', ...sent(OWN) }, [JASPER])
        expect([name, own.status, own.status < 300 ? '' : own.text]).toEqual([name, 200, ''])
      }
      return `${references.length} places, ${requester.asked} requests`
    })
    expect(await requester.world.changesSince(before)).toEqual([])
  })

  it('find nothing of another company by its relations', async () => {
    for (const question of RELATED_QUERIES) {
      for (const as of ['writer-JASPER', 'reader', 'elsewhere']) {
        const theirs = idsOnlyOf(KOPPER.letter)
        const sent = (ids: Ids) => ({ as, url: question(ids) })
        await requester.requireAlike(sent(theirs), sent(NONE), alikeIn(theirs), [JASPER])
      }
    }
  })
})

function alikeIn(theirs: Ids): (readonly [string, string])[] {
  const keys = Object.keys(theirs) as (keyof Ids)[]
  return keys
    .filter((key) => theirs[key] !== NONE[key] && theirs[key].length > 1)
    .map((key) => [theirs[key], NONE[key]])
}
