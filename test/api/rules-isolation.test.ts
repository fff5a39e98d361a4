// Random questions of a caller whose roles leave rows and fields out: no answer ever holds a row or a value of them. A
// failure prints its seed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ledgerDocument } from '../../src/objects/documents/general-ledger-transactions.ts'
import { attributeRelationDocument } from '../../src/records/attribute-relations/attribute-relation-document.ts'
import { attributeValueDocument } from '../../src/records/attribute-values/attribute-value-document.ts'
import { customerDocument } from '../../src/records/customers/customer-document.ts'
import { archiveDocument } from '../../src/records/documents/document-archive.ts'
import { ledger, objects } from '../support/object-records.ts'
import type { Row } from '../support/query-evaluator.ts'
import { queriesOf, type RandomQuery } from '../support/random-query.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore } from '../support/world.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 60)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

const customers = customerDocument(undefined)
const DOCUMENTS = [
  customers,
  attributeValueDocument,
  attributeRelationDocument,
  archiveDocument,
  ledgerDocument(customers),
]

/** By document: the key that tells rows apart, and those that the role `rows` shows. */
const SHOWN: Readonly<Record<string, { key: string; rows: readonly unknown[] }>> = {
  customers: { key: 'customerId', rows: ['1001'] },
  'attribute-values': { key: 'attributeId', rows: ['C1'] },
  'attribute-relations': { key: 'relationValue', rows: ['P1'] },
  'document-archive': { key: 'docType', rows: ['NOTE'] },
  'general-ledger-transactions': { key: 'transactionNumber', rows: [1, 2] },
}

/** What the role `fields` hides, as values that stand nowhere else. */
const HIDDEN_VALUES = /canary-bank|canary-reference|4711\.5|71\.25|INV-\d/

onEachStore(
  'random questions under rules',
  (world) => {
    const urlOf = (name: string, { select, filter, orderBy, offset, limit }: RandomQuery) => {
      const options: Record<string, string | number> = { select, filter, orderby: orderBy, offset }
      const given = Object.entries({ ...options, ...(limit === undefined ? {} : { limit }) }).filter(
        ([, value]) => value !== '' && value !== 0,
      )
      const all = Object.fromEntries(given)
      return name === 'general-ledger-transactions' ? ledger(all) : objects(name, all)
    }
    const allOf = async (name: string): Promise<Row[]> => {
      const lists = name === 'customers' || name === 'attribute-values' ? ',contactPoints,relatedValues' : ''
      const more = name === 'document-archive' ? ',indexes' : name.startsWith('general') ? ',customer' : lists
      const groups = name === 'customers' ? ',customFieldGroups' : ''
      const options = { select: `*${more}${groups}` }
      return (
        await world().send({ as: 'admin', url: name.startsWith('general') ? ledger(options) : objects(name, options) })
      ).json
    }

    it.each(DOCUMENTS)('$name', { timeout: 120_000 }, async ({ name, properties }) => {
      const records = await allOf(name)
      let [answered, refused] = [0, 0]
      const check = async (query: RandomQuery): Promise<void> => {
        const url = urlOf(name, query)
        const byRows = await world().send({ as: 'rows', url })
        expect([byRows.status, byRows.status === 200 ? '' : byRows.text]).toEqual([200, ''])
        answered += byRows.json.length
        const { key, rows } = SHOWN[name] ?? { key: '', rows: [] }
        for (const row of byRows.json) if (key in row) expect(rows).toContain(row[key])
        expect(byRows.text).not.toMatch(/canary-(SE|GB|line|order)|canary harbour|canary of C2/)
        const shown = records.filter((record) => rows.includes(record[key]))
        const count = { ...query, select: '', orderBy: '', offset: 0, limit: undefined }
        const total = await world().send({ as: 'rows', method: 'HEAD', url: urlOf(name, count) })
        expect(Number(total.headers['x-erp-total-count'])).toBeLessThanOrEqual(shown.length)
        // What is asked about hidden fields is refused; what is answered holds none of their values.
        const byFields = await world().send({ as: 'fields', url })
        expect([200, 400]).toContain(byFields.status)
        if (byFields.status === 400) refused += 1
        else expect(byFields.text).not.toMatch(HIDDEN_VALUES)
      }
      await fc.assert(fc.asyncProperty(queriesOf(properties, records), check), { numRuns: RUNS, seed: SEED })
      console.info(`${name}: seed ${SEED}, ${RUNS} questions, ${answered} rows answered, ${refused} refused`)
      expect(answered).toBeGreaterThan(0)
    })
  },
  startRuled,
)
