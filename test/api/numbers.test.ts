// A number retains all its digits or is rejected with code 4030: decision 0 (scalars convert when nothing is lost),
// decision 2.
import { expect, it } from 'vitest'
import { bodyOf, create, onEachStoreWithCustomers, urlOf } from '../support/customers.ts'
import type { Answer } from '../support/world.ts'

const KEPT = [
  ['-0.1', '-0.1'],
  ['90071992547409.9', '90071992547409.9'],
  ['12345678901.2345', '12345678901.2345'],
  ['99999999999.9999', '99999999999.9999'],
  ['123456789012345', '123456789012345'],
  ['1.50', '1.5'],
  ['0.1e1', '1'],
  ['12345678901234.500000', '12345678901234.5'],
  ['"12345678901234.5"', '12345678901234.5'],
  ['0.123456789012345', '0.123456789012345'],
  ['-0', '0'],
] as const

const LOST = [
  ...['12345678901234.56', '-12345678901234.56', '9007199254740993', '0.30000000000000004', '1e-400', '4e-324'],
  ...['1.234567890123456e+280', '123456789012345678901234567890', '0.10000000000000001'],
]

onEachStoreWithCustomers('Numbers', (world) => {
  const values = '/v1/attribute-values'
  const send = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: string): Promise<Answer> =>
    world().send({ as: 'integration', method, url, ...(body === undefined ? {} : { body }) })
  const post = (attributeValue: string, rest: string) =>
    send('POST', values, `{"attributeId":"PR","attributeValue":"${attributeValue}",${rest}}`)
  const patch = (url: string, path: string, value: string) =>
    send('PATCH', url, `[{"op":"replace","path":"${path}","value":${value}}]`)
  const numberIn = (text: string, name: string) => new RegExp(`"${name}":([^,}]*)`).exec(text)?.[1]

  it.each(KEPT)('keeps %s, and answers it with the digits that were sent', async (sent, answered) => {
    const value = `K${KEPT.findIndex(([text]) => text === sent)}`
    const created = await post(value, `"customValue":${sent}`)
    const read = await send('GET', `${values}/PR/${value}/0`)
    const list = await send('GET', `${values}/PR?filter=attributeValue eq '${value}'`)
    const rows = await send('GET', `/v1/objects/attribute-values?filter=attributeValue eq '${value}'`)
    const csv = await world().send({
      as: 'integration',
      url: `/v1/objects/attribute-values?filter=attributeValue eq '${value}'&select=customValue`,
      headers: { accept: 'text/csv' },
    })
    expect([created.status, created.text].join(' ')).toMatch(/^201 /)
    for (const { text } of [created, read, list, rows]) expect(numberIn(text, 'customValue')).toBe(answered)
    expect(csv.text).toBe(`customValue\r\n${answered}\r\n`)
  })

  it('keeps a number of 15 digits and an exponent when another field is changed', async () => {
    expect((await post('LONG', '"customValue":-63785652681231300')).status).toBe(201)
    expect((await patch(`${values}/PR/LONG/0`, '/description', '"changed"')).status).toBe(200)
    const { json } = await send('GET', `${values}/PR/LONG/0`)
    expect([json.customValue, json.description]).toEqual([-63785652681231300, 'changed'])
  })

  it.each(LOST)(
    'refuses %s, which would lose digits, with code 4030, and says which field and digits',
    async (sent) => {
      for (const text of [sent, `"${sent}"`]) {
        const { status, json } = await post('LOST', `"customValue":${text}`)
        const message = `The field customValue must be a number of at most 15 significant digits, which ${sent} is not.`
        expect([status, json]).toEqual([400, { code: 4030, message }])
      }
      expect((await send('GET', `${values}/PR/LOST/0`)).status).toBe(404)
    },
  )

  it('refuses what would lose digits among other findings too', async () => {
    const { status, json } = await post('', '"customValue":12345678901234.56')
    expect(status).toBe(422)
    expect(json.notificationMessages.customValue).toMatchObject([{ code: 4030 }])
    expect(json.notificationMessages.attributeValue).toMatchObject([{ code: 1010 }])
  })

  it.each(LOST)('refuses a change to %s with code 4030, and changes nothing', async (sent) => {
    const before = await send('GET', `${values}/PR/P1/0`)
    const changed = await patch(`${values}/PR/P1/0`, '/customValue', sent)
    const message = `PatchOperation index 0: The value '${sent}' of path '/customValue' cannot be converted to number of at most 15 significant digits`
    expect([changed.status, changed.json]).toEqual([422, { code: 4030, message }])
    expect((await send('GET', `${values}/PR/P1/0`)).text).toBe(before.text)
  })

  it('refuses them inside lists, groups and custom fields, and of integers beyond 9007199254740991', async () => {
    await create(world(), 'NUMBERS')
    const long = '12345678901234.56'
    const related = `{"relationId":"REGION","relatedValue":"N","percentage":${long}}`
    const asked = [
      ['/relatedValues', `[${related}]`],
      ['/contactPoints/0/sortOrder', '9007199254740993'],
      ['/customFieldGroups/delivery/weight', long],
      ['/customFieldGroups/delivery', `{"route":"R1","weight":${long}}`],
      ['/externalReference', '12345678901234567'],
    ] as const
    for (const [path, value] of asked) {
      const { status, json } = await patch(urlOf('NUMBERS'), path, value)
      expect([path, status, json.code]).toEqual([path, 400, 4030])
    }
    const body = JSON.stringify(bodyOf('NUMBERS2', { externalReference: 0 }))
    const created = await send(
      'POST',
      '/v1/customers',
      body.replace('"externalReference":0', `"externalReference":${long}`),
    )
    expect([created.status, created.json.code]).toEqual([400, 4030])
    expect(created.json.message).toContain(
      `externalReference must be a string or number of at most 15 significant digits`,
    )
  })

  it('takes a number of any length for a text, with all its digits', async () => {
    await create(world(), 'TEXTS')
    const long = '123456789012345678901234567890.123'
    const { status, json } = await patch(urlOf('TEXTS'), '/aliasName', long)
    expect([status, json.aliasName]).toEqual([200, long])
  })

  it('refuses a literal of a filter that would be another number with 400, and says where', async () => {
    const rows = (filter: string) => send('GET', `/v1/objects/attribute-values?filter=${encodeURIComponent(filter)}`)
    for (const literal of ['12345678901234.5678', "'12345678901234.5678'", '1e-400', '9007199254740993']) {
      const { status, json } = await rows(`customValue eq ${literal}`)
      const message = `${literal} has more digits than are kept of numbers at position 15 of $filter`
      expect([status, json]).toEqual([400, { code: 1020, message }])
    }
    expect((await rows('customValue in (1,12345678901234.5678)')).status).toBe(400)
    expect((await rows('periodFrom lt 202601.00000000000000000001')).status).toBe(400)
    expect((await rows('customValue lt 100000000000000000000000')).status).toBe(200)
  })
})
