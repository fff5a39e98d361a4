// Requests that nobody sends by mistake, at every door of OData: each is refused or answered, none is a failure of the
// service.
import { expect, it } from 'vitest'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { startRuled } from '../support/ruled-records.ts'
import { FEWER_KINDS, onEachStore } from '../support/world.ts'

const ROOT = '/odata/v4/EN'
const DOORS = [
  'customers',
  'customers_contactPoints',
  "customers('1001')",
  "customers('1001')/contactPoints",
  'customers/$count',
]
const MANY = 'customerId eq 1 or '.replace('1', "'1'")

/** Option and text, as they stand in the address. */
const OPTIONS: readonly (readonly [name: string, text: string, status: readonly number[]])[] = [
  ['thousands of conditions', `$filter=${encodeURIComponent(MANY.repeat(400))}true`, [400]],
  ['deep parentheses', `$filter=${'('.repeat(3_000)}true${')'.repeat(3_000)}`, [400]],
  ['deep negations', `$filter=${'not%20'.repeat(1_000)}true`, [400]],
  ['lambdas in lambdas', `$filter=${'contactPoints/any(a:'.repeat(200)}true${')'.repeat(200)}`, [400]],
  ['functions in functions', `$filter=${'tolower('.repeat(500)}customerId${')'.repeat(500)}%20eq%20%27a%27`, [400]],
  ['a long path', `$filter=${'a/'.repeat(2_000)}b%20eq%201`, [400]],
  ['a long list', `$filter=customerId%20in%20(${Array.from({ length: 1_500 }, () => "'1'").join(',')})`, [400]],
  ['an open string', "$filter=customerId%20eq%20'a", [400]],
  ['a null character', "$filter=customerId%20eq%20'%00'", [400]],
  ['half a character', "$filter=customerId%20eq%20'%ED%A0%80'", [200, 400]],
  ['no UTF-8', "$filter=customerId%20eq%20'%FF%FE'", [200, 400]],
  ['half an escape', "$filter=customerId%20eq%20'%4", [400]],
  ['a huge $top', `$top=${'9'.repeat(300)}`, [400]],
  ['a huge $skip', '$skip=99999999999999999999', [400]],
  ['a negative $top', '$top=-1', [400]],
  ['a huge number', `$filter=customerId%20eq%20${'9'.repeat(2_000)}`, [400]],
  ['a huge exponent', '$filter=invoice/creditLimit%20eq%201e999999999', [200, 400]],
  ['many selected names', `$select=${'customerId,'.repeat(2_000)}customerId`, [400]],
  ['expanding in circles', '$expand=contactPoints($expand=contactPoints($expand=contactPoints))', [400, 501]],
  ['expanding everything', '$expand=*', [400, 501]],
  ['levels', '$expand=contactPoints($levels=max)', [400, 501]],
  ['many groups', `$apply=groupby((${'customerId,'.repeat(500)}customerId))`, [400]],
  ['many steps', `$apply=${'filter(true)/'.repeat(500)}filter(true)`, [400, 501]],
  ['a token of nobody', `$skiptoken=${'A'.repeat(6_000)}`, [400]],
  ['a prototype', '$select=__proto__,constructor', [400]],
  ['a prototype in a condition', '$filter=__proto__/toString%20eq%201', [400]],
  ['an option twice', '$top=1&$top=2', [400]],
  ['an alias', '$filter=customerId%20eq%20@p&@p=%271%27', [400, 501]],
  ['an empty option', '$filter=', [400]],
]

const KEYS = [
  "'",
  "'a",
  '(',
  '((((((((((',
  '%00',
  "'%00'",
  '1'.repeat(400),
  '__proto__=1',
  "customerId='1'".repeat(20),
  '%FF',
  "''''''",
  '@a',
  "'1'/x",
  '%2F',
  "'..%2F..%2F'",
  'null',
  'INF',
  "customerId=''&",
]

const PIECES = [
  "'",
  '(',
  ')',
  '/',
  ',',
  '$',
  '@',
  '=',
  '%27',
  '%00',
  '%FF',
  '%',
  ' ',
  '%20',
  ';',
  ':',
  '*',
  'eq',
  'and',
  'any',
  'a',
  '1',
  'e9',
  'null',
  'customerId',
  'contactPoints',
  '$count',
  '$filter=',
  '?',
  '&',
  '\u00e5',
  '%F0%9F%98%80',
  '..',
  '#',
]

onEachStore(
  'hostile OData',
  (world) => {
    const statusOf = async (url: string) => {
      const { status, text } = await world().send({ as: 'admin', url })
      return { status, text }
    }

    it.each(OPTIONS)('does not fail for %s', async (_name, option, allowed) => {
      for (const door of DOORS) {
        const { status, text } = await statusOf(`${ROOT}/${door}?${option}`)
        // Very long addresses are refused before they are read.
        expect([door, status, [...allowed, 400, 414, 431].includes(status), text.slice(0, 100)]).toMatchObject([
          door,
          status,
          true,
          expect.any(String),
        ])
      }
    })

    it('takes no such text for a key', async () => {
      for (const key of KEYS) {
        const { status } = await statusOf(`${ROOT}/customers(${key})`)
        expect([key, [400, 404, 414, 501].includes(status)]).toEqual([key, true])
      }
    })

    it('fails for no random text', async () => {
      const random = randomNumbers(SEED)
      const text = () =>
        Array.from({ length: 1 + Math.floor(random() * 8) }, () => PIECES[Math.floor(random() * PIECES.length)]).join(
          '',
        )
      for (let tries = triesOf({ long: 150, full: 20_000 }); tries > 0; tries--) {
        const paths = [
          text(),
          `customers(${text()})`,
          `customers('1001')/${text()}`,
          `customers?$filter=${text()}`,
          `customers?$apply=${text()}`,
          `customers?$expand=contactPoints(${text()})`,
        ]
        const url = `${ROOT}/${paths[Math.floor(random() * paths.length)]}`
        const { status } = await statusOf(url)
        expect([url, SEED, status === 501 || status < 500]).toEqual([url, SEED, true])
      }
    })
  },
  startRuled,
  FEWER_KINDS,
)
