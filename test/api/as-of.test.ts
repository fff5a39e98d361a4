// The option `asOf`: what was answered then. That answers of the past are the answers of then, byte for byte, is tested
// by `test/reliability/past/as-of.test.ts`; this is about moments, headers and refusals.
import { expect, it } from 'vitest'
import { LongWork } from '../../src/changes/long-work.ts'
import { PastAnswers } from '../../src/changes/past/past-answers.ts'
import { INTERNAL_CALLER } from '../../src/store/store.ts'
import { insertRows } from '../support/object-records.ts'
import { customerBody, type RuledWorld, startRuled } from '../support/ruled-records.ts'
import { SqlTap } from '../support/sql-tap.ts'
import { onEachStore, type Sent } from '../support/world.ts'

const CUSTOMER = '/v1/customers/1001'
const CUSTOMERS = '/v1/objects/customers?$select=customerId,customerName'
const VALUES = '/v1/attribute-values/C1?$select=description&$filter=attributeValue eq'
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

const NO_MOMENT = 'it must be a date, a date-time or the number of a change.'

const REFUSED: readonly [url: string, status: number, message: string][] = [
  ['/v1/objects/customers?asOf=yesterday', 400, `The value 'yesterday' is not valid for asOf; ${NO_MOMENT}`],
  [`${CUSTOMER}?asOf=-1`, 400, `The value '-1' is not valid for asOf; ${NO_MOMENT}`],
  [`${CUSTOMER}?asOf=2026-02-30`, 400, `The value '2026-02-30' is not valid for asOf; ${NO_MOMENT}`],
  [`${CUSTOMER}?asOf=1&$asof=1`, 400, "The query option 'asof' is given more than once."],
  ['/v1/attribute-values/C1?asOf=1&asOf=1', 400, "The query option 'asof' is given more than once."],
  ['/v1/objects/attributes?asOf=1', 400, 'The changes of attributes are not recorded: asOf cannot be used here.'],
  ['/v1/objects/value-list?asOf=1', 400, 'The changes of value-list are not recorded: asOf cannot be used here.'],
]

onEachStore(
  'asOf',
  (world) => {
    const ruled = () => world() as RuledWorld
    const get = (url: string, rest: Partial<Sent> = {}) => world().send({ as: 'admin', url, ...rest })
    const write = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
      const answer = await world().send({ as: 'admin', method, url, ...(body === undefined ? {} : { body }) })
      expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
    }
    /** The number and the time of the last change. */
    const lastChange = async () => {
      const [row] = await world().query("select head_no from journal_counter where company_id = 'EN'")
      return Number(row?.head_no)
    }
    const nameIn = (body: { customerId: string; customerName: string }[]) =>
      body.find(({ customerId }) => customerId === '1001')?.customerName

    it('takes the number of a change, and names it in the answer', async () => {
      await write('PATCH', CUSTOMER, replace('/customerName', 'First'))
      const first = await lastChange()
      await write('PATCH', CUSTOMER, replace('/customerName', 'Second'))
      const then = await get(`${CUSTOMERS}&asOf=${first}`)
      expect([nameIn(then.json), then.headers['x-erp-change-number']]).toEqual(['First', String(first)])
      expect(then.headers.etag).toBeUndefined()
      const single = await get(`${CUSTOMER}?ASOF=${first}`)
      expect([single.json.customerName, single.headers['x-erp-change-number']]).toEqual(['First', String(first)])
      expect(nameIn((await get(CUSTOMERS)).json)).toBe('Second')
    })

    it('takes a time: the last change at it or before it counts', async () => {
      const history = async () => (await get(`${CUSTOMER}/history`)).json.changes
      await write('PATCH', CUSTOMER, replace('/customerName', 'Third'))
      const [third] = await history()
      // No two changes of the test may have the same time.
      while (new Date().toISOString() <= third.time);
      await write('PATCH', CUSTOMER, replace('/customerName', 'Fourth'))
      const [fourth] = await history()
      const at = async (time: string) => nameIn((await get(`${CUSTOMERS}&asOf=${encodeURIComponent(time)}`)).json)
      expect(await at(third.time)).toBe('Third')
      expect(await at(fourth.time)).toBe('Fourth')
      expect(await at(new Date(Date.parse(fourth.time) - 1).toISOString())).toBe('Third')
      expect((await get(`${CUSTOMER}?asOf=${third.time}`)).json.customerName).toBe('Third')
    })

    it('stays the same page after page, whatever is changed between two of them', async () => {
      await write('PATCH', CUSTOMER, replace('/customerName', 'Before all pages'))
      const number = await lastChange()
      const page = (offset: number) =>
        get(
          `/v1/objects/customers?$select=customerId,customerName&$orderby=customerId&$limit=1&$offset=${offset}&asOf=${number}`,
        )
      const pages = async () => [(await page(0)).json, (await page(1)).json]
      const before = await pages()
      for (const name of ['Between two', 'Between two others']) {
        await write('PATCH', CUSTOMER, replace('/customerName', name))
        expect(await pages()).toEqual(before)
      }
      expect(before.flat().map(({ customerName }) => customerName)).toContain('Before all pages')
    })

    it('answers the present for a moment in the future, and what came first for the time before', async () => {
      const now = await get(CUSTOMERS)
      const last = await lastChange()
      for (const moment of [String(last), '2099-01-01']) {
        const { text, headers } = await get(`${CUSTOMERS}&asOf=${moment}`)
        expect([text, headers['x-erp-change-number']]).toEqual([now.text, String(last)])
      }
      for (const moment of [last + 1, 999_999_999_999]) {
        const message = `There is no change ${moment} yet: the newest is ${last}.`
        for (const url of [`${CUSTOMERS}&`, `${CUSTOMER}?`]) {
          const { status, json } = await get(`${url}asOf=${moment}`)
          expect([status, json]).toEqual([400, { code: 1020, message }])
        }
      }
      expect((await get(`${CUSTOMERS}&asOf=0`)).json).toEqual([])
      expect((await get(`${CUSTOMERS}&asOf=2000-01-01`)).json).toEqual([])
      const { status, text } = await get(`${CUSTOMER}?asOf=0`)
      expect([status, text]).toEqual([404, (await get('/v1/customers/0')).text.replace(': 0]', ': 1001]')])
    })

    it('gives a single record the tag that it had', async () => {
      const before = await get(CUSTOMER)
      const number = await lastChange()
      await write('PATCH', CUSTOMER, replace('/aliasName', 'other'))
      const then = await get(`${CUSTOMER}?asOf=${number}`)
      expect([then.text, then.headers.etag]).toEqual([before.text, before.headers.etag])
      const known = { 'if-none-match': String(before.headers.etag) }
      expect((await get(`${CUSTOMER}?asOf=${number}`, { headers: known })).status).toBe(304)
      const stale = {
        method: 'PATCH',
        body: replace('/aliasName', 'mine'),
        headers: { 'if-match': String(then.headers.etag) },
      } as const
      expect((await get(CUSTOMER, stale)).status).toBe(409)
    })

    it('answers documents without their contents, as their list does', async () => {
      const url = `/v1/documents/${ruled().documents.note}`
      const number = await lastChange()
      const listed = (await get('/v1/documents?title=harbour')).json.documents ?? []
      await write('PATCH', url, replace('/title', 'quay'))
      const then = (await get(`${url}?asOf=${number}`)).json
      expect(then).toMatchObject({ title: 'harbour', status: 'N' })
      expect(then).not.toHaveProperty('fileContent')
      for (const one of listed) if (one.id === then.id) expect(then).toEqual(one)
    })

    it('of rows that imports have added leaves those up to then', async () => {
      const line = { company_id: 'EN', sequence_number: 1, state: 'posted', description: 'Imported' }
      const number = await lastChange()
      await insertRows(world(), 'ledger_transaction', [
        { ...line, transaction_number: 901, _change_no: number },
        { ...line, transaction_number: 902, _change_no: number + 1 },
      ])
      await write('PATCH', CUSTOMER, replace('/aliasName', 'one more'))
      const url =
        "/v1/objects/general-ledger-transactions?posted=true&$select=transactionNumber&$filter=description eq 'Imported'"
      const [first, second] = [{ transactionNumber: 901 }, { transactionNumber: 902 }]
      expect((await get(`${url}&asOf=${number}`)).json).toEqual([first])
      expect((await get(`${url}&asOf=${number + 1}`)).json).toEqual([first, second])
      const counted = await get(`${url.replace('$select=transactionNumber&', '')}&asOf=${number}`, { method: 'HEAD' })
      expect(counted.headers['x-erp-total-count']).toBe('1')
    })

    it('holds for the list of an attribute, with validAt beside it', async () => {
      const value = {
        attributeId: 'C1',
        attributeValue: 'T1',
        periodFrom: 202601,
        periodTo: 202606,
        description: 'one',
      }
      await write('POST', '/v1/attribute-values', value)
      const number = await lastChange()
      await write('PATCH', '/v1/attribute-values/C1/T1/202601', replace('/periodTo', 202612))
      const then = async (validAt: string) => (await get(`${VALUES} 'T1'&validAt=${validAt}&asOf=${number}`)).json
      expect(await then('202606')).toEqual([{ description: 'one' }])
      expect(await then('202607')).toEqual([])
    })

    it('shows nothing of what was created since, and reads no text of it; of what was there, it shows what was', async () => {
      const number = await lastChange()
      const before = await get(CUSTOMERS)
      await write('POST', '/v1/customers', customerBody('PAST1', 'NO'))
      await write('PATCH', '/v1/customers/PAST1', replace('/customerName', 'Renamed'))
      const tap = new SqlTap()
      const { result, texts } = await tap.during(() => get(`${CUSTOMERS}&asOf=${number}`)).finally(() => tap.stop())
      expect([result.status, result.text]).toEqual([200, before.text])
      expect(texts.filter((text) => text.includes('e.before, e.after'))).toEqual([])
      const single = await get(`/v1/customers/PAST1?asOf=${number}`)
      expect(single.status).toBe(404)
      // With a change of what was there, texts are read, and those of the new one change nothing.
      await write('PATCH', CUSTOMER, replace('/customerName', 'Later'))
      await write('PATCH', '/v1/customers/PAST1', replace('/customerName', 'Renamed again'))
      expect((await get(`${CUSTOMERS}&asOf=${number}`)).text).toBe(before.text)
      expect((await get(CUSTOMERS)).text).not.toBe(before.text)
    })

    it.each(REFUSED)('refuses %s', async (url, status, message) => {
      const answer = await get(url)
      expect([answer.status, answer.json]).toEqual([status, { code: 1020, message }])
    })

    it('asks for a later moment when too much has changed since', async () => {
      const { store, companies } = world().application.service
      const answers = new PastAnswers(
        { store, companies, documents: () => [], work: new LongWork() },
        { changes: 2, characters: 1_000_000 },
      )
      const definition = { name: 'customers' } as never
      const request = {
        companyId: 'EN',
        plan: { definition, select: [], order: [] },
        scope: [],
        caller: INTERNAL_CALLER,
      } as never
      const tap = new SqlTap()
      const { texts } = await tap
        .during(() =>
          expect(answers.count(request, '1')).rejects.toMatchObject({
            status: 400,
            message:
              'More than 2 changes of customers, or too large ones, were made since asOf: choose a later moment, or read GET /v1/changes from there.',
          }),
        )
        .finally(() => tap.stop())
      expect(texts.filter((text) => text.includes('measured'))).not.toEqual([])
      // What is too much is counted, and not read.
      expect(texts.filter((text) => text.includes('e.before, e.after'))).toEqual([])
    })

    it('is the present after the newest change, also where the clock was set back before that', async () => {
      await write('PATCH', CUSTOMER, replace('/customerName', 'Before the clock was set back'))
      const ahead = `update journal_entry set at = ${Date.now() + 3_600_000} where company_id = 'EN'`
      await world().query(`${ahead} and entry_no = ${await lastChange()}`)
      await write('PATCH', CUSTOMER, replace('/customerName', 'After it'))
      const soon = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
      expect(nameIn((await get(`${CUSTOMERS}&asOf=${soon}`)).json)).toBe('After it')
      expect((await get(`${CUSTOMER}?asOf=${soon}`)).json.customerName).toBe('After it')
    })

    it('is 410 when what was then is no longer kept', async () => {
      const number = await lastChange()
      await world().query(`update journal_counter set texts_from = ${number} where company_id = 'EN'`)
      const message = `What was before change ${number} is no longer kept: asOf must be ${number} or later.`
      for (const url of [`${CUSTOMERS}&asOf=${number - 1}`, `${CUSTOMER}?asOf=2000-01-01`]) {
        const { status, json } = await get(url)
        expect([status, json]).toEqual([410, { code: 1020, message }])
      }
      expect((await get(`${CUSTOMERS}&asOf=${number}`)).status).toBe(200)
    })
  },
  startRuled,
)
