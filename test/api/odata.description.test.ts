// OData in /openapi.json: every path with what it takes and answers, and the answers as they are described.
import { beforeAll, expect, it } from 'vitest'
import { answerFaults } from '../support/api-fuzz/answer-faults.ts'
import { Description } from '../support/api-fuzz/description.ts'
import { isOData } from '../support/api-fuzz/odata/draft.ts'
import { startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

const ROOT = '/odata/v4/EN'
const ENTITY = `${ROOT}/customers('1001')`

interface Asked {
  /** It is in the names of two operations, GET and HEAD. */
  readonly noun: string
  readonly url: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

const ASKED: readonly Asked[] = [
  { noun: 'ServiceDocument', url: ROOT, status: 200 },
  { noun: 'ServiceDocument', url: ROOT, status: 304, headers: { 'if-none-match': '*' } },
  { noun: 'ServiceDocument', url: ROOT, status: 406, headers: { accept: 'text/html' } },
  { noun: 'Metadata', url: `${ROOT}/$metadata`, status: 200 },
  { noun: 'Metadata', url: `${ROOT}/$metadata?$format=json`, status: 200 },
  { noun: 'Metadata', url: `${ROOT}/$metadata`, status: 304, headers: { 'if-none-match': '*' } },
  {
    noun: 'EntitySet',
    url: `${ROOT}/customers?$count=true&$top=2`,
    status: 200,
    headers: { prefer: 'odata.maxpagesize=1' },
  },
  { noun: 'EntitySet', url: `${ROOT}/companies`, status: 200 },
  { noun: 'EntitySet', url: `${ROOT}/customers?$filter=nowhere eq 1`, status: 400 },
  { noun: 'EntitySet', url: '/odata/v4/SV/customers', status: 403 },
  { noun: 'EntitySet', url: `${ROOT}/nothing`, status: 404 },
  { noun: 'EntitySet', url: `${ROOT}/customers?$compute=1`, status: 501 },
  { noun: 'EntityCount', url: `${ROOT}/customers/$count`, status: 200 },
  { noun: 'Entity', url: `${ENTITY}?$expand=contactPoints`, status: 200 },
  { noun: 'Entity', url: `${ENTITY}?$top=1`, status: 400 },
  { noun: 'Entity', url: `${ROOT}/customers('nobody')`, status: 404 },
  { noun: 'Items', url: `${ENTITY}/contactPoints`, status: 200 },
  { noun: 'Items', url: `${ENTITY}/customerName`, status: 501 },
  { noun: 'ItemCount', url: `${ENTITY}/contactPoints/$count`, status: 200 },
  { noun: 'LinkFile', url: `${ROOT}/link-files/customers.odc`, status: 200 },
  { noun: 'LinkFile', url: `${ROOT}/link-files/tabularium.pbids`, status: 200 },
  { noun: 'LinkFile', url: `${ROOT}/link-files/tabularium.pbids`, status: 400, headers: { 'odata-maxversion': '3.0' } },
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
      const asked = [...new Set(ASKED.map(({ noun }) => noun))]
      const names = asked.flatMap((noun) => [`readOData${noun}`, `probeOData${noun}`])
      expect(described.map(({ id }) => id)).toEqual(names)
      for (const { method, path } of described) {
        expect(path).toMatch(/^\/odata\/v4\/\{companyId\}/)
        expect(description.methodsOf(path)).toContain(method)
      }
    })

    it.each(ASKED)('is what $noun at $url answers with $status', async ({ noun, url, status, headers = {} }) => {
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
