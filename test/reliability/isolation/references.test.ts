// T5: a body that refers to what only another company has is answered as one that refers to what nobody has; the same
// reference to what the own company has is taken, so that each place is known to be looked at.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Asker, told } from '../../support/apart/asker.ts'
import { GRANIT, JASPER, KOPPER } from '../../support/apart/companies.ts'
import { type Ids, idsOnlyOf, NOWHERE, startApart } from '../../support/apart/records.ts'
import { RELATED_QUESTIONS, referencesOf, UNRELATED } from '../../support/apart/references.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { SqlTap } from '../../support/sql-tap.ts'
import { STORE_KINDS } from '../../support/world.ts'

const [OWN, NONE] = [idsOnlyOf(JASPER.letter), idsOnlyOf(NOWHERE)]

describe.each(STORE_KINDS)('T5 references on %s', (kind) => {
  let asker: Asker
  let tap: SqlTap

  beforeAll(async () => {
    tap = new SqlTap()
    asker = new Asker(await startApart(kind, { clock: () => new Date('2026-05-04T10:00:00.000Z') }), tap)
  })
  afterAll(async () => {
    tap?.stop()
    await asker?.world.stop()
  })

  it('to records and codes of another company are answered as those to none', async () => {
    const before = await asker.world.dump()
    await reliabilityTest('T5', `references on ${kind}`, async () => {
      const references = [...referencesOf(OWN.document), ...UNRELATED]
      for (const { name, sent, isPassedOver } of references) {
        const as = 'writer-JASPER'
        for (const theirs of [idsOnlyOf(KOPPER.letter), idsOnlyOf(GRANIT.letter)]) {
          const status = await asker.askAlike({ as, ...sent(theirs) }, { as, ...sent(NONE) }, alikeIn(theirs), [JASPER])
          const wanted = isPassedOver ? [200] : [400, 404, 409, 422]
          expect(wanted, `${name}: ${told(sent(theirs))}`).toContain(status)
        }
      }
      for (const { name, sent } of referencesOf(OWN.document)) {
        const own = await asker.ask({ as: 'writer-JASPER', ...sent(OWN) }, [JASPER])
        expect([name, own.status, own.status < 300 ? '' : own.text]).toEqual([name, 200, ''])
      }
      return `${references.length} places, ${asker.asked} requests`
    })
    expect(await asker.world.changesSince(before)).toEqual([])
  })

  it('find nothing of another company by what is related to it', async () => {
    for (const question of RELATED_QUESTIONS) {
      for (const as of ['writer-JASPER', 'reader', 'elsewhere']) {
        const theirs = idsOnlyOf(KOPPER.letter)
        const sent = (ids: Ids) => ({ as, url: question(ids) })
        await asker.askAlike(sent(theirs), sent(NONE), alikeIn(theirs), [JASPER])
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
