// Wrong queries: 400, code 1020, with the position, what was expected there, and for a name the nearest legal one
// (decision 6); options that are misspelled or given twice (decision 0). Nothing that is sent can change or reveal
// data.
import { expect, it } from 'vitest'
import { ledger, objects, startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

type Wrong = readonly [options: Record<string, string>, message: string]

const FUNCTIONS = 'contains, substringof, startswith, endswith, length, tolower, toupper, trim, date, year, month, day'
const DOUBLED = "a quote inside a string is doubled, such as 'O''Neil'"

const operator = (written: string, word: string) =>
  [
    `customerId ${written} 'x'`,
    `Syntax error at position 11: '${written}' has no meaning here: write ${word} ($filter)`,
  ] as const
const word = (written: string, right: string) =>
  [
    `customerName ${written} 'x'`,
    `Syntax error at position 13: expected a comparison, found '${written}': write ${right} ($filter)`,
  ] as const

/** Filters in the syntax of other languages, with the hint to the right syntax. */
const OTHER_SYNTAX: readonly (readonly [filter: string, message: string])[] = [
  operator('==', 'eq'),
  operator('===', 'eq'),
  operator('!=', 'ne'),
  operator('<>', 'ne'),
  operator('<', 'lt'),
  operator('<=', 'le'),
  operator('>', 'gt'),
  operator('>=', 'ge'),
  [
    "customerId eq '1' && customerName eq 'x'",
    "Syntax error at position 18: '&&' has no meaning here: write and ($filter)",
  ],
  [
    "customerId eq '1' || customerName eq 'x'",
    "Syntax error at position 18: '||' has no meaning here: write or ($filter)",
  ],
  ["!(customerId eq '1')", "Syntax error at position 0: '!' has no meaning here: write not ($filter)"],
  ["customerId ~ 'x'", "Syntax error at position 11: '~' has no meaning here ($filter)"],
  word('like', "contains(customerName,'...')"),
  word('ILIKE', "contains(customerName,'...')"),
  word('contains', "contains(customerName,'...')"),
  word('startsWith', "startswith(customerName,'...')"),
  word('between', 'customerName ge ... and customerName le ...'),
  word('is', 'eq'),
  word('equals', 'eq'),
  word('gte', 'ge'),
  [
    "invoice/currencyCode not in ('NOK')",
    "Syntax error at position 21: expected a comparison, found 'not': write not (invoice/currencyCode in (...)) or invoice/currencyCode ne ... ($filter)",
  ],
  [
    'customerName eq "x"',
    `Syntax error at position 16: '"' has no meaning here: strings stand in single quotes ($filter)`,
  ],
  ["customerName eq 'O'Neil'", `Syntax error at position 19: expected the end, found 'Neil': ${DOUBLED} ($filter)`],
  ["customerName eq 'O''Neil", `Syntax error at position 16: the string has no closing quote: ${DOUBLED} ($filter)`],
  [
    'customerName eq Oslo',
    "Unknown property 'Oslo' at position 16 of $filter; a string stands in single quotes: 'Oslo'",
  ],
  [
    'contains(customerName,Oslo)',
    "Unknown property 'Oslo' at position 22 of $filter; a string stands in single quotes: 'Oslo'",
  ],
  [
    'customerName eq customrName',
    "Unknown property 'customrName' at position 16 of $filter; did you mean 'customerName', or 'customrName' as a string in single quotes?",
  ],
  [
    'customerName eq New York',
    "Syntax error at position 20: expected the end, found 'York': strings stand in single quotes ($filter)",
  ],
  [
    'customerId in (a, b)',
    "Syntax error at position 15: expected a value, found 'a': strings stand in single quotes ($filter)",
  ],
  [
    'customerId eq 10A',
    "Syntax error at position 14: '10A' has no meaning here: strings stand in single quotes ($filter)",
  ],
  ['invoice/creditLimit gt many', "Unknown property 'many' at position 23 of $filter"],
  [
    "invoice.currencyCode eq 'NOK'",
    "Syntax error at position 7: '.' has no meaning here: paths use /, such as lastUpdated/updatedAt ($filter)",
  ],
  ...['22.11.2026', '1.2.2026', '22/11/2026', '11-22-2026', '2026/11/22', '2026-1-5'].map(
    (date) =>
      [
        `lastUpdated/updatedAt gt ${date}`,
        `Syntax error at position 25: '${date}' has no meaning here: dates are written 2026-11-22 ($filter)`,
      ] as const,
  ),
  [
    "lastUpdated/updatedAt gt '22.11.2026'",
    "'22.11.2026' is no date-time at position 25 of $filter; dates are written 2026-11-22",
  ],
  [
    "concat(customerName,'x') eq 'y'",
    `Unknown function 'concat' at position 0 of $filter; the functions are ${FUNCTIONS}`,
  ],
  [
    'lastUpdated/updatedAt lt now()',
    `Unknown function 'now' at position 25 of $filter; the functions are ${FUNCTIONS}`,
  ],
  ['length() eq 1', 'length takes 1 value, not 0 at position 0 of $filter'],
  [
    "contactPoints/address/place in ('Oslo','Bergen')",
    "'contactPoints' is a list at position 0 of $filter: ask with contactPoints/any(c: c/address/place ...)",
  ],
  [
    'contactPoints/sortOrder gt 1',
    "'contactPoints' is a list at position 0 of $filter: ask with contactPoints/any(c: c/sortOrder gt 1)",
  ],
]

const CUSTOMERS: readonly Wrong[] = [
  // select
  [{ select: 'custmerName' }, "Unknown property 'custmerName' at position 0 of $select; did you mean 'customerName'?"],
  [{ select: 'customerId, zzz' }, "Unknown property 'zzz' at position 12 of $select"],
  [
    { select: 'invoice(curencyCode)' },
    "Unknown property 'curencyCode' at position 8 of $select; did you mean 'currencyCode'?",
  ],
  [{ select: 'customerName[T]' }, "'customerName' has no description at position 0 of $select"],
  [{ select: 'invoice[T]' }, "'invoice' has no description at position 0 of $select"],
  [{ select: 'customerName(x)' }, "'customerName' has no properties inside it at position 0 of $select"],
  [{ select: 'customerId,' }, 'Syntax error at position 11: expected a property, found the end ($select)'],
  [
    { select: 'customerId customerName' },
    "Syntax error at position 11: expected the end, found 'customerName' ($select)",
  ],
  [{ select: 'invoice(currencyCode' }, "Syntax error at position 20: expected ')', found the end ($select)"],
  [{ select: 'countryCode[X]' }, "Syntax error at position 12: expected T or C;T, found 'X' ($select)"],
  [{ select: 'countryCode[C,T]' }, "Syntax error at position 13: expected ';', found ',' ($select)"],
  [{ select: "'customerId'" }, 'Syntax error at position 0: expected a property, found a string ($select)'],
  [
    { select: 'invoice.currencyCode' },
    "Syntax error at position 7: '.' has no meaning here: paths use /, such as lastUpdated/updatedAt ($select)",
  ],
  [
    { select: '"customerId"' },
    `Syntax error at position 0: '"' has no meaning here: names stand without quotes ($select)`,
  ],
  [{ select: 'a(b(c(d(e))))' }, 'Syntax error at position 8: nesting is deeper than 4 levels ($select)'],
  // several options
  [
    { select: 'zzz', filter: 'not yyy', orderby: 'bankAcount' },
    "Unknown property 'yyy' at position 4 of $filter. Unknown property 'zzz' at position 0 of $select. Unknown property 'bankAcount' at position 0 of $orderby; did you mean 'payment/bankAccount'?",
  ],
  // filter: names
  [{ filter: "custmerId eq '1'" }, "Unknown property 'custmerId' at position 0 of $filter; did you mean 'customerId'?"],
  [
    { filter: 'creditLimit gt 5' },
    "Unknown property 'creditLimit' at position 0 of $filter; did you mean 'invoice/creditLimit'?",
  ],
  [
    { orderby: 'bankAcount' },
    "Unknown property 'bankAcount' at position 0 of $orderby; did you mean 'payment/bankAccount'?",
  ],
  [
    { filter: "invoice/curencycode eq 'NOK'" },
    "Unknown property 'curencycode' at position 8 of $filter; did you mean 'currencyCode'?",
  ],
  [
    { filter: "invoice eq 'x'" },
    "'invoice' is a group: name one of its properties, such as invoice/calculatePayDiscountOnTax at position 0 of $filter",
  ],
  [
    { filter: "contactPoints/address/place eq 'Oslo'" },
    "'contactPoints' is a list at position 0 of $filter: ask with contactPoints/any(c: c/address/place eq 'Oslo')",
  ],
  [
    { filter: "contactPoints eq 'x'" },
    "'contactPoints' is a list: ask with contactPoints/any(x: ...) or contactPoints/all(x: ...) at position 0 of $filter",
  ],
  [
    { filter: "contactPoints/any(c: c/adress/place eq 'x')" },
    "Unknown property 'adress' at position 23 of $filter; did you mean 'address'?",
  ],
  [{ filter: "contactPoints/any(c: d/address/place eq 'x')" }, "Unknown property 'd' at position 21 of $filter"],
  [{ filter: "invoice/any(c: c/currencyCode eq 'x')" }, "'invoice' is not a list at position 0 of $filter"],
  [
    { filter: "contain(customerName,'x')" },
    "Unknown function 'contain' at position 0 of $filter; did you mean 'contains'?",
  ],
  [
    { filter: "constructor(customerName,'x')" },
    `Unknown function 'constructor' at position 0 of $filter; the functions are ${FUNCTIONS}`,
  ],
  [{ filter: "__proto__ eq 'x'" }, "Unknown property '__proto__' at position 0 of $filter"],
  [{ filter: "toString eq 'x'" }, "Unknown property 'toString' at position 0 of $filter"],
  // filter: grammar
  [{ filter: 'customerId eq' }, 'Syntax error at position 13: expected a value, found the end ($filter)'],
  [{ filter: "customerId 'x'" }, 'Syntax error at position 11: expected the end, found a string ($filter)'],
  [{ filter: "customerId = 'x'" }, "Syntax error at position 11: '=' has no meaning here: write eq ($filter)"],
  [
    { filter: "customerId eq 'x" },
    `Syntax error at position 14: the string has no closing quote: ${DOUBLED} ($filter)`,
  ],
  [{ filter: "(customerId eq 'x'" }, "Syntax error at position 18: expected ')', found the end ($filter)"],
  [{ filter: "customerId eq 'x')" }, "Syntax error at position 17: expected the end, found ')' ($filter)"],
  [{ filter: "customerId eq 'x' and" }, 'Syntax error at position 21: expected a value, found the end ($filter)'],
  [{ filter: "and customerId eq 'x'" }, "Syntax error at position 0: expected a value, found 'and' ($filter)"],
  [{ filter: 'customerId in ()' }, "Syntax error at position 15: expected a value, found ')' ($filter)"],
  [{ filter: "customerId in 'x'" }, "Syntax error at position 14: expected '(', found a string ($filter)"],
  [
    { filter: 'contactPoints/any(c c/sortOrder eq 1)' },
    "Syntax error at position 20: expected ':', found 'c' ($filter)",
  ],
  [{ filter: '()' }, "Syntax error at position 1: expected a value, found ')' ($filter)"],
  [{ filter: "'x'" }, 'Syntax error at position 3: expected a comparison, found the end ($filter)'],
  // filter: types
  [{ filter: 'customerName' }, 'a string is neither true nor false: a comparison is expected at position 0 of $filter'],
  [{ filter: "invoice/creditLimit eq 'abc'" }, "'abc' is no number at position 23 of $filter"],
  [{ filter: 'invoice/creditLimit gt 2026-01-01' }, '2026-01-01 is no number at position 23 of $filter'],
  [
    { filter: "payment/expiryDate gt 'soon'" },
    "'soon' is no date-time at position 22 of $filter; dates are written 2026-11-22",
  ],
  [
    { filter: 'payment/expiryDate gt 2026' },
    '2026 is no date-time at position 22 of $filter; dates are written 2026-11-22',
  ],
  [{ filter: 'payment/expiryDate gt 2026-02-30' }, '2026-02-30 is no date-time at position 22 of $filter'],
  [{ filter: 'invoice/hasFixedCurrency eq 1' }, '1 is no boolean at position 28 of $filter'],
  [{ filter: 'customerName eq true' }, 'true is no string at position 16 of $filter'],
  [
    { filter: 'customerName eq invoice/creditLimit' },
    'a string cannot be compared with a number at position 0 of $filter',
  ],
  [{ filter: 'customerId in (1, true)' }, 'true is no string at position 18 of $filter'],
  [{ filter: 'contains(customerName)' }, 'contains takes 2 values, not 1 at position 0 of $filter'],
  [{ filter: "contains(invoice/creditLimit,'1')" }, 'contains takes a string, not a number at position 9 of $filter'],
  [{ filter: 'year(customerName) eq 2026' }, 'year takes a date-time, not a string at position 5 of $filter'],
  // filter: as other query languages have it
  ...OTHER_SYNTAX.map(([filter, message]): Wrong => [{ filter }, message]),
  // orderBy
  [{ orderBy: 'custmerId' }, "Unknown property 'custmerId' at position 0 of $orderby; did you mean 'customerId'?"],
  [{ orderBy: 'customerId down' }, "Syntax error at position 11: expected the end, found 'down' ($orderby)"],
  [{ orderBy: 'customerId,' }, 'Syntax error at position 11: expected a property, found the end ($orderby)'],
  [
    { orderBy: 'invoice' },
    "'invoice' is a group: name one of its properties, such as invoice/calculatePayDiscountOnTax at position 0 of $orderby",
  ],
  [{ orderBy: 'contactPoints/sortOrder' }, "'contactPoints' is a list at position 0 of $orderby"],
  // the options themselves
  [{ $fitler: 'x' }, "Unknown query option '$fitler'; did you mean '$filter'?"],
  [{ $expand: 'customer' }, "Unknown query option '$expand'."],
  [{ filter: "customerId eq '1'", $FILTER: "customerId eq '2'" }, "The query option 'filter' is given more than once."],
  [{ offset: '1', $skip: '1' }, "The query option 'offset' is given more than once."],
  [{ companyId: 'EN', $companyid: 'EN' }, "The query option 'companyId' is given more than once."],
]

const refused: Scenario[] = CUSTOMERS.map(([options, message]) => ({
  name: `refuses ${Object.entries(options)
    .map(([name, text]) => `${name}=${text}`)
    .join(' ')}`,
  url: objects('customers', options),
  status: 400,
  json: { code: 1020, message },
}))

const others: Scenario[] = [
  {
    name: 'refuses a wrong query the same on every document',
    url: objects('value-list', { filter: 'titles eq 1' }),
    status: 400,
    json: { code: 1020, message: "Unknown property 'titles' at position 0 of $filter; did you mean 'title'?" },
  },
  {
    name: 'refuses a wrong path along an association, naming the nearest of the other document',
    url: ledger({ filter: "customer/custmerName eq 'x'" }),
    status: 400,
    json: {
      code: 1020,
      message: "Unknown property 'custmerName' at position 9 of $filter; did you mean 'customerName'?",
    },
  },
  {
    name: 'refuses a query that does not decode (1010)',
    url: '/v1/objects/customers?filter=%ff',
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses a NUL in a query (1010)',
    url: "/v1/objects/customers?filter=customerId+eq+'%00'",
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses to write to an object endpoint: they are read-only (405)',
    method: 'POST',
    url: '/v1/objects/customers',
    body: {},
    status: 405,
    code: 1030,
    answerHeaders: { allow: 'GET, HEAD' },
  },
]

/** Texts that would end or change a statement, were they ever part of one. */
const ATTACKS = [
  "'; drop table customer; --",
  "' or '1'='1",
  "') or 1=1 --",
  'x" or "1"="1',
  "x'||(select group_concat(name) from sqlite_master)||'",
  "1; delete from customer where '1'='1",
  "x' union select secret from setup_item --",
  '$1',
  '?1',
  ':name',
  '%27%20or%201%3D1',
  "\\'; drop table customer; --",
  '/**/or/**/1=1',
  'pg_sleep(10)',
  'customer_id) from customer; drop table customer; --',
]

onEachStore(
  'Wrong queries of the object endpoints',
  (world) => {
    runScenarios(world, refused)
    runScenarios(world, others)

    it('changes nothing and finds nothing whatever stands in a literal (injection)', async () => {
      const before = await world().dump()
      for (const attack of ATTACKS) {
        const quoted = `'${attack.replaceAll("'", "''")}'`
        for (const filter of [
          `customerName eq ${quoted}`,
          `customerId in (${quoted}, ${quoted})`,
          `contains(customerName, ${quoted})`,
          `startswith(tolower(aliasName), ${quoted})`,
          `contactPoints/any(c: c/address/place eq ${quoted})`,
          `relatedValues/any(r: r/relatedValue eq ${quoted})`,
          `customFieldGroups/LOYALTY/tier eq ${quoted}`,
        ]) {
          const { status, text } = await world().send({ as: 'integration', url: objects('customers', { filter }) })
          expect({ filter, status, text }).toEqual({ filter, status: 200, text: '[]' })
        }
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('refuses what is no query in every option, or passes it over, and changes nothing (injection)', async () => {
      const before = await world().dump()
      for (const attack of ATTACKS) {
        for (const option of ['filter', 'select', 'orderBy', 'limit', 'offset', 'companyId', 'customer_id']) {
          for (const format of ['application/json', 'text/csv']) {
            const url = objects('customers', { [option]: attack })
            const { status, text, json } = await world().send({ as: 'integration', url, headers: { accept: format } })
            if (option === 'companyId') expect([status, json.code]).toEqual([403, 2030])
            else if (option === 'customer_id') expect(status).toBe(200)
            else expect({ attack, option, status, code: json.code }).toMatchObject({ attack, option, status: 400 })
            expect(text).not.toMatch(/sqlite|postgres|select \*|canary/i)
          }
        }
      }
      expect(await world().changesSince(before)).toEqual([])
    })

    it('takes no attack in Accept-Language, Accept or the path for anything', async () => {
      const before = await world().dump()
      for (const attack of ATTACKS) {
        const header = attack.replaceAll(/[^\x20-\x7e]/g, '')
        const url = objects('customers', { select: 'countryCode[T]', limit: 1 })
        const headers = { 'accept-language': header, accept: header }
        const answer = await world().send({ as: 'integration', url, headers })
        expect(answer.text).toBe('[{"countryCode(description)":"Norway"}]')
        const path = await world().send({ as: 'integration', url: `/v1/objects/${encodeURIComponent(attack)}` })
        expect([path.status, path.json.code]).toEqual([404, 1030])
      }
      expect(await world().changesSince(before)).toEqual([])
    })
  },
  startObjects,
)
