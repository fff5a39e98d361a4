// OData in /openapi.json: every path with what it takes and answers, and the answers as they are described.
import { beforeAll, expect, it } from 'vitest'
import { answerFaults } from '../support/api-fuzz/answer-faults.ts'
import { Description } from '../support/api-fuzz/description.ts'
import { isOData } from '../support/api-fuzz/odata/draft.ts'
import { startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

const ROOT = '/odata/v4/EN'
const ENTITY = `${ROOT}/customers('1001')`

/** Each noun of the names of operations, a request, and its status. */
const ASKED: readonly (readonly [noun: string, url: string, status: number, headers?: Record<string, string>])[] = [
  ['ServiceDocument', ROOT, 200],
  ['ServiceDocument', ROOT, 304, { 'if-none-match': '*' }],
  ['ServiceDocument', ROOT, 406, { accept: 'text/html' }],
  ['Metadata', `${ROOT}/$metadata`, 200],
  ['Metadata', `${ROOT}/$metadata?$format=json`, 200],
  ['Metadata', `${ROOT}/$metadata`, 304, { 'if-none-match': '*' }],
  ['EntitySet', `${ROOT}/customers?$count=true&$top=2`, 200, { prefer: 'odata.maxpagesize=1' }],
  ['EntitySet', `${ROOT}/companies`, 200],
  ['EntitySet', `${ROOT}/customers?$filter=nowhere eq 1`, 400],
  ['EntitySet', '/odata/v4/SV/customers', 403],
  ['EntitySet', `${ROOT}/nothing`, 404],
  ['EntitySet', `${ROOT}/customers?$compute=1`, 501],
  ['EntityCount', `${ROOT}/customers/$count`, 200],
  ['Entity', `${ENTITY}?$expand=contactPoints`, 200],
  ['Entity', `${ENTITY}?$top=1`, 400],
  ['Entity', `${ROOT}/customers('nobody')`, 404],
  ['Items', `${ENTITY}/contactPoints`, 200],
  ['Items', `${ENTITY}/customerName`, 501],
  ['ItemCount', `${ENTITY}/contactPoints/$count`, 200],
  ['LinkFile', `${ROOT}/link-files/customers.odc`, 200],
  ['LinkFile', `${ROOT}/link-files/tabularium.pbids`, 200],
  ['LinkFile', `${ROOT}/link-files/tabularium.pbids`, 400, { 'odata-maxversion': '3.0' }],
]

onEachStore(
  'The description of OData',
  (world) => {
    let description: Description

    beforeAll(async () => {
      description = new Description((await world().send({ url: '/openapi.json' })).json)
    })

    it('has every path, for GET and HEAD, with the company in it', () => {
      const described = description.all.filter(isOData)
      const asked = [...new Set(ASKED.map(([noun]) => noun))]
      const names = asked.flatMap((noun) => [`readOData${noun}`, `probeOData${noun}`])
      expect(described.map(({ id }) => id)).toEqual(names)
      for (const { method, path } of described) {
        expect(path).toMatch(/^\/odata\/v4\/\{companyId\}/)
        expect(description.methodsOf(path)).toContain(method)
      }
    })

    it.each(ASKED)('is what %s of %s answers with %i', async (noun, url, status, headers = {}) => {
      for (const [verb, method] of [
        ['read', 'GET'],
        ['probe', 'HEAD'],
      ] as const) {
        const operation = description.operation(`${verb}OData${noun}`)
        const answer = await world().send({ as: 'integration', method, url: encodeURI(url), headers })
        const faults = answerFaults(description, operation, method, answer, { validateOnly: false, isPast: false })
        expect([answer.status, faults]).toEqual([status, []])
      }
    })

    it('says in which form paths beside it are refused', async () => {
      for (const [method, url] of [
        ['GET', `${ROOT}/a/b/c/d`],
        ['DELETE', ENTITY],
      ] as const) {
        const answer = await world().send({ as: 'integration', method, url })
        const faults = answerFaults(description, undefined, method, answer, { validateOnly: false, isPast: false })
        expect([answer.json.error.code, faults]).toEqual(['1030', []])
      }
    })
  },
  startObjects,
)
