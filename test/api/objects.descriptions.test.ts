// Descriptions of codes: [T] and [C;T], by value list and by attribute, in the language of the caller. Decision 6,
// select; specification, x-erp-describable.
import { expect, it } from 'vitest'
import { insertRows, ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

const line = (select: string) => ledger({ select, filter: 'transactionNumber eq 1 and sequenceNumber eq 1' })

const DESCRIBED: readonly { name: string; url: string; language?: string; answer: unknown }[] = [
  {
    name: 'answers the description alone for [T] (specification: [T])',
    url: objects('customers', { select: 'countryCode[T]', limit: 1 }),
    answer: [{ 'countryCode(description)': 'Norway' }],
  },
  {
    name: 'answers code and description for [C;T], in any letter case and with blanks (specification: [C;T])',
    url: objects('customers', { select: 'countryCode [ c ; t ]', limit: 1 }),
    answer: [{ countryCode: 'NO', 'countryCode(description)': 'Norway' }],
  },
  {
    name: 'answers both when the code is named beside [T]',
    url: objects('customers', { select: 'countryCode[T],countryCode', limit: 1 }),
    answer: [{ countryCode: 'NO', 'countryCode(description)': 'Norway' }],
  },
  {
    name: 'answers an empty description for a code that no list has (decision 0, no null)',
    url: objects('customers', { select: 'countryCode[C;T],customerGroupId[T]', filter: 'customerId eq 1003' }),
    answer: [{ countryCode: 'GB', 'countryCode(description)': '', 'customerGroupId(description)': '' }],
  },
  {
    name: 'describes by the values of the attribute that the setup names (decision 5, legal values)',
    url: objects('customers', { select: 'customerGroupId[C;T]', limit: 2 }),
    answer: [
      { customerGroupId: 'DOM', 'customerGroupId(description)': 'Domestic' },
      { customerGroupId: 'EXP', 'customerGroupId(description)': 'Export' },
    ],
  },
  {
    name: 'describes by the attribute of a name: account and voucher type of a ledger line',
    url: line('accountingInformation(account[C;T]),transactionType[T]'),
    answer: [
      {
        'transactionType(description)': 'Sales invoice',
        accountingInformation: { account: '3000', 'account(description)': 'Sales' },
      },
    ],
  },
  {
    name: 'describes by the attribute whose id stands in the row (decision 6, shapes)',
    url: ledger({
      select: 'accountingInformation(attributeId1,attributeValue1[C;T],attributeValue2[T])',
      filter: "accountingInformation/attributeId1 ne ''",
    }),
    answer: [
      {
        accountingInformation: {
          attributeId1: 'C1',
          attributeValue1: 'CC100',
          'attributeValue1(description)': 'Head office',
          'attributeValue2(description)': '',
        },
      },
      {
        accountingInformation: {
          attributeId1: 'C2',
          attributeValue1: '100',
          'attributeValue1(description)': 'Finance',
          'attributeValue2(description)': '',
        },
      },
    ],
  },
  {
    name: 'describes both ends of an attribute relation',
    url: objects('attribute-relations', {
      select: 'attributeValue[C;T],relationValue[C;T]',
      filter: "attributeValue eq 'CC200'",
    }),
    answer: [
      {
        attributeValue: 'CC200',
        'attributeValue(description)': 'Warehouse',
        relationValue: '200',
        'relationValue(description)': 'Operations',
      },
    ],
  },
  {
    name: 'describes the owner of a value by its owner attribute, and a contact point type in a list',
    url: objects('attribute-values', {
      select: 'owner[T],contactPoints(contactPointType[C;T])',
      filter: "attributeValue eq 'CC100'",
    }),
    answer: [
      {
        'owner(description)': 'Finance',
        contactPoints: [{ contactPointType: '1', 'contactPointType(description)': 'General' }],
      },
    ],
  },
  {
    name: 'describes a status by the value list STATUS (decision 5, payment.status)',
    url: objects('customers', { select: 'payment(status[C;T])', filter: 'customerId eq 1002' }),
    answer: [{ payment: { status: 'P', 'status(description)': 'Parked' } }],
  },
  {
    name: 'answers descriptions in the language that is preferred (Accept-Language)',
    url: objects('customers', { select: 'countryCode[T],payment(status[T])', filter: 'customerId eq 1001' }),
    language: 'da;q=0.9, no-NO;q=0.8, en;q=0.1',
    answer: [{ 'countryCode(description)': 'Norge', payment: { 'status(description)': 'Aktiv' } }],
  },
  {
    name: "falls back to the title in the company's language, code by code (Accept-Language)",
    url: objects('customers', { select: 'countryCode[T],payment(status[T])', filter: 'customerId eq 1003' }),
    language: 'NO',
    answer: [{ 'countryCode(description)': '', payment: { 'status(description)': 'Closed' } }],
  },
  {
    name: "falls back to the company's language for languages that it does not have, for * and for nonsense",
    url: objects('customers', { select: 'countryCode[T]', limit: 1 }),
    language: "fr-FR, *;q=0.5, ';drop table customer;--",
    answer: [{ 'countryCode(description)': 'Norway' }],
  },
  {
    name: 'does not take a language with weight 0',
    url: objects('customers', { select: 'countryCode[T]', limit: 1 }),
    language: 'no;q=0, en',
    answer: [{ 'countryCode(description)': 'Norway' }],
  },
]

onEachStore(
  'Descriptions on the object endpoints',
  (world) => {
    it.each(DESCRIBED)('$name', async ({ url, language, answer }) => {
      const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
      const { status, text } = await world().send({ as: 'integration', url, headers })
      expect({ status, text }).toEqual({ status: 200, text: JSON.stringify(answer) })
    })

    it('describes an integer by a value list, and takes the newest of a value with several periods', async () => {
      await insertRows(world(), 'own_work_orders', [
        { company_id: 'EN', work_order_id: 'D1', stage: 2, cost_centre: 'CC100', status: 'N' },
        { company_id: 'EN', work_order_id: 'D2', stage: 0, cost_centre: 'CC200', status: '?' },
      ])
      await world().query(`insert into attribute_value
        (company_id, attribute_id, attribute_value, period_from, period_to, description, change_no)
        values ('EN', 'C1', 'CC200', 203001, 209912, 'New warehouse', 999)`)
      const url = objects('work-orders', { select: 'stage[C;T],costCentre[T],status[T]', orderBy: 'workOrderId' })
      const ask = (language: string) =>
        world().send({ as: 'integration', url, headers: { 'accept-language': language } })
      const rest = { 'costCentre(description)': 'New warehouse', 'status(description)': '' }
      expect((await ask('en')).json).toEqual([
        {
          'costCentre(description)': 'Head office',
          'status(description)': 'Active',
          stage: 2,
          'stage(description)': 'Started',
        },
        { ...rest, stage: 0, 'stage(description)': '' },
      ])
      expect((await ask('no')).json[0]['stage(description)']).toBe('Startet')
    })

    it('describes codes of a company by its own lists and values alone', async () => {
      const url = objects('attribute-values', { select: 'status[T]', filter: "attributeId eq 'C1'", limit: 1 })
      expect((await world().send({ as: 'integration', url })).text).toBe('[{"status(description)":"Active"}]')
      expect((await world().send({ as: 'sv', url })).text).toBe('[{"status(description)":"canary-of-SV"}]')
    })

    it('describes by the attribute of a name that the company itself has', async () => {
      // The first of all companies, in which another attribute has the name.
      await insertRows(world(), 'attribute', [{ company_id: 'AA', attribute_id: 'C1', name: 'ACCOUNT' }])
      const { text } = await world().send({
        as: 'integration',
        url: line('accountingInformation(account[C;T])'),
      })
      expect(text).toBe('[{"accountingInformation":{"account":"3000","account(description)":"Sales"}}]')
      await world().query("delete from attribute where company_id = 'AA'")
    })

    it('lists a title only in the languages that it has (specification: value lists)', async () => {
      const url = objects('value-list', { select: 'description,language,title', filter: "name eq 'STATUS'" })
      const { json } = await world().send({ as: 'integration', url })
      expect(json.map((row: Record<string, string>) => Object.values(row).join(' '))).toEqual([
        'EN C Closed',
        'EN N Active',
        'EN P Parked',
        'NO N Aktiv',
        'NO P Parkert',
      ])
    })
  },
  startObjects,
)
