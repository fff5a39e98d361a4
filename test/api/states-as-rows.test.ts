// Queries of states of records, as the feed asks them of what the log has: they find the same records as queries of the
// tables, and select the same bytes. Random queries; a failure prints its seed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { builtInDocuments } from '../../src/app/setup/built-in-documents.ts'
import { systemClock } from '../../src/base/clock.ts'
import { selectedRecords, visibleStates } from '../../src/changes/feed/ask-states.ts'
import { sameForAll } from '../../src/objects/enterprise-document.ts'
import { planCollection } from '../../src/query/plan.ts'
import type { Columns } from '../../src/records/kinds/kind.ts'
import { kindsOf } from '../../src/records/kinds/kinds.ts'
import { declaredDefinition } from '../../src/setup/rules/external-document.ts'
import type { RowState } from '../../src/sql/rows/given-rows.ts'
import { INTERNAL_CALLER } from '../../src/store/store.ts'
import { ledger, objects } from '../support/object-records.ts'
import { linesOf } from '../support/process.ts'
import type { Row } from '../support/query-evaluator.ts'
import { queriesOf, type RandomQuery } from '../support/random-query.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore } from '../support/world.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? triesOf({ smoke: 12, long: 40, full: 40 }))

/** Selections of what is returned only on request. */
const LISTS: Readonly<Record<string, string>> = {
  customers: '*,contactPoints,relatedValues,customFieldGroups',
  'attribute-values': '*,contactPoints,relatedValues',
  'document-archive': '*,indexes',
  'general-ledger-transactions': '*,customer(*,contactPoints,relatedValues,customFieldGroups)',
}

/** As the setup defines it. */
const workOrders = sameForAll(
  declaredDefinition({
    name: 'work-orders',
    key: ['companyId', 'workOrderId'],
    properties: {
      companyId: { type: 'string' },
      workOrderId: { type: 'string' },
      status: { type: 'string', valueList: 'STATUS' },
      plan: { group: { note: { type: 'string' }, hours: { type: 'number' } } },
    },
  }),
)

onEachStore(
  'queries of states',
  (world) => {
    const sent = async (url: string): Promise<readonly string[]> => {
      const { status, text } = await world().send({ as: 'admin', url, headers: { accept: 'application/x-ndjson' } })
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      return linesOf(text)
    }
    const collection = (name: string, options: Record<string, string>) =>
      sent(name === 'general-ledger-transactions' ? ledger(options) : objects(name, options))

    /** The record as single GETs answer it, or as its collection does where there is no such GET. */
    const textOf = async (name: string, line: string): Promise<string> => {
      const record = JSON.parse(line)
      const paths: Readonly<Record<string, string>> = {
        customers: `/v1/customers/${record.customerId}`,
        'attribute-values': `/v1/attribute-values/${record.attributeId}/${record.attributeValue}/${record.periodFrom}`,
        'attribute-relations': `/v1/attribute-relations/${record.attributeId}/${record.attributeValue}/${record.relatedAttributeId}/${record.relationValue}`,
        'document-archive': `/v1/documents/${record.id}`,
      }
      const path = paths[name]
      return path === undefined ? line : (await world().send({ as: 'admin', url: `${path}?companyId=EN` })).text
    }

    const NAMES = [...Object.keys(LISTS), 'attribute-relations', 'work-orders']
    it.each(NAMES)('find and select of %s what queries of the tables do', async (name) => {
      const { store, companies } = world().application.service
      const company = companies.require('EN')
      const documents = [...builtInDocuments(systemClock), workOrders]
      const document = documents.find(({ common }) => common.name === name)
      const kind = kindsOf(documents).get(name)
      if (!document || !kind) throw new Error(`${name} is not there`)
      const definition = document.of(company)
      const states: RowState[] = []
      for (const line of await collection(name, {})) {
        const { lastUpdated } = JSON.parse(line)
        const stamp: Columns = { updated_at: lastUpdated.updatedAt, updated_by: lastUpdated.updatedBy }
        states.push(kind.rowOf(company, await textOf(name, line), stamp))
      }
      const records = (await collection(name, { select: LISTS[name] ?? '*' })).map((line) => JSON.parse(line) as Row)
      const source = { store, companyId: 'EN', requester: INTERNAL_CALLER }
      let found = 0
      const check = async ({ filter, select }: RandomQuery) => {
        const asked = { filter: filter || undefined, select: select || undefined, orderBy: undefined }
        const plan = planCollection(definition, { ...asked, offset: 0, limit: undefined })
        const query = { definition, scope: [], language: 'EN' }
        const visible = await visibleStates(source, { ...query, filter: plan.filter, select: [] }, states)
        const seen = states.filter((_state, at) => visible.has(at))
        const texts = await selectedRecords(source, { ...query, filter: undefined, select: plan.select }, seen)
        const options = { ...(filter && { filter }), ...(select && { select }) }
        expect({ SEED, filter, select, texts }).toEqual({
          SEED,
          filter,
          select,
          texts: await collection(name, options),
        })
        found += texts.length
      }
      await fc.assert(fc.asyncProperty(queriesOf(definition.properties, records), check), { numRuns: RUNS, seed: SEED })
      expect(found).toBeGreaterThan(0)
    })
  },
  startRuled,
)
