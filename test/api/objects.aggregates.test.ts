// groupBy, aggregate and having on collections: groups, exact results, conditions and orders on them, formats, rights.
import { expect, it } from 'vitest'
import { insertManyLines, insertRows, ledger, objects, startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

type Options = Readonly<Record<string, string | number>>

const lines = (options: Options) => ({ url: ledger(options) })
const customers = (options: Options) => ({ url: objects('customers', options) })
const account = (one: string, rest: object) => ({ accountingInformation: { account: one }, ...rest })

const ABSENT_DATE = '1900-01-01T00:00:00.000Z'

const groups: Scenario[] = [
  {
    name: 'answers groups in the order of their properties, with a sum and a count of each',
    ...lines({ groupBy: 'accountingInformation/account,period', aggregate: 'sum(amounts/amount) as total,count()' }),
    status: 200,
    json: [
      account('0815', { period: 202601, total: 0.1, count: 1 }),
      account('1500', { period: 201912, total: 12345678901234.56, count: 1 }),
      account('1500', { period: 202601, total: 1000, count: 1 }),
      account('1900', { period: 202602, total: 250.75, count: 1 }),
      account('3000', { period: 202601, total: -1000, count: 1 }),
    ],
  },
  {
    name: 'answers every function, under its own name where none is given',
    ...lines({
      $groupby: 'transactionType',
      $aggregate:
        'SUM(period),average(amounts/debitCredit),Min(description),MAX(transactionDate),countDistinct(period),count()',
    }),
    status: 200,
    json: [
      {
        transactionType: 'IN',
        sumPeriod: 202601 * 3 + 201912,
        averageDebitCredit: 0.5,
        minDescription: '=HYPERLINK("x")',
        maxTransactionDate: '2026-01-15T00:00:00.000Z',
        countDistinctPeriod: 2,
        count: 4,
      },
      {
        transactionType: 'PA',
        sumPeriod: 202602,
        averageDebitCredit: 1,
        minDescription: 'Payment; "urgent", 50%',
        maxTransactionDate: '2026-02-01T12:30:00.500Z',
        countDistinctPeriod: 1,
        count: 1,
      },
    ],
  },
  {
    name: 'answers one result for all records without groupBy',
    ...lines({ aggregate: 'count() as lines,sum(amounts/amount) as total,avg(amounts/debitCredit) as mean' }),
    status: 200,
    json: [{ lines: 5, total: 12345678901485.41, mean: 0.6 }],
  },
  {
    name: 'answers absent values of no records, but no groups of none',
    ...lines({
      filter: 'period eq 1',
      aggregate: 'count(),sum(amounts/amount),avg(period),min(description),max(transactionDate),max(amounts/amount)',
    }),
    status: 200,
    json: [
      { count: 0, sumAmount: 0, averagePeriod: 0, minDescription: '', maxTransactionDate: ABSENT_DATE, maxAmount: 0 },
    ],
  },
  {
    name: 'answers no group of no records',
    ...lines({ filter: 'period eq 1', groupBy: 'period', aggregate: 'count()' }),
    status: 200,
    json: [],
  },
  {
    name: 'answers the different values without aggregate',
    ...lines({ groupBy: 'amounts/currencyCode' }),
    status: 200,
    json: ['EUR', 'NOK', 'XXX'].map((currencyCode) => ({ amounts: { currencyCode } })),
  },
  {
    name: 'counts absent values like others',
    ...customers({ groupBy: 'aliasName', aggregate: 'count(),min(invoice/creditLimit) as least' }),
    status: 200,
    json: [
      { aliasName: '', count: 3, least: 0 },
      { aliasName: 'NORD', count: 1, least: 50000.5 },
    ],
  },
  {
    name: 'leaves absent values out by a filter',
    ...customers({ filter: 'invoice/creditLimit ne null', aggregate: 'avg(invoice/creditLimit) as mean' }),
    status: 200,
    json: [{ mean: 50000.5 }],
  },
  {
    name: 'describes codes beside them, in the language asked for',
    ...lines({ groupBy: 'status[C;T],accountingInformation/account[T]', aggregate: 'count()' }),
    headers: { 'accept-language': 'no' },
    status: 200,
    json: [
      {
        status: 'C',
        'status(description)': 'Closed',
        accountingInformation: { 'account(description)': 'Receivables' },
        count: 1,
      },
      {
        status: 'N',
        'status(description)': 'Aktiv',
        accountingInformation: { 'account(description)': 'Receivables' },
        count: 1,
      },
      {
        status: 'N',
        'status(description)': 'Aktiv',
        accountingInformation: { 'account(description)': 'Bank' },
        count: 1,
      },
      {
        status: 'N',
        'status(description)': 'Aktiv',
        accountingInformation: { 'account(description)': 'Sales' },
        count: 1,
      },
      {
        status: 'P',
        'status(description)': 'Parkert',
        accountingInformation: { 'account(description)': '' },
        count: 1,
      },
    ],
  },
  {
    name: 'describes a value of the attribute that another group names',
    ...lines({
      groupBy: 'accountingInformation/attributeId1,accountingInformation/attributeValue1[C;T]',
      aggregate: 'count()',
      having: "accountingInformation/attributeId1 ne ''",
    }),
    status: 200,
    json: [
      ['C1', 'CC100', 'Head office'],
      ['C2', '100', 'Finance'],
    ].map(([attributeId1, attributeValue1, text]) => ({
      accountingInformation: { attributeId1, attributeValue1, 'attributeValue1(description)': text },
      count: 1,
    })),
  },
  {
    name: 'groups by properties of an association; those of a missing record are absent',
    ...lines({ groupBy: 'customer/customerName', aggregate: 'count()' }),
    status: 200,
    json: [
      ['', 2],
      ['Nordlys AS', 2],
      ['\u00c5se & S\u00f8n', 1],
    ].map(([customerName, count]) => ({ customer: { customerName }, count })),
  },
  {
    name: 'groups by custom fields and booleans',
    ...customers({
      groupBy: 'customFieldGroups/LOYALTY/isGold',
      aggregate: 'sum(customFieldGroups/LOYALTY/rate) as rate',
    }),
    status: 200,
    json: [
      { customFieldGroups: { LOYALTY: { isGold: false } }, rate: 0 },
      { customFieldGroups: { LOYALTY: { isGold: true } }, rate: 2.5 },
    ],
  },
  {
    name: 'takes names in any letter case and answers them as documented',
    ...lines({
      GROUPBY: 'ACCOUNTINGINFORMATION/Account , PERIOD',
      aggregate: 'Count() AS N',
      Having: 'n gt 1',
      orderBy: 'PERIOD',
    }),
    status: 200,
    json: [],
  },
]

const results: Scenario[] = [
  {
    name: 'answers the groups that meet having',
    ...lines({
      groupBy: 'accountingInformation/account',
      aggregate: 'sum(amounts/amount) as total,count() as n',
      having: "total ge 250.75 and not (accountingInformation/account eq '1900' and n eq 2)",
    }),
    status: 200,
    json: [account('1500', { total: 12345678902234.56, n: 2 }), account('1900', { total: 250.75, n: 1 })],
  },
  {
    name: 'compares results with each other, and with numbers between those of their scale',
    ...lines({
      groupBy: 'accountingInformation/account',
      aggregate: 'sum(amounts/amount) as total,max(amounts/amount) as most,avg(amounts/amount) as mean',
      having: 'total eq most and mean gt 0.09999999999999999 and total in (0.1,250.75) and total le mean',
      orderBy: 'total desc',
    }),
    status: 200,
    json: [
      account('1900', { total: 250.75, most: 250.75, mean: 250.75 }),
      account('0815', { total: 0.1, most: 0.1, mean: 0.1 }),
    ],
  },
  {
    name: 'sorts by results, then by the groups',
    ...lines({ groupBy: 'accountingInformation/account', aggregate: 'count() as n', orderBy: 'n desc' }),
    status: 200,
    json: [account('1500', { n: 2 }), account('0815', { n: 1 }), account('1900', { n: 1 }), account('3000', { n: 1 })],
  },
  {
    name: 'answers a page of the groups',
    ...lines({
      groupBy: 'accountingInformation/account',
      orderBy: 'accountingInformation/account desc',
      limit: 2,
      offset: 1,
    }),
    status: 200,
    json: [account('1900', {}), account('1500', {})],
  },
  {
    name: 'filters records before they are grouped',
    ...lines({
      filter: 'period ge 202601',
      groupBy: 'accountingInformation/account',
      aggregate: 'sum(amounts/amount) as total',
    }),
    status: 200,
    json: [
      account('0815', { total: 0.1 }),
      account('1500', { total: 1000 }),
      account('1900', { total: 250.75 }),
      account('3000', { total: -1000 }),
    ],
  },
  {
    name: 'counts the groups (HEAD)',
    method: 'HEAD',
    ...lines({ groupBy: 'accountingInformation/account', aggregate: 'count() as n', having: 'n eq 1' }),
    status: 200,
    answerHeaders: { 'x-erp-total-count': '3' },
  },
  {
    name: 'counts one group of all records (HEAD)',
    method: 'HEAD',
    ...lines({ filter: 'period eq 1', aggregate: 'count()' }),
    status: 200,
    answerHeaders: { 'x-erp-total-count': '1' },
  },
  {
    name: 'refuses to count groups with a limit (HEAD)',
    method: 'HEAD',
    ...lines({ groupBy: 'period', limit: 1 }),
    status: 400,
  },
  {
    name: 'groups the base data of an attribute',
    url: `/v1/attribute-values/C1?groupBy=owner&aggregate=count(),max(attributeValue)%20as%20last`,
    status: 200,
    json: [
      { owner: '', count: 2, last: 'CC300' },
      { owner: '100', count: 1, last: 'CC100' },
    ],
  },
  {
    name: 'refuses an unknown group of the base data of an attribute as it does other names',
    url: `/v1/attribute-values/C1?groupBy=ovner`,
    status: 404,
    json: { code: 1040, message: "Unknown property 'ovner' at position 0 of $groupby; did you mean 'owner'?" },
  },
  {
    name: 'groups by validity of values at a moment',
    url: objects('attribute-values', {
      filter: "attributeId eq 'C1'",
      groupBy: 'attributeId',
      aggregate: 'count()',
      validAt: '202601',
    }),
    status: 200,
    json: [{ attributeId: 'C1', count: 3 }],
  },
]

const REFUSED: Record<string, [options: Options, message: string]> = {
  'an unknown group': [
    { groupBy: 'perriod' },
    "Unknown property 'perriod' at position 0 of $groupby; did you mean 'period'?",
  ],
  'an unknown property of a function': [
    { aggregate: 'count(),sum(amounts/amonut)' },
    "Unknown property 'amonut' at position 20 of $aggregate; did you mean 'amount'?",
  ],
  'an unknown function': [
    { aggregate: 'summ(period)' },
    "Unknown function 'summ' at position 0 of $aggregate; did you mean 'sum'?",
  ],
  'a group that is a group of properties': [
    { groupBy: 'amounts' },
    "'amounts' is a group: name one of its properties, such as amounts/amount at position 0 of $groupby",
  ],
  'a sum of a text': [
    { aggregate: 'sum(description)' },
    'sum takes a number, not a string at position 4 of $aggregate',
  ],
  'a count of a property': [
    { aggregate: 'count(period)' },
    'count takes no property at position 6 of $aggregate: count() counts records, countDistinct the different values of a property',
  ],
  'a sum of nothing': [{ aggregate: 'sum()' }, 'sum takes a property at position 0 of $aggregate'],
  'a property without a function': [
    { aggregate: 'amounts/amount with sum as total' },
    "Syntax error at position 7: expected '(', found '/': a function, its property in brackets, and a name for the result: 'sum(property) as total' ($aggregate)",
  ],
  'a name twice': [
    { aggregate: 'count() as n,sum(period) as N' },
    "The answer has 'N' already at position 28 of $aggregate",
  ],
  'the name of a group': [
    { groupBy: 'period', aggregate: 'count() as Period' },
    "The answer has 'Period' already at position 11 of $aggregate",
  ],
  'two results of one name': [
    { aggregate: 'sum(amounts/amount),sum(amounts/amount)' },
    "The answer has 'sumAmount' already at position 20 of $aggregate: give this one another, as in 'as sumAmount2'",
  ],
  'a name of more than 63 bytes': [
    { aggregate: `count() as ${'\u00f8'.repeat(32)}` },
    'Syntax error at position 11: the name of the result is longer than 63 bytes ($aggregate)',
  ],
  'a description of a property without codes': [
    { groupBy: 'period[T]' },
    "'period' has no description at position 0 of $groupby",
  ],
  'a description without the attribute': [
    { groupBy: 'accountingInformation/attributeValue1[T]' },
    "'accountingInformation/attributeValue1' has a description only beside the property with the id of its attribute at position 0 of $groupby",
  ],
  'a condition on what is not answered': [
    { groupBy: 'period', aggregate: 'count() as total', having: 'totl gt 1' },
    "Unknown property 'totl' at position 0 of $having; did you mean 'total'?",
  ],
  'a condition of another type': [
    { aggregate: 'count()', having: "count gt 'many'" },
    "'many' is no integer at position 9 of $having",
  ],
  'an order by what is not answered': [
    { groupBy: 'period', orderBy: 'status' },
    "Unknown property 'status' at position 0 of $orderby",
  ],
  'a condition that ends early': [
    { aggregate: 'count()', having: 'count gt' },
    'Syntax error at position 8: expected a value, found the end ($having)',
  ],
  'select with groupBy': [
    { groupBy: 'period', select: 'period' },
    'select cannot be used with groupBy or aggregate: these say what is answered.',
  ],
  'having without groups': [
    { having: 'period gt 1' },
    'having needs groupBy or aggregate: use filter for conditions on records.',
  ],
  'more than eight groups': [
    { groupBy: Array.from({ length: 9 }, (_, at) => `accountingInformation/attributeId${(at % 7) + 1}`).join() },
    'Syntax error at position 280: more than 8 properties ($groupby)',
  ],
  'more than twenty results': [
    { aggregate: Array.from({ length: 21 }, (_, at) => `count() as n${at}`).join() },
    'Syntax error at position 290: more than 20 results ($aggregate)',
  ],
}

const refused: Scenario[] = Object.entries(REFUSED).map(([what, [options, message]]) => ({
  name: `refuses ${what}`,
  ...lines(options),
  status: 400,
  json: { code: 1020, message },
}))

const order = (id: string, stage: string | number, hours: number) => ({
  company_id: 'EN',
  work_order_id: id,
  description: '',
  cost_centre: '',
  status: 'N',
  stage,
  is_urgent: 0,
  plan_start_date: ABSENT_DATE,
  plan_hours: hours,
  updated_at: ABSENT_DATE,
  updated_by: '',
})

onEachStore(
  'groups and aggregates',
  (world) => {
    runScenarios(world, groups)
    runScenarios(world, results)
    runScenarios(world, refused)

    const ask = (url: string, headers: Record<string, string> = {}, as = 'integration') =>
      world().send({ as, url, headers })

    it('answers CSV, NDJSON and the JSON Schema of groups', async () => {
      const url = ledger({
        groupBy: 'status[C;T],period',
        aggregate: 'sum(amounts/amount) as total',
        filter: 'period gt 202600',
      })
      const csv = await ask(url, { accept: 'text/csv' })
      expect(csv.text).toBe(
        'status,status(description),period,total\r\nN,Active,202601,0\r\nN,Active,202602,250.75\r\nP,Parked,202601,0.1\r\n',
      )
      const grouped = await ask(
        ledger({ groupBy: 'accountingInformation/account', filter: 'amounts/amount lt 1', format: 'csv' }),
      )
      expect(grouped.text).toBe('accountingInformation.account\r\n0815\r\n3000\r\n')
      const ndjson = await ask(ledger({ groupBy: 'period', aggregate: 'count() as n' }), {
        accept: 'application/x-ndjson',
      })
      expect(ndjson.text).toBe('{"period":201912,"n":1}\n{"period":202601,"n":3}\n{"period":202602,"n":1}\n')
      const { json } = await ask(url, { accept: 'application/schema+json' })
      expect(json).toMatchObject({
        description: 'What is computed of groups of general-ledger-transactions.',
        items: {
          'x-erp-key': { keys: 'status,period' },
          required: ['status', 'status(description)', 'period', 'total'],
          properties: { total: { type: 'number', description: 'sum of amounts/amount. Exact, of any length.' } },
        },
      })
      const integers = await ask(ledger({ aggregate: 'sum(period),count()' }), { accept: 'application/schema+json' })
      expect(integers.json.items.properties).toMatchObject({
        sumPeriod: { type: 'integer' },
        count: { type: 'integer' },
      })
    })

    it('answers 304 to the ETag of unchanged groups, and another answer after a change', async () => {
      const url = objects('attribute-values', {
        groupBy: 'attributeId',
        aggregate: 'count()',
        filter: "attributeId eq 'C0'",
      })
      const first = await ask(url)
      const etag = String(first.headers.etag)
      expect((await ask(url, { 'if-none-match': etag })).status).toBe(304)
      const before = Number(first.headers['x-erp-change-number'])
      const made = await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-values',
        body: { attributeId: 'C0', attributeValue: 'NEW', description: 'New' },
      })
      expect(made.status).toBe(201)
      const second = await ask(url, { 'if-none-match': etag })
      expect(second.json).toEqual([{ attributeId: 'C0', count: 4 }])
      expect((await ask(`${url}&asOf=${before}`)).json).toEqual([{ attributeId: 'C0', count: 3 }])
      const counted = await world().send({
        as: 'integration',
        method: 'HEAD',
        url: `${url}&having=count%20eq%203&asOf=${before}`,
      })
      expect(counted.headers['x-erp-total-count']).toBe('1')
    })

    it('adds integers, decimals and doubles without rounding, beyond 64 bits', async () => {
      const largest = '9223372036854775807'
      await insertRows(world(), 'own_work_orders', [order('W1', 0, 0.1), order('W2', 0, 0.2), order('W3', 1, 1e-7)])
      await world().query(`update own_work_orders set stage = ${largest} where work_order_id <> 'W3'`)
      const totals = await ask(
        objects('work-orders', {
          aggregate: 'sum(stage) as s,max(stage) as m,sum(plan/hours) as h,avg(plan/hours) as a,avg(stage) as i',
        }),
      )
      expect(totals.text).toBe(
        `[{"s":18446744073709551615,"m":${largest},"h":0.3000001,"a":0.1000000333333,"i":6148914691236517205}]`,
      )
      const found = await ask(
        objects('work-orders', {
          aggregate: 'sum(stage) as s',
          having: 's gt 18446744073709551614 and s lt 18446744073709551616',
        }),
      )
      expect(found.text).toBe('[{"s":18446744073709551615}]')
      const none = await ask(
        objects('work-orders', { aggregate: 'sum(stage) as s', having: 's eq 18446744073709551616' }),
      )
      expect(none.text).toBe('[]')
    })

    it('adds amounts whose units exceed 64 bits, and averages them half to even', async () => {
      await insertManyLines(world(), 128, 'posted', 5_000_000)
      const amount = (value: string) => (world().kind === 'sqlite' ? value.replace('.', '') : value)
      const many = "description like 'line %'"
      await world().query(`update ledger_transaction set amount = ${amount('99999999999999.9999')} where ${many}`)
      const url = ledger({
        filter: "startswith(description,'line ')",
        aggregate: 'sum(amounts/amount) as s,avg(amounts/amount) as a',
      })
      expect((await ask(url)).text).toBe('[{"s":12799999999999999.9872,"a":99999999999999.9999}]')
      // A hundred-and-twenty-eighth of 0.0001 has eleven digits behind the point: one more than an average of amounts.
      await world().query(`update ledger_transaction set amount = 0 where ${many}`)
      for (const [units, average] of [
        ['0.0001', '0.0000007812'],
        ['0.0003', '0.0000023438'],
        ['-0.0001', '-0.0000007812'],
      ] as const) {
        const value = world().kind === 'sqlite' ? String(Math.round(Number(units) * 10_000)) : units
        await world().query(`update ledger_transaction set amount = ${value} where description = 'line 1'`)
        // The response cache knows of no change that the service has not made.
        const changed = `${url}&having=${encodeURIComponent(`s eq ${units}`)}`
        expect((await ask(changed)).json).toEqual([{ s: Number(units), a: Number(average) }])
      }
      await world().query(`delete from ledger_transaction where ${many}`)
    })

    it('tells of more groups than one answer has', async () => {
      await insertManyLines(world(), 50_001, 'registered', 6_000_000)
      const url = ledger({ filter: 'transactionNumber gt 6000000', groupBy: 'transactionNumber', aggregate: 'count()' })
      const { json, headers } = await ask(url)
      expect(json).toHaveLength(50_000)
      expect(headers['x-erp-truncated']).toBe('true')
      expect(headers.link).toContain('rel="next"')
      const rest = await ask(`${url}&offset=50000`)
      expect(rest.json).toEqual([{ transactionNumber: 6_050_001, count: 1 }])
      expect(rest.headers['x-erp-truncated']).toBeUndefined()
    })
  },
  startObjects,
)
