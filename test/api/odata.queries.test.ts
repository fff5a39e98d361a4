// Entity sets through HTTP: the query options of OData, their answers, and what is refused. That random questions have
// the answers of /v1/objects is tested by `test/store/odata-differential.test.ts`, the grammar by
// `odata.grammar.test.ts`.
import { expect, it } from 'vitest'
import { startObjects } from '../support/object-records.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const ROOT = '/odata/v4/EN'

const set = (name: string, options: Readonly<Record<string, string>> = {}) => ({
  url: `${ROOT}/${name}?${new URLSearchParams(options)}`,
})
const answer = (context: string, value: readonly unknown[], rest: object = {}) => ({
  status: 200,
  json: { '@odata.context': `http://localhost${ROOT}/$metadata#${context}`, ...rest, value },
})
const ids = (...found: string[]) =>
  answer(
    'customers(customerId)',
    found.map((customerId) => ({ customerId })),
  )
const customers = (filter: string) => set('customers', { $select: 'customerId', $filter: filter })

const scenarios: Scenario[] = [
  {
    name: 'answers selected properties, inner ones and the texts of codes, in the order of the entity type',
    ...set('customers', {
      $select: 'invoice/creditLimit,countryCode_text,customerId',
      $filter: "contains(tolower(customerName),'nordlys')",
      $count: 'true',
    }),
    ...answer(
      'customers(customerId,countryCode_text,invoice/creditLimit)',
      [
        { customerId: '1001', countryCode_text: 'Norway', invoice: { creditLimit: 50000.5 } },
        { customerId: '1004', countryCode_text: 'Norway', invoice: { creditLimit: 0 } },
      ],
      { '@odata.count': 2 },
    ),
  },
  {
    name: 'answers texts in the language of the request',
    ...set('customers', { $select: 'countryCode_text', $filter: "customerId eq '1001'" }),
    headers: { 'accept-language': 'no' },
    ...answer('customers(countryCode_text)', [{ countryCode_text: 'Norge' }]),
  },
  {
    name: 'orders, skips and tops',
    ...set('customers', { $select: 'customerId', $orderby: 'countryCode desc,customerName', $skip: '1', $top: '2' }),
    ...ids('1001', '1004'),
  },
  {
    name: 'takes options without their dollar sign, too',
    ...set('customers', { select: 'customerId', TOP: '1' }),
    ...ids('1001'),
  },
  {
    name: 'ignores options of the client',
    ...set('customers', { $select: 'customerId', $top: '1', trace: 'x' }),
    ...ids('1001'),
  },
  { name: 'answers no record for $top=0', ...set('customers', { $select: 'customerId', $top: '0' }), ...ids() },
  { name: 'compares nothing with null', ...customers('customerId eq null or customerName lt null'), ...ids() },
  {
    name: 'has a value everywhere',
    ...customers("not (aliasName eq null) and aliasName ne 'NORD'"),
    ...ids('1002', '1003', '1004'),
  },
  {
    name: 'takes a function of null for neither true nor false',
    ...customers('not contains(customerName,null)'),
    ...ids(),
  },
  { name: 'finds none of an empty list', ...customers('customerId in ()'), ...ids() },
  {
    name: 'finds the values of a list but null',
    ...customers("customerId in ('1002',null,'1004')"),
    ...ids('1002', '1004'),
  },
  {
    name: 'asks for any and all items of a list',
    ...customers("contactPoints/any(p:p/address/place eq 'Bergen') and contactPoints/all(x:x/sortOrder gt 0)"),
    ...ids('1001'),
  },
  { name: 'asks for no item that meets a condition', ...customers('not contactPoints/any()'), ...ids('1003', '1004') },
  {
    name: 'expands a list with selected properties',
    ...set('customers', { $select: 'customerId', $expand: 'contactPoints($select=sortOrder)', $top: '2' }),
    ...answer('customers(customerId,contactPoints(sortOrder))', [
      { customerId: '1001', contactPoints: [{ sortOrder: 1 }, { sortOrder: 2 }] },
      { customerId: '1002', contactPoints: [{ sortOrder: 1 }] },
    ]),
  },
  {
    name: 'groups and aggregates, with conditions before and behind',
    ...set('general_ledger_transactions', {
      $apply:
        'filter(period ge 202601)/groupby((accountingInformation/account),aggregate(amounts/amount with sum as total,$count as lines))/filter(total gt 0)',
      $orderby: 'total desc',
    }),
    ...answer('general_ledger_transactions(accountingInformation/account,total,lines)', [
      { accountingInformation: { account: '1500' }, total: 1000, lines: 1 },
      { accountingInformation: { account: '1900' }, total: 250.75, lines: 1 },
      { accountingInformation: { account: '0815' }, total: 0.1, lines: 1 },
    ]),
  },
  {
    name: 'counts groups, and asks for some of them with $filter',
    ...set('general_ledger_transactions', {
      $apply: 'groupby((transactionType),aggregate($count as lines))',
      $filter: 'lines gt 1',
      $count: 'true',
    }),
    ...answer('general_ledger_transactions(transactionType,lines)', [{ transactionType: 'IN', lines: 4 }], {
      '@odata.count': 1,
    }),
  },
  {
    name: 'refuses a name in other letter case',
    ...customers("customerid eq '1'"),
    status: 400,
    json: {
      error: {
        code: '1020',
        message: "Unknown property 'customerid' at position 0 of $filter; did you mean 'customerId'?",
      },
    },
  },
  {
    name: 'refuses a literal of another type',
    ...customers('customerId eq 1001'),
    status: 400,
    json: { error: { code: '1020', message: '1001 is no string at position 14 of $filter' } },
  },
  {
    name: 'refuses a text for a date',
    ...customers("lastUpdated/updatedAt gt '2026-01-01'"),
    status: 400,
    json: { error: { code: '1020', message: "'2026-01-01' is no date-time at position 25 of $filter" } },
  },
  {
    name: 'refuses what is wrong beside what does not matter',
    ...customers('false and nothing eq 1'),
    status: 400,
    json: { error: { code: '1020', message: "Unknown property 'nothing' at position 10 of $filter" } },
  },
  {
    name: 'refuses several numbers that are none at once',
    ...set('customers', { $top: '-5', $skip: 'one' }),
    status: 400,
    json: {
      error: {
        code: '1020',
        message:
          "The value '-5' is not valid for $top: it is a number from 0 to 2147483647. " +
          "The value 'one' is not valid for $skip: it is a number from 0 to 2147483647.",
      },
    },
  },
  {
    name: 'refuses a wrong grammar with its position',
    ...customers('customerId eq'),
    status: 400,
    json: {
      error: {
        code: '1020',
        message: "Syntax error at position 13: expected a blank after 'eq', found the end ($filter)",
      },
    },
  },
  {
    name: 'refuses to select what is not there',
    ...set('customers', { $select: 'customerId,name' }),
    status: 400,
    includes: { error: { code: '1020' } },
  },
  {
    name: 'refuses to expand what is no navigation property',
    ...set('customers', { $expand: 'invoice' }),
    status: 400,
    json: { error: { code: '1020', message: "'invoice' is no navigation property at position 0 of $expand" } },
  },
  {
    name: 'refuses a group as a value',
    ...customers('invoice eq 1'),
    status: 400,
    includes: { error: { code: '1020' } },
  },
  {
    name: 'answers 501 for a function that it has not',
    ...customers("indexof(customerName,'x') eq 1"),
    status: 501,
    json: { error: { code: '1020', message: 'Not supported: the function indexof at position 0 of $filter.' } },
  },
  {
    name: 'answers 501 for $search where no words are indexed',
    ...set('customers', { $search: 'x' }),
    status: 501,
    json: { error: { code: '1020', message: 'Not supported: $search of customers.' } },
  },
  {
    name: 'answers 501 for another format',
    ...set('customers', { $format: 'atom' }),
    status: 501,
    json: { error: { code: '1020', message: 'Not supported: the format atom.' } },
  },
  {
    name: 'answers 501 for numbers as texts',
    ...set('customers', { $top: '1' }),
    headers: { accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true' },
    status: 501,
    json: { error: { code: '1020', message: 'Not supported: numbers as texts (IEEE754Compatible=true).' } },
  },
  {
    name: 'takes the format that it has',
    ...set('customers', { $select: 'customerId', $top: '1', $format: 'application/json;odata.metadata=minimal' }),
    ...ids('1001'),
  },
  {
    name: 'answers 501 for $compute',
    ...set('customers', { $compute: 'a as b' }),
    status: 501,
    json: { error: { code: '1020', message: 'Not supported: the query option $compute.' } },
  },
  {
    name: 'answers 501 for $select together with $apply',
    ...set('customers', { $select: 'customerId', $apply: 'groupby((countryCode))' }),
    status: 501,
    includes: { error: { code: '1020' } },
  },
  {
    name: 'refuses an unknown option with a dollar sign',
    ...set('customers', { $inlinecount: 'allpages' }),
    status: 400,
    json: { error: { code: '1020', message: "Unknown query option '$inlinecount'." } },
  },
  {
    name: 'refuses a token that it has not made',
    ...set('customers', { $skiptoken: 'A'.repeat(40) }),
    status: 400,
    includes: { error: { code: '1020' } },
  },
  {
    name: 'has no set of another name',
    ...set('customer'),
    status: 404,
    json: { error: { code: '1030', message: "No resource matches the URI '/odata/v4/EN/customer'." } },
  },
]

onEachStore(
  'OData',
  (world) => {
    runScenarios(world, scenarios)

    it('has a service document, whose entity sets are in the metadata', async () => {
      for (const url of [ROOT, `${ROOT}/`]) {
        const { status, json, headers } = await world().send({ as: 'integration', url })
        expect([status, headers['odata-version'], json['@odata.context']]).toEqual([
          200,
          '4.0',
          `http://localhost${ROOT}/$metadata`,
        ])
        expect(json.value).toContainEqual({ name: 'customers', kind: 'EntitySet', url: 'customers' })
        const metadata = await world().send({ as: 'integration', url: `${ROOT}/$metadata` })
        expect(metadata.headers['content-type']).toBe('application/xml;charset=utf-8')
        const sets = [...metadata.text.matchAll(/<EntitySet Name="(\w+)"/g)].map(([, name]) => name)
        expect(sets).toEqual(json.value.map(({ name }: { name: string }) => name))
      }
    })

    it('declares in the metadata what it answers of a record', async () => {
      const { text } = await world().send({ as: 'integration', url: `${ROOT}/$metadata` })
      const membersOf = (type: string) => {
        const inside = new RegExp(`<(?:Entity|Complex)Type Name="${type}">(.*?)</(?:Entity|Complex)Type>`).exec(
          text,
        )?.[1]
        return [...(inside ?? '').matchAll(/<Property Name="(\w+)" Type="([\w.]+)"/g)].map(([, name = '', of = '']) => [
          name,
          of,
        ])
      }
      const check = (type: string, record: Record<string, unknown>) => {
        const declared = membersOf(type)
        expect([type, declared.map(([name]) => name)]).toEqual([type, Object.keys(record)])
        for (const [name = '', of = ''] of declared) {
          if (of.startsWith('Tabularium.'))
            check(of.slice('Tabularium.'.length), record[name] as Record<string, unknown>)
        }
      }
      for (const name of [
        'customers',
        'general_ledger_transactions',
        'attribute_relations',
        'attributes',
        'companies',
      ]) {
        const { json } = await world().send({ as: 'integration', ...set(name, { $top: '1' }) })
        check(name, json.value[0])
      }
    })

    it('counts in plain text', async () => {
      const { text, headers } = await world().send({
        as: 'integration',
        ...set('customers/$count', { $filter: "customerId gt '1001'", $top: '1' }),
      })
      expect([text, headers['content-type'], headers['odata-version']]).toEqual([
        '3',
        'text/plain;charset=utf-8',
        '4.0',
      ])
    })

    it('takes the company of the path, and no other', async () => {
      const [own, other] = await Promise.all([
        world().send({ as: 'integration', url: '/odata/v4/SV/customers?$select=customerName&companyId=EN' }),
        world().send({ as: 'integration', url: '/odata/v4/XX/customers' }),
      ])
      expect([own.status, own.status === 200 ? own.json.value : []]).toEqual([
        own.status,
        own.status === 200 ? [{ customerName: 'canary-of-SV' }] : [],
      ])
      expect([other.status, other.json]).toEqual([403, { error: { code: '2030', message: 'User is not authorised.' } }])
      const unknown = await world().send({ url: '/odata/v4/EN/customers' })
      expect([unknown.status, unknown.json, unknown.headers['odata-version']]).toEqual([
        401,
        { error: { code: '401', message: 'Invalid JWT.' } },
        '4.0',
      ])
    })
  },
  startObjects,
)
