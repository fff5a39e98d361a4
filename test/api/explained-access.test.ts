// Why a request is allowed or refused is explained by the functions that decide it: explanation and answer agree.
import { beforeAll, expect, it } from 'vitest'
import { explainerOf } from '../../src/app/explain-access.ts'
import { openReadOnly } from '../../src/databases/open/open-read-only.ts'
import type { Method } from '../../src/http/route/route.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const VALUE = '/v1/attribute-values/C1/CC100/0'
const REQUESTS: readonly (readonly [Method, string])[] = [
  ['GET', '/v1/access'],
  ['GET', '/v1/objects'],
  ...['customers', 'general-ledger-transactions', 'audit-entries', 'work-orders', 'nonesuch'].flatMap(
    (name): (readonly [Method, string])[] => [
      ['GET', `/v1/objects/${name}`],
      ['HEAD', `/v1/objects/${name}/`],
    ],
  ),
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => [method, VALUE] as const),
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => [method, '/v1/customers/1001'] as const),
  ['POST', '/v1/customers'],
  ['POST', '/v1/documents'],
  ['GET', '/v1/documents/00000000-0000-4000-8000-000000000001/content'],
  ['GET', '/v1/nothing'],
]

const SUBSCRIPTION = '/v1/subscriptions/00000000-0000-4000-8000-000000000001'
const OWN_REQUESTS: readonly (readonly [Method, string])[] = [
  ['GET', '/v1/objects/suppliers'],
  ['POST', '/v1/suppliers'],
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => [method, '/v1/suppliers/1'] as const),
  ['GET', '/v1/suppliers/1/history'],
  ['GET', '/v1/suppliers/1/2'],
  ['GET', '/v1/contracts/1'],
  ['POST', '/v1/contracts'],
  ['POST', '/v1/nothing'],
  ['GET', '/v1/changes'],
  ['GET', '/v1/subscriptions'],
  ['POST', '/v1/subscriptions'],
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => [method, SUBSCRIPTION] as const),
  ['GET', `${SUBSCRIPTION}/attempts`],
  ['POST', `${SUBSCRIPTION}/pause`],
]

function openDatabase(world: World) {
  return openReadOnly({ data: world.folder, database: world.kind === 'postgres' ? world.databaseUrl() : undefined })
}

/** Refusals for want of rights, and addresses that do not exist. Other 404s and 422s are about records. */
function refusalOf({ status, text }: { status: number; text: string }): number | undefined {
  if (status === 403 || text.includes('Unknown companyId')) return status
  return text.includes('No resource') ? 404 : undefined
}

for (const [fixture, requests, clients] of [
  ['own-documents.yaml', OWN_REQUESTS, ['buyer', 'reader', 'keeper']],
  ['rules.yaml', REQUESTS, ['admin', 'rows', 'swedish', 'nordic', 'ledger', 'split']],
  ['objects.yaml', REQUESTS, ['integration', 'reader', 'split', 'noobjects', 'both', 'sv', 'auditor', 'nobody']],
] as const) {
  onEachStore(
    `Access under ${fixture}`,
    (world) => {
      let explain: Awaited<ReturnType<typeof explainerOf>>
      beforeAll(async () => {
        await using database = await openDatabase(world())
        explain = await explainerOf(database)
      })

      it.each(requests)('is explained as it is answered: %s %s', async (method, path) => {
        const companies = fixture === 'objects.yaml' ? [undefined, 'EN', 'sv'] : [undefined]
        for (const clientId of clients) {
          for (const companyId of companies) {
            const isWrite = method !== 'GET' && method !== 'HEAD'
            const query = [companyId && `companyId=${companyId}`, isWrite && 'validateOnly=true'].filter(Boolean)
            const url = `${path}?${query.join('&')}`
            const answer = await world().send({ as: clientId, method, url, ...(isWrite ? { body: [] } : {}) })
            const { refusal, givenBy } = explain({ clientId, companyId, method, path })
            const place = `${clientId} ${method} ${url}: ${answer.status}`
            // A HEAD has no body that tells one 404 from another.
            if (method === 'HEAD') expect([place, refusal?.status === 403]).toEqual([place, answer.status === 403])
            else expect([place, refusal?.status]).toEqual([place, refusalOf(answer)])
            if (!refusal && path !== '/v1/access') expect([place, givenBy.length > 0]).toEqual([place, true])
          }
        }
      })

      it.runIf(fixture === 'own-documents.yaml')('is told with the rules of own documents', async () => {
        const { json } = await world().send({ as: 'buyer', url: '/v1/access' })
        expect(json.apis).toMatchObject({ suppliers: ['create', 'read', 'update', 'delete'], contracts: ['read'] })
        const operations = [
          'suppliers:create',
          'suppliers:read',
          'suppliers:update',
          'suppliers:delete',
          'objects:read',
        ]
        expect(json.rules).toEqual([
          { document: 'suppliers', filter: "countryCode eq 'NO'", hidden: ['payment/creditlimit'], operations },
        ])
        const asked = { clientId: 'buyer', companyId: undefined, method: 'PATCH', path: '/v1/suppliers/1' } as const
        expect(explain(asked)).toMatchObject({
          needs: ['suppliers:update'],
          givenBy: ['buyer'],
          rules: [{ document: 'suppliers', hidden: ['payment/creditlimit'] }],
        })
      })
    },
    (kind) => startWorld(kind, `test/fixtures/${fixture}`),
  )
}
