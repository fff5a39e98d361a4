// Results of filters: decision 6, grammar, semantics and blanks; what deployed clients send (habits).
import { describe, expect, it } from 'vitest'
import { ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore, type World } from '../support/world.ts'

const ALL = ['1001', '1002', '1003', '1004']
const LINES = ['1/1', '1/2', '2/1', '3/1', '4/1']

async function customers(world: World, filter: string): Promise<string[]> {
  const url = objects('customers', { select: 'customerId', filter })
  const { status, text, json } = await world.send({ as: 'integration', url })
  expect({ filter, status, text }).toMatchObject({ filter, status: 200 })
  return json.map((row: { customerId: string }) => row.customerId)
}

async function lines(world: World, filter: string): Promise<string[]> {
  const url = ledger({ select: 'transactionNumber,sequenceNumber', filter })
  const { status, text, json } = await world.send({ as: 'integration', url })
  expect({ filter, status, text }).toMatchObject({ filter, status: 200 })
  return json.map((row: Record<string, number>) => `${row.transactionNumber}/${row.sequenceNumber}`)
}

type Row = readonly [filter: string, found: readonly string[]]

const PRECEDENCE: readonly Row[] = [
  ['customerId eq 1001 or customerId eq 1002 and countryCode eq "x"'.replaceAll('"', "'"), ['1001']],
  ["(customerId eq '1001' or customerId eq '1002') and countryCode eq 'SE'", ['1002']],
  ["not customerId eq '1001' and countryCode eq 'NO'", ['1004']],
  ["not (customerId eq '1001' or countryCode eq 'SE')", ['1003', '1004']],
  ["not not (customerId eq '1001')", ['1001']],
  ["NOT customerId EQ '1001' AND (countryCode Ne 'GB') Or customerId GE '1004'", ['1002', '1004']],
  ['invoice/hasFixedCurrency', ['1001']],
  ['not invoice/hasFixedCurrency', ['1002', '1003', '1004']],
  ["invoice/hasFixedCurrency eq true and contains(customerName,'AS')", ['1001']],
]

const VALUES: readonly Row[] = [
  ["customerId in ('1003', '1001', 'none')", ['1001', '1003']],
  ['customerId in (1003,1001)', ['1001', '1003']],
  ['not customerId in (1003,1001)', ['1002', '1004']],
  ["aliasName in (null, 'x')", ['1002', '1003', '1004']],
  ['aliasName eq null', ['1002', '1003', '1004']],
  ['null ne aliasName', ['1001']],
  ['invoice/creditLimit eq null', ['1002', '1003', '1004']],
  ['invoice/hasFixedCurrency ne null', ['1001']],
  ['customerId eq 1001', ['1001']],
  ['customerId gt 1001.5', ['1002', '1003', '1004']],
  ["invoice/creditLimit eq '50000.5'", ['1001']],
  ["invoice/creditLimit gt ' -1 ' and invoice/creditLimit lt 5.00005E4", ['1002', '1003', '1004']],
  ['invoice/creditLimit ge 5.00005E+4', ['1001']],
  ['50000 le invoice/creditLimit', ['1001']],
  ['customFieldGroups/LOYALTY/points ge 120', ['1001']],
  ['customFieldGroups/loyalty/isGold eq false', ['1002', '1003', '1004']],
  ['customFieldGroups/LOYALTY/since lt 2025-01-01', ['1002', '1003', '1004']],
  ["customFieldGroups/LOYALTY/tier eq ''", ['1002', '1003', '1004']],
  ['customFieldGroups/LOYALTY/rate eq 2.5 or customFieldGroups/LOYALTY/rate gt 3', ['1001']],
  ["customerName eq 'O''Brien Ltd'", ['1003']],
  ["customerName eq 'nordlys as'", []],
  ["customerName lt 'a'", ['1001', '1003']],
  ["customerName gt 'n'", ['1002', '1004']],
  ["customerName eq externalReference or aliasName ne ''", ['1001']],
]

const FUNCTIONS: readonly Row[] = [
  ["contains(customerName,'ord')", ['1001', '1004']],
  ["contains(customerName,'ORD')", []],
  ["contains(customerName,'')", ALL],
  ["contains(customerName,'%') or contains(customerName,'_')", []],
  ["startswith(customerName,'Nord')", ['1001']],
  ["startswith(tolower(customerName),'nord')", ['1001', '1004']],
  ["endswith(customerName,'Ltd')", ['1003']],
  ["not endswith(customerName,'Ltd') and not startswith(customerName,'N')", ['1002', '1004']],
  ["substringof('ord',customerName)", ['1001', '1004']],
  ["substringof('ord',customerName) eq false", ['1002', '1003']],
  ["toupper(customerName) eq 'ÅSE & SØN'", ['1002']],
  ['length(customerName) eq 9 or length(customerName) eq 10', ['1001', '1002']],
  ["trim(aliasName) eq 'NORD' and length(trim(aliasName)) gt 3", ['1001']],
  ["contains(tolower(customerName), tolower('ORDL'))", ['1001', '1004']],
]

const LISTS: readonly Row[] = [
  ["contactPoints/any(c: c/address/place eq 'Oslo')", ['1001']],
  ["contactPoints/any(c:c/address/place eq 'Oslo' and c/contactPointType eq '2')", []],
  ["contactPoints/any(c: c/address/place eq 'Oslo') and contactPoints/any(c: c/contactPointType eq 2)", ['1001']],
  ['contactPoints/any()', ['1001', '1002']],
  ['not contactPoints/any()', ['1003', '1004']],
  ["contactPoints/all(c: c/contactPointType eq '1')", ['1002', '1003', '1004']],
  ["not contactPoints/all(c: c/contactPointType eq '1')", ['1001']],
  ["contactPoints/any(c: not (c/contactPointType eq '1'))", ['1001']],
  ['contactPoints/any(c: c/sortOrder gt 1 and c/sequenceNumber lt 3)', ['1001']],
  ["ContactPoints/ANY(X: X/PhoneNumber/Telephone1 ne '')", ['1001']],
  ["relatedValues/any(r: r/relatedValue eq 'NO1' and r/relationGroup eq 'LEGAL')", ['1001']],
  ['relatedValues/all(r: r/percentage gt 50)', ['1002', '1003', '1004']],
  ['relatedValues/any(r: r/dateTo eq 2099-12-31 and r/percentage eq 0)', ['1001']],
  ['relatedValues/any(r: r/dateTo eq null and r/dateFrom in (null) and null eq r/percentage)', ['1001']],
  [
    "contactPoints/any(c: c/contactPointType eq '1' and relatedValues/any(r: r/relationId eq 'LEGALID' and c/address/place eq 'Oslo'))",
    ['1001'],
  ],
]

const LEDGER_ROWS: readonly Row[] = [
  ["customer/customerName eq 'Nordlys AS'", ['1/1', '1/2']],
  ['customer/countryCode eq null', ['2/1', '3/1']],
  ["not (customer/customerName eq 'Nordlys AS')", ['2/1', '3/1', '4/1']],
  ['customer/invoice/creditLimit lt 1', ['2/1', '3/1', '4/1']],
  ["customer/contactPoints/any(c: c/address/place eq 'Malmö')", ['4/1']],
  ['customer/contactPoints/all(c: c/sortOrder eq 1)', ['2/1', '3/1', '4/1']],
  ['not customer/invoice/hasFixedCurrency and customer/payment/expiryDate lt 2000-01-01', ['2/1', '3/1']],
  ['transactionDate eq 2026-01-15', ['1/1', '1/2', '3/1']],
  ["transactionDate eq '2026-01-15T00:00:00'", ['1/1', '1/2', '3/1']],
  [
    "transactionDate ge datetime'2026-01-15T00:00:00' and transactionDate lt datetime'2026-02-01'",
    ['1/1', '1/2', '3/1'],
  ],
  ['transactionDate gt 2026-01-15T01:00:00+01:00', ['2/1']],
  ['transactionDate eq 2026-02-01T12:30:00.5Z', ['2/1']],
  ['date(transactionDate) eq 2026-02-01', ['2/1']],
  ["date(lastUpdated/updatedAt) eq '2026-01-02' and date(transactionDate) lt 2020-01-01", ['4/1']],
  ['date(transactionDate) eq date(lastUpdated/updatedAt)', []],
  ['year(transactionDate) eq 2019 and month(transactionDate) eq 12 and day(transactionDate) eq 31', ['4/1']],
  ['amounts/amount lt 0', ['1/1']],
  ['amounts/amount eq -1000 or amounts/amount eq +2.5075e2', ['1/1', '2/1']],
  ['amounts/amount eq 0.1', ['3/1']],
  ['amounts/amount eq 12345678901234.56', ['4/1']],
  ['amounts/amount eq amounts/currencyAmount', ['1/1', '1/2']],
  ["accountingInformation/account eq 1500 and transactionNumber gt '3'", ['4/1']],
  ['accountingInformation/account eq 815', []],
  ['accountingInformation/account eq 0815', ['3/1']],
  ['description eq \'Payment; "urgent", 50%\'', ['2/1']],
  ["contains(description,'\n')", ['4/1']],
]

const filters = (text: string) => `/v1/objects/customers?select=customerId&${text}`

/** One query in the forms in which clients send it (decision 6, blanks). */
const FORMS = [
  "filter=customerId eq '1001' and contains(customerName, 'ord')".replaceAll(' ', '%20'),
  "$filter=customerId++eq+++'1001'++and+contains(customerName,'ord')",
  'FILTER=customerId%20eq%20%271001%27%20and%20contains%28customerName%2C%27ord%27%29',
  "&$Filter=%20customerId+eq%20'1001'+and+contains(+customerName+,+'ord'+)+&foo=bar",
  "companyId=en&filter=%63ustomerid+EQ+'1001'%09and%0Acontains(CustomerName,'ord')",
  "filter=((customerId+eq+1001))and(contains(customerName,'ord'))&COMPANYID=EN",
]

onEachStore(
  'filter on the object endpoints',
  (world) => {
    describe.each([
      ['or < and < not < comparison, keywords in any letter case (decision 6, grammar)', PRECEDENCE],
      ['literals, in, null and types (decision 6, semantics)', VALUES],
      ['functions, with regard to case (decision 6, semantics)', FUNCTIONS],
      ['any and all of lists that are stored and of related values (decision 6, grammar)', LISTS],
    ])('%s', (_title, rows) => {
      it.each(rows)('customers: %s', async (filter, found) => {
        expect(await customers(world(), filter)).toEqual(found)
        const others = ALL.filter((id) => !found.includes(id))
        expect(await customers(world(), `not (${filter})`)).toEqual(others)
      })
    })

    describe('associations, dates and numbers (decision 6, semantics)', () => {
      it.each(LEDGER_ROWS)('ledger: %s', async (filter, found) => {
        expect(await lines(world(), filter)).toEqual(found)
        expect(await lines(world(), `not (${filter})`)).toEqual(LINES.filter((one) => !found.includes(one)))
      })
    })

    it('counts what every filter leaves (decision 6, HEAD)', async () => {
      for (const [filter, found] of [...VALUES, ...LISTS]) {
        const answer = await world().send({ as: 'integration', method: 'HEAD', url: objects('customers', { filter }) })
        expect([filter, answer.headers['x-erp-total-count']]).toEqual([filter, String(found.length)])
      }
    })

    it('takes one filter in every form that clients send (decision 6, blanks; habits)', async () => {
      for (const form of FORMS) {
        const { text } = await world().send({ as: 'integration', url: filters(form) })
        expect({ form, text }).toEqual({ form, text: '[{"customerId":"1001"}]' })
      }
    })

    it('takes an empty filter and a blank one for none', async () => {
      for (const form of ['filter=', 'filter=+', '$filter=%20%20', '']) {
        expect((await world().send({ as: 'integration', url: filters(form) })).json).toHaveLength(4)
      }
    })

    it('answers exactly [] for a filter that leaves nothing (decision 0)', async () => {
      expect((await world().send({ as: 'integration', url: filters("filter=customerId+eq+''") })).text).toBe('[]')
    })

    it('leaves only records of the company that is asked for, whatever the filter says of another', async () => {
      for (const filter of ["companyId eq 'SV'", "companyId ne 'EN' or contains(customerName,'canary')"]) {
        expect(await customers(world(), filter)).toEqual([])
      }
      expect(await customers(world(), "companyId eq 'SV' or true eq true or customerId ne ''")).toEqual(ALL)
    })
  },
  startObjects,
)
