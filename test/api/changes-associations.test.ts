// Filters and row rules that ask what other records have: the log of a record does not tell when these change, so no
// feed and no webhook promises it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findingsIn } from '../support/scenario.ts'
import { FEWER_KINDS, onEachStore, type Sent, startWorld } from '../support/world.ts'

const FILTERS = [
  "supplier/countryCode eq 'NO'",
  "contractId gt 0 and not startswith(tolower(supplier/supplierName),'x')",
  "supplier/parent/countryCode in ('NO','SE')",
  "supplier/bankAccounts/any(b: b/iban eq 'x')",
  'supplier/payment/creditLimit gt 1',
]

/** `contractor` sees contracts with Norwegian suppliers. */
const folder = mkdtempSync(join(tmpdir(), 'tabularium-test-'))
const SETUP = join(folder, 'setup.yaml')
const rule = `contracts: { filter: "supplier/countryCode eq 'NO'" }`
const text = readFileSync('test/fixtures/own-records.yaml', 'utf8')
  .replace(
    '      objects: [read, export]\n',
    '      objects: [read, export]\n      subscriptions: [create, read, update]\n',
  )
  .replace(
    '  - id: nobody\n',
    `  - id: contractor
    apis: { objects: [read], subscriptions: [create, read, update] }
    objects: [contracts, suppliers]
    rules: { ${rule} }
  - id: nobody\n`,
  )
  .replace('\nclients:', '  - { id: svc-contractor, defaultCompany: EN, roles: { EN: [contractor] } }\n\nclients:')
  .replace(
    '  - { id: nobody,',
    '  - { id: contractor, user: svc-contractor, secretEnv: TEST_CLIENT_SECRET }\n  - { id: nobody,',
  )
writeFileSync(SETUP, text)
afterAll(() => rmSync(folder, { recursive: true }))

const NO_RULE = 'Which contracts the client sees depends on what they refer to: no feed covers them.'
const NO_FILTER =
  'The filter asks of contracts what other records have, along an association: no feed tells when these change.'

onEachStore(
  'A feed that cannot follow',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const changes = (query: string, as = 'integration', accept = 'application/json') =>
      send({ as, url: `/v1/changes?${query}`, headers: { accept } })
    const withFilter = (filter: string) => `entities=contracts&since=0&$filter=${encodeURIComponent(filter)}`

    it.each(FILTERS)('refuses the filter %s, which the collection takes', async (filter) => {
      expect((await send({ url: `/v1/objects/contracts?$filter=${encodeURIComponent(filter)}` })).status).toBe(200)
      for (const accept of ['application/json', 'application/x-ndjson', 'text/event-stream']) {
        const answer = await changes(withFilter(filter), 'integration', accept)
        expect([answer.status, answer.json]).toEqual([400, { code: 1020, message: NO_FILTER }])
      }
      const body = { name: 'Never', url: 'https://hooks.example.com/', entities: ['contracts'] }
      const before = await world().dump()
      const made = await send({ method: 'POST', url: '/v1/subscriptions', body: { ...body, filter } })
      expect([made.status, findingsIn(made.json)]).toEqual([400, { filter: [1020, NO_FILTER] }])
      expect(await world().changesSince(before)).toEqual([])
      const { json } = await send({ method: 'POST', url: '/v1/subscriptions', body })
      const patch = [{ op: 'replace', path: '/filter', value: filter }]
      expect((await send({ method: 'PATCH', url: `/v1/subscriptions/${json.id}`, body: patch })).status).toBe(400)
    })

    it('follows filters on lists and members of the record itself, and on the key that refers to another', async () => {
      for (const filter of ["supplierId eq '50000'", "contains(title,'x') and priority eq 3"])
        expect((await changes(withFilter(filter))).status).toBe(200)
      const lists = "bankAccounts/any(b: b/iban eq 'x')"
      expect((await changes(`entities=suppliers&since=0&$filter=${encodeURIComponent(lists)}`)).status).toBe(200)
    })

    it('does not cover records that a role shows for what they refer to, and says so', async () => {
      const all = await changes('since=0', 'contractor')
      expect([all.status, all.json.covers, all.json.notCovered]).toEqual([200, ['suppliers'], ['contracts']])
      const named = await changes('entities=contracts&since=0', 'contractor')
      expect([named.status, named.json]).toEqual([400, { code: 1020, message: NO_RULE }])
      const body = { name: 'Never', url: 'https://hooks.example.com/', entities: ['contracts'] }
      const made = await send({ as: 'contractor', method: 'POST', url: '/v1/subscriptions', body })
      expect([made.status, findingsIn(made.json)]).toEqual([400, { entities: [1020, NO_RULE] }])
      // Whoever sees all of them is told of them.
      expect((await changes('since=0')).json.covers).toEqual(expect.arrayContaining(['contracts', 'suppliers']))
    })

    it('tells such a client of nothing that the records it sees lead to', async () => {
      const supplier = { supplierName: 'Nordic', countryCode: 'NO', contactPoints: [{ contactPointType: '1' }] }
      const { json } = await send({ method: 'POST', url: '/v1/suppliers', body: supplier })
      const contract = { contractId: 1, supplierId: json.supplierId }
      expect((await send({ method: 'POST', url: '/v1/contracts', body: contract })).status).toBe(201)
      const seen = async () => (await send({ as: 'contractor', url: '/v1/objects/contracts' })).json.length
      expect(await seen()).toBe(1)
      const body = [{ op: 'replace', path: '/countryCode', value: 'SE' }]
      await send({ method: 'PATCH', url: `/v1/suppliers/${json.supplierId}`, body })
      expect(await seen()).toBe(0)
      const { changes: told } = (await changes('since=0', 'contractor')).json
      expect(new Set(told.map(({ entity }: { entity: string }) => entity))).toEqual(new Set(['suppliers']))
    })
  },
  (kind) => startWorld(kind, SETUP),
  FEWER_KINDS,
)
