// Permissions of queries: decision 7 (roles name the Enterprise Documents), decision 0 (never reveal a company),
// decision 1.
import { expect, it } from 'vitest'
import { ledger, objects, startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const REFUSED = { status: 403, json: { code: 2030, message: 'User is not authorised.' } }

const scenarios: Scenario[] = [
  {
    name: 'answers a document that the role lists (decision 7)',
    as: 'reader',
    url: objects('value-list', { select: 'title', filter: "name eq 'TIER'" }),
    status: 200,
    json: [{ title: 'Gold' }, { title: 'Silver' }],
  },
  {
    name: "answers a document of the setup's own that the role lists",
    as: 'reader',
    url: objects('work-orders'),
    status: 200,
    json: [],
  },
  {
    name: 'refuses a document that the role does not list (2030)',
    as: 'reader',
    url: objects('customers'),
    ...REFUSED,
  },
  {
    name: "refuses a document of the setup's own that the role does not list",
    as: 'reader',
    url: '/v2/objects/readings',
    ...REFUSED,
  },
  {
    name: 'refuses to count a document that the role does not list',
    as: 'reader',
    method: 'HEAD',
    url: objects('customers'),
    status: 403,
  },
  {
    name: 'refuses the ledger to a role that lists other documents, before its parameters are looked at',
    as: 'reader',
    url: objects('general-ledger-transactions'),
    ...REFUSED,
  },
  {
    name: 'refuses before it looks at the query: the properties of a document are not revealed',
    as: 'reader',
    url: objects('customers', { select: 'nope' }),
    ...REFUSED,
  },
  {
    name: 'refuses a role that lists documents but may not read objects',
    as: 'noobjects',
    url: objects('attribute-values'),
    ...REFUSED,
  },
  { name: 'refuses a role that may nothing', as: 'nobody', url: objects('attribute-values'), ...REFUSED },
  {
    name: 'takes the roles of a user together, each with its own documents: read of the ledger by one',
    as: 'split',
    url: ledger({ select: 'transactionNumber', filter: 'transactionNumber eq 2' }),
    status: 200,
    json: [{ transactionNumber: 2 }],
  },
  {
    name: 'refuses what no role of a user lists',
    as: 'split',
    url: objects('customers'),
    ...REFUSED,
  },
  {
    name: 'answers an unknown document with 404 (1030)',
    url: '/v1/objects/nonesuch?companyId=EN',
    status: 404,
    json: { code: 1030, message: "No resource matches the URI '/v1/objects/nonesuch'." },
  },
  {
    name: 'answers an unknown document with 404 to a caller who may nothing: first the route, then the rights',
    as: 'nobody',
    url: '/v1/objects/nonesuch',
    status: 404,
    json: { code: 1030, message: "No resource matches the URI '/v1/objects/nonesuch'." },
  },
  {
    name: 'answers it with 401 to a caller whom nobody knows',
    as: undefined,
    url: '/v1/objects/nonesuch',
    status: 401,
  },
  {
    name: 'tells the nearest document of the service behind the 404',
    url: '/v1/objects/custmers?companyId=EN',
    status: 404,
    json: { code: 1030, message: "No resource matches the URI '/v1/objects/custmers'." },
    answerHeaders: { link: '</v1/objects/customers>; rel="alternate"' },
  },
  {
    name: "tells the nearest document of the setup's own behind the 404",
    url: '/v1/objects/workorder/',
    status: 404,
    json: { code: 1030, message: "No resource matches the URI '/v1/objects/workorder/'." },
    answerHeaders: { link: '</v1/objects/work-orders>; rel="alternate"' },
  },
  {
    name: 'answers a known document in an unknown version with 404',
    url: '/v2/objects/work-orders',
    status: 404,
    json: { code: 1030, message: "No resource matches the URI '/v2/objects/work-orders'." },
    answerHeaders: { link: '</v1/objects/work-orders>; rel="alternate"' },
  },
  {
    name: 'answers a built-in document in an unknown version with 404',
    url: '/v2/objects/customers',
    status: 404,
    code: 1030,
  },
  { name: 'answers a version without a v with 404', url: '/1/objects/work-orders', status: 404, code: 1030 },
  {
    name: 'answers the path without a document in another version with 404',
    url: '/v2/objects',
    status: 404,
    code: 1030,
  },
  { name: 'answers an unknown document with 404 to HEAD', method: 'HEAD', url: '/v1/objects/nonesuch', status: 404 },
  {
    name: 'takes a slash behind the document (decision 0)',
    url: '/v1/objects/companies/?select=companyId',
    status: 200,
    json: [{ companyId: 'EN' }],
  },
  {
    name: 'takes a company in any letter case, and answers it as set up (decision 0)',
    as: 'both',
    url: '/v1/objects/companies?select=companyId&CompanyID=sv',
    status: 200,
    json: [{ companyId: 'SV' }],
  },
  {
    name: "takes the caller's default company, also for an empty companyId (decision 1)",
    as: 'both',
    url: '/v1/objects/companies?select=companyId&companyId=',
    status: 200,
    json: [{ companyId: 'EN' }],
  },
]

onEachStore(
  'Permission on the object endpoints',
  (world) => {
    runScenarios(world, scenarios)

    it('answers another company exactly as one that does not exist, in every document (decision 0)', async () => {
      for (const document of [
        'attribute-values',
        'attribute-relations',
        'attributes',
        'companies',
        'customers',
        'general-ledger-transactions',
        'value-list',
        'work-orders',
      ]) {
        for (const method of ['GET', 'HEAD'] as const) {
          for (const filter of ['', 'nope eq 1']) {
            const ask = async (companyId: string) => {
              const url = objects(document, { companyId, filter })
              const headers = { 'x-request-id': 'same' }
              const answer = await world().send({ as: 'integration', method, url, headers })
              const { date: _date, ...others } = answer.headers
              return { status: answer.status, text: answer.text, others }
            }
            const [foreign, unknown] = [await ask('SV'), await ask('XX')]
            expect(foreign).toEqual(unknown)
            expect(foreign.status).toBe(403)
          }
        }
      }
    })

    it('never answers a record of another company, in any document and any format', async () => {
      const urls = [
        objects('attribute-values', { select: '*,contactPoints,relatedValues' }),
        objects('attribute-relations'),
        objects('attributes'),
        objects('companies'),
        objects('customers', { select: '*,customFieldGroups', filter: "customerName ne ''" }),
        ledger({ select: '*,customer(customerName)' }),
        objects('value-list'),
      ]
      for (const url of urls) {
        for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
          const mine = await world().send({ as: 'both', url, headers: { accept } })
          expect(mine.status).toBe(200)
          expect(mine.text).not.toContain('canary')
          expect(mine.text).not.toContain('Svenska')
        }
      }
      const theirs = await world().send({
        as: 'both',
        url: ledger({ companyId: 'SV', select: 'customer(customerName)' }),
      })
      expect(theirs.text).toBe('[{"customer":{"customerName":"canary-of-SV"}}]')
    })

    it('answers an unknown document with 404 only to authenticated callers: a bad token is 401 first (decision 0)', async () => {
      const answer = await world().send({ url: '/v1/objects/nonesuch', headers: { authorization: 'Bearer x.y.z' } })
      expect([answer.status, answer.text]).toEqual([401, '{"statusCode":401,"message":"Invalid JWT."}'])
    })
  },
  startObjects,
)
