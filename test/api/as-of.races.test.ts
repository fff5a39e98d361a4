// An answer as of a moment is made anew when records are changed while it is made. What was made of the first one is
// given up: a stream would hold a session of the database for ever.
import { expect, it } from 'vitest'
import { onEachStore } from '../support/world.ts'

/** More than the sessions with the database. */
const ROUNDS = 15
const VALUES = '/v1/attribute-values'

onEachStore('A collection as of a moment', (world) => {
  it('holds nothing of an answer that is made anew', async () => {
    const { store } = world().application.service
    const as = 'integration'
    let then = ''
    for (let at = 0; at < ROUNDS; at++) {
      const body = { attributeId: 'C1', attributeValue: `R${at}`, description: 'then' }
      const { status, headers } = await world().send({ as, method: 'POST', url: VALUES, body })
      expect(status).toBe(201)
      then = String(headers['x-erp-change-number'])
    }
    const { collect } = store
    for (let at = 0; at < ROUNDS; at++) {
      let answers = 0
      store.collect = async (companyId, query) => {
        if (answers++ === 0) {
          const body = [{ op: 'replace', path: '/description', value: 'now' }]
          expect((await world().send({ as, method: 'PATCH', url: `${VALUES}/C1/R${at}/0`, body })).status).toBe(200)
        }
        return collect.call(store, companyId, query)
      }
      const filter = encodeURIComponent("startswith(attributeValue,'R')")
      const options = `asOf=${then}&filter=${filter}&select=description&limit=100`
      const answer = await world().send({
        as,
        url: `/v1/objects/attribute-values?${options}`,
        headers: { accept: 'text/csv' },
      })
      expect([at, answer.status, answers]).toEqual([at, 200, 2])
      expect(answer.text.trim().split(/\r?\n/).slice(1)).toEqual(Array.from({ length: ROUNDS }, () => 'then'))
    }
    store.collect = collect
  })
})
