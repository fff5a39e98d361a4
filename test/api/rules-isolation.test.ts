// Random queries of a caller whose roles hide rows and fields: no answer ever contains a hidden row or value. A
// failure prints its seed.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DocumentDefinition } from '../../src/model/document.ts'
import { AttributeRelation } from '../../src/model/records/attribute-relation.ts'
import { AttributeValue } from '../../src/model/records/attribute-value.ts'
import { Document } from '../../src/model/records/document.ts'
import { ledgerDocument } from '../../src/objects/general-ledger-transactions.ts'
import { customerDocument } from '../../src/records/kinds/customer-document.ts'
import type { CompanyRules } from '../../src/setup/rules/rules.ts'
import { ledger, objects } from '../support/object-records.ts'
import type { Row } from '../support/query-evaluator.ts'
import { queriesOf, type RandomQuery } from '../support/random-query.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore } from '../support/world.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? triesOf({ smoke: 20, long: 60, full: 60 }))

/** The documents as the company has them. */
function documentsOf(company: CompanyRules | undefined): Readonly<Record<string, DocumentDefinition>> {
  const customers = customerDocument(company)
  const all = [
    customers,
    AttributeValue.document,
    AttributeRelation.document,
    Document.document,
    ledgerDocument(customers),
  ]
  return Object.fromEntries(all.map((document) => [document.name, document]))
}

/** Selections of everything that is returned only on request. */
const EVERYTHING: Readonly<Record<string, string>> = {
  customers: '*,contactPoints,relatedValues,customFieldGroups',
  'attribute-values': '*,contactPoints,relatedValues',
  'attribute-relations': '*',
  'document-archive': '*,indexes',
  'general-ledger-transactions': '*,customer(*,contactPoints,relatedValues,customFieldGroups)',
}

/**
 * By document: the key that tells rows apart, those that the role `rows` shows, and its rule where nothing else is
 * ruled along with it.
 */
const SHOWN: Readonly<Record<string, { key: string; rows: readonly unknown[]; rule?: string }>> = {
  customers: { key: 'customerId', rows: ['1001'], rule: "countryCode eq 'NO'" },
  'attribute-values': { key: 'attributeId', rows: ['C1'], rule: "attributeId eq 'C1'" },
  'attribute-relations': {
    key: 'relationValue',
    rows: ['P1'],
    rule: "relatedAttributeId eq 'C3' and relationValue ne 'P2'",
  },
  'document-archive': { key: 'docType', rows: ['NOTE'] },
  'general-ledger-transactions': { key: 'transactionNumber', rows: [1, 2] },
}

/** The values that the role `fields` hides; they occur nowhere else. */
const HIDDEN_VALUES = /canary-bank|canary-reference|4711\.5|71\.25|INV-\d/

onEachStore(
  'random queries under rules',
  (world) => {
    const urlOf = (name: string, { select, filter, orderBy, offset, limit }: RandomQuery) => {
      const options: Record<string, string | number> = { select, filter, orderby: orderBy, offset, limit: limit ?? 0 }
      const all = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '' && value !== 0))
      return name === 'general-ledger-transactions' ? ledger(all) : objects(name, all)
    }
    const allOf = async (name: string): Promise<Row[]> => {
      const options = { select: EVERYTHING[name] ?? '*' }
      const url = name === 'general-ledger-transactions' ? ledger(options) : objects(name, options)
      return (await world().send({ as: 'admin', url })).json
    }

    /** An association shows what the roles allow of its document: nothing without access to it. */
    const checkAssociations = async (url: string): Promise<void> => {
      const told = async (as: string) => {
        const { status, text } = await world().send({ as, url })
        return [status, text]
      }
      expect(await told('ledger')).toEqual(await told('no-customer'))
      expect(await told('split')).toEqual(await told('joined'))
    }

    it.each(Object.keys(EVERYTHING))('%s', async (name) => {
      const { properties = {} } = documentsOf(world().application.service.companies.find('EN'))[name] ?? {}
      const records = await allOf(name)
      let [answered, refused] = [0, 0]
      const check = async (query: RandomQuery): Promise<void> => {
        const url = urlOf(name, query)
        const byRows = await world().send({ as: 'rows', url })
        expect([byRows.status, byRows.status === 200 ? '' : byRows.text]).toEqual([200, ''])
        answered += byRows.json.length
        const { key, rows, rule } = SHOWN[name] ?? { key: '', rows: [] }
        for (const row of byRows.json) if (key in row) expect(rows).toContain(row[key])
        expect(byRows.text).not.toMatch(/canary-(SE|GB|line|order)|canary harbour/)
        const shown = records.filter((record) => rows.includes(record[key]))
        const count = { ...query, select: '', orderBy: '', offset: 0, limit: undefined }
        const total = await world().send({ as: 'rows', method: 'HEAD', url: urlOf(name, count) })
        expect(Number(total.headers['x-erp-total-count'])).toBeLessThanOrEqual(shown.length)
        // The rule is one more condition and nothing else.
        if (rule !== undefined) {
          const filter = query.filter === '' ? rule : `(${rule}) and (${query.filter})`
          const narrowed = await world().send({ as: 'admin', url: urlOf(name, { ...query, filter }) })
          expect(byRows.text).toBe(narrowed.text)
        }
        // Queries about hidden fields are rejected; answers contain none of their values.
        const byFields = await world().send({ as: 'fields', url })
        expect([200, 400]).toContain(byFields.status)
        if (byFields.status === 400) refused += 1
        else expect(byFields.text).not.toMatch(HIDDEN_VALUES)
        if (name === 'general-ledger-transactions') await checkAssociations(url)
      }
      await fc.assert(fc.asyncProperty(queriesOf(properties, records), check), { numRuns: RUNS, seed: SEED })
      console.info(`${name}: seed ${SEED}, ${RUNS} questions, ${answered} rows answered, ${refused} refused`)
      expect(answered).toBeGreaterThan(0)
    })
  },
  startRuled,
)
