// What a role leaves out of rows and properties is in no entity set; and $search, which finds what the caller may see.
import { expect, it } from 'vitest'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore } from '../support/world.ts'

const SETS = ['customers', 'attribute_values', 'attribute_relations', 'document_archive', 'work_orders']
const ROOT = '/odata/v4/EN'

onEachStore(
  'OData and rules',
  (world) => {
    const get = (url: string, as: string) => world().send({ as, url })
    const search = async (text: string, as = 'admin') => {
      const url = `${ROOT}/document_archive?$select=title&$search=${encodeURIComponent(text)}`
      const { status, json } = await get(url, as)
      return status === 200 ? json.value.map(({ title }: { title: string }) => title) : [status, json.error.message]
    }

    it.each(['admin', 'rows', 'fields'])('answers %s the rows that it has at /v1/objects', async (as) => {
      for (const set of SETS) {
        const counted = await get(`${ROOT}/${set}/$count`, as)
        const listed = await get(`/v1/objects/${set.replace('_', '-')}`, as)
        expect([set, counted.status]).toEqual([set, listed.status === 403 ? 404 : 200])
        if (counted.status === 200) expect([set, counted.text]).toEqual([set, String(listed.json.length)])
      }
    })

    it('knows no property that a role hides, in any option', async () => {
      const options = [
        '$select=payment/bankAccount',
        "$filter=payment/bankAccount ne ''",
        '$orderby=payment/bankAccount',
      ]
      options.push('$apply=groupby((payment/bankAccount))', "$filter=contains(payment/bankAccount,'c')")
      for (const option of options) {
        const { status, text } = await get(`${ROOT}/customers?${encodeURI(option)}`, 'fields')
        expect([option, status, /canary/.test(text)]).toEqual([option, 400, false])
        expect((await get(`${ROOT}/customers?${encodeURI(option)}`, 'admin')).status).toBe(200)
      }
      expect((await get(`${ROOT}/$metadata`, 'fields')).text).not.toContain('bankAccount')
      expect((await get(`${ROOT}/$metadata`, 'admin')).text).toContain('bankAccount')
      expect((await get(`${ROOT}/customers`, 'fields')).text).not.toContain('canary-bank')
    })

    it('finds documents by all words of a search', async () => {
      const both = ['harbour', 'canary harbour']
      expect((await search('harbour')).toSorted()).toEqual(both.toSorted())
      expect(await search('harbour AND "canary"')).toEqual(['canary harbour'])
      expect((await search('harb* words')).toSorted()).toEqual(both.toSorted())
      expect(await search('harbour nothing')).toEqual([])
      expect(await search('harbour', 'rows')).toEqual(['harbour'])
    })

    it('searches for no sequence of words', async () => {
      expect(await search('"canary harbour"')).toEqual([501, 'Not supported: a phrase of several words in $search.'])
      expect(await search('"!"')).toEqual([400, "'!' has no letter and no digit at position 0 of $search"])
    })
  },
  startRuled,
)
