// Companies in external tables: a caller's rows are those whose company equals, byte by byte, the caller's company.
import { expect, it } from 'vitest'
import {
  COMPANIES,
  documentOn,
  markOf,
  OTHER_COLUMNS,
  startWithCompanies,
  TEXT_COLUMNS,
} from '../support/external-companies.ts'
import { onEachStore, STORE_KINDS, type StoreKind } from '../support/world.ts'

const tablesOf = (kind: StoreKind) => Object.keys(TEXT_COLUMNS[kind]).map((name) => `${name}_wo`)

onEachStore(
  'The company of an external table',
  (world, kind) => {
    const urlOf = (table: string, query = '') => `/v1/objects/${documentOn(table)}${query}`

    it.each(tablesOf(kind))('is the bytes of its id, in every form of the answer: %s', async (table) => {
      for (const [at, company] of COMPANIES.entries()) {
        const own = [markOf(company)]
        const as = `c${at}`
        const list = await world().send({ as, url: urlOf(table) })
        expect([list.status, list.json.map((row: { descr: string }) => row.descr)]).toEqual([200, own])
        const filters = [
          '',
          "companyId eq '1'",
          "companyId ne 'x'",
          "startswith(descr,'is')",
          'id ge 0',
          "companyId in ('1','01','a1')",
        ]
        for (const filter of filters) {
          const query = `?limit=50&orderby=id%20desc&filter=${encodeURIComponent(filter)}`
          for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
            const { status, text } = await world().send({ as, url: urlOf(table, query), headers: { accept } })
            const told = text.match(/is-\w*-/g) ?? []
            expect([status, told.filter((one) => !own.includes(one))]).toEqual([200, []])
          }
        }
        const count = await world().send({ as, method: 'HEAD', url: urlOf(table) })
        expect(count.headers['x-erp-total-count']).toBe(String(own.length))
      }
    })
  },
  (kind) => startWithCompanies(kind, tablesOf(kind)),
)

it.each(STORE_KINDS)('A company column that is no text on %s is refused at start, whatever its type', async (kind) => {
  const tables = [...OTHER_COLUMNS[kind].map((_type, at) => `other_${at}`), 'number_view']
  const start = startWithCompanies(kind, tables)
  for (const table of tables) {
    await expect(start).rejects.toThrow(
      new RegExp(
        `document ${documentOn(table)}: property companyId: the column company of erp.${table} is of type .*companies are kept apart by a column of text alone`,
      ),
    )
  }
})
