import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type DocumentDefinition, group, list, value } from '../model/document.ts'
import { candidatesOf } from './candidates.ts'
import { mapTemplate } from './map-template.ts'

const required = { isRequired: true }
const properties = {
  companyId: value('string', 'company_id'),
  customerId: value('string', 'customer_id'),
  customerName: { ...value('string', 'customer_name'), ...required },
  customerGroupId: { ...value('string', 'customer_group_id'), ...required },
  countryCode: value('string', 'country_code'),
  invoice: group({ creditLimit: value('number', 'credit_limit') }),
  contactPoints: list(
    {
      contactPointType: { ...value('string', 'type'), ...required },
      address: group({ streetAddress: value('string', 'street'), place: value('string', 'place') }),
    },
    { json: 'points' },
  ),
  hullNo: { ...value('string', 'hull_no'), titles: { EN: 'Hull', FI: 'Runkonumero' } },
}
const definition = { name: 'customers', key: ['companyId', 'customerId'], properties } as unknown as DocumentDefinition
const mapOf = (...headings: string[]) =>
  mapTemplate('customers', [{ name: 'crm.csv', headings, candidates: candidatesOf(definition, properties) }])

describe('the map that headings probably need', () => {
  it.each([
    ['customerId', 'customerId'],
    ['Customer no.', 'customerId'],
    ['KUNDENR', 'customerId'],
    ['Kundennummer', 'customerId'],
    ['Name', 'customerName'],
    ['Kundnamn', 'customerName'],
    ['Land', 'countryCode'],
    ['Adresse', 'contactPoints.1.address.streetAddress'],
    ['Kreditgrense', 'invoice.creditLimit'],
    ['Firma', 'customerName'],
    ['KGRP', 'customerGroupId'],
    ['invoice.creditLimit', 'invoice.creditLimit'],
    ['Runkonumero', 'hullNo'],
    ['Balance', null],
    ['companyId', null],
  ])('means by %s %s', (heading, path) => expect(parse(mapOf(heading))).toEqual({ [heading]: path }))

  it('is YAML whatever the headings, each property once, and names what is required and missing', () => {
    const text = mapOf('Kunde: nr', '- x', '#', 'Kundenr', "O'x", 'true', 'Nein "so"')
    expect(Object.keys(parse(text))).toEqual(['Kunde: nr', '- x', '#', 'Kundenr', "O'x", 'true', 'Nein "so"'])
    expect(Object.values(parse(text)).filter((path) => path === 'customerId')).toHaveLength(1)
    expect(text.match(/^# \w[\w.]*: = ''.*$/gm)).toEqual([
      "# customerName: = '' # Customer name",
      "# customerGroupId: = '' # Customer group",
    ])
  })

  it('has the file of a list below its name', () => {
    const text = mapTemplate('customers', [
      { name: 'crm.csv', headings: ['Kundenr', 'Sted'], candidates: candidatesOf(definition, properties) },
      {
        name: 'contacts.csv',
        list: 'contactPoints',
        headings: ['Kunde', 'Poststed'],
        candidates: candidatesOf(definition, {
          ...properties.contactPoints.properties,
          customerId: properties.customerId,
        }),
      },
    ])
    expect(parse(text)).toEqual({
      Kundenr: 'customerId',
      Sted: null,
      contactPoints: { Kunde: 'customerId', Poststed: 'address.place' },
    })
    expect(text).toContain("  # contactPointType: = ''")
  })

  it('takes long files of headings in bounded time', () => {
    expect(mapOf(...Array.from({ length: 2_000 }, (_, at) => `Kunde ${at}`)).split('\n').length).toBeGreaterThan(2_000)
  })
})
