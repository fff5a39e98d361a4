// The longest texts of every record: the limits of the service, and lower limits of a setup.
import { expect, it } from 'vitest'
import { base64 } from '../support/documents.ts'
import { processorTime } from '../support/processor-time.ts'
import { findingsIn } from '../support/scenario.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const FIXTURE = 'test/fixtures/text-lengths.yaml'
const text = (length: number) => 'x'.repeat(length)
/** Incompressible text of letters with three bytes each. */
const noise = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919 + ((at * at) % 9_973)) % 20_000))).join(
    '',
  )

const value = (attributeValue: string, rest: object = {}) => ({ attributeId: 'C6', attributeValue, ...rest })
const point = (address: object) => ({ contactPointType: '1', address })
const customer = (rest: object) => ({
  customerName: 'Nordlys',
  customerGroupId: 'DOM',
  countryCode: 'NO',
  contactPoints: [point({})],
  ...rest,
})
const paper = (rest: object) => ({
  docType: 'NOTE',
  title: 'Note',
  fileName: 'note.txt',
  fileContent: base64('text'),
  indexes: [{ sequenceNo: 1, indexValue: 'x' }],
  ...rest,
})

const tooLong = (field: string, most: number) =>
  `The field ${field} must be a string or array type with a maximum length of ${most}.`

onEachStore(
  'The longest texts',
  (world) => {
    const send = (method: Sent['method'], url: string, body?: unknown) =>
      world().send({ as: 'integration', method: method ?? 'GET', url, body })
    const post = (path: string, body: unknown, company = 'EN') => send('POST', `/v1/${path}?companyId=${company}`, body)
    const replace = (path: string, body: unknown) => [{ op: 'replace', path, value: body }]

    it.each<[path: string, body: object, field: string, status: number, code: number, message: string]>([
      [
        'attribute-values',
        value('V1', { description: text(4_001) }),
        'description',
        422,
        3010,
        tooLong('Description', 4_000),
      ],
      ['attribute-values', value('V1', { owner: text(256) }), 'owner', 422, 3010, tooLong('Owner', 255)],
      [
        'attribute-values',
        value('V1', { contactPoints: [point({ place: text(41) })] }),
        'contactPoints.0.address.place',
        422,
        3010,
        tooLong('Place', 40),
      ],
      [
        'customers',
        customer({ customerId: 'K1', customFieldGroups: { notes: { text: text(4_001) } } }),
        'customFieldGroups.notes.text',
        422,
        3010,
        tooLong('Text', 4_000),
      ],
      ['documents', paper({ description: text(4_001) }), 'description', 400, 1010, tooLong('Description', 4_000)],
      ['documents', paper({ title: text(256) }), 'title', 400, 1010, tooLong('Title', 255)],
    ])('POST %s: a text that is too long is refused at its place', async (path, body, field, status, code, message) => {
      const answer = await post(path, body)
      expect([answer.status, findingsIn(answer.json)]).toEqual([status, { [field]: [code, message] }])
    })

    it('a value crafted against the pattern of its attribute blocks nobody (255 letters that are tried in every way)', async () => {
      const body = { attributeId: 'PA', attributeValue: text(255).toUpperCase().replaceAll('X', 'A') }
      const [answer, worked] = await processorTime(() => post('attribute-values', body))
      expect([answer.status, answer.json.notificationMessages?.attributeValue?.[0]?.code]).toEqual([422, 3010])
      expect(worked).toBeLessThan(1_000)
      const legal = { ...body, attributeValue: 'AAB' }
      expect((await post('attribute-values', legal)).status).toBe(201)
    })

    it('takes texts of just these lengths', async () => {
      const address = { place: text(40), streetAddress: text(160) }
      const whole = value('LONGEST', { description: text(4_000), owner: text(255), contactPoints: [point(address)] })
      expect((await post('attribute-values', whole)).status).toBe(201)
      const note = { customFieldGroups: { notes: { text: text(4_000) } } }
      expect((await post('customers', customer({ customerId: 'K2', ...note }))).status).toBe(201)
      expect((await post('documents', paper({ description: text(4_000), title: text(255) }))).status).toBe(201)
    })

    it('PATCH refuses what POST refuses', async () => {
      expect((await post('attribute-values', value('V2'))).status).toBe(201)
      const answer = await send('PATCH', '/v1/attribute-values/C6/V2/0', replace('/description', text(4_001)))
      expect([answer.status, findingsIn(answer.json)]).toEqual([
        422,
        { description: [3010, tooLong('Description', 4_000)] },
      ])
    })

    it('a text of these lengths is taken also where no index holds the whole of it', async () => {
      const answer = await post('attribute-values', value('NOISE', { description: noise(4_000) }))
      expect(answer.status).toBe(201)
    })

    it.each<[path: string, body: object, field: string, message: string]>([
      ['attribute-values', value('V1', { description: text(21) }), 'description', tooLong('Description', 20)],
      [
        'customers',
        customer({ customerId: 'K1', customerName: text(11) }),
        'customerName',
        tooLong('CustomerName', 10),
      ],
      ['documents', paper({ title: text(13) }), 'title', tooLong('Title', 12)],
      [
        'customers',
        customer({ customerId: 'K1', contactPoints: [point({ place: text(6) })] }),
        'contactPoints.0.address.place',
        tooLong('Place', 5),
      ],
    ])('POST %s: a setup lowers them for a company', async (path, body, field, message) => {
      const answer = await post(path, body, 'LO')
      expect(findingsIn(answer.json)[field]?.[1]).toBe(message)
      const other = { ...body, customerId: `K${field.length}`, attributeValue: 'V9' }
      expect((await post(path, other)).status).toBe(201)
    })

    it('what is longer already stays, while other fields are changed', async () => {
      expect((await post('attribute-values', value('OLD', { description: 'short' }), 'LO')).status).toBe(201)
      await world().query(`update attribute_value set description = '${text(300)}' where attribute_value = 'OLD'`)
      const url = '/v1/attribute-values/C6/OLD/0?companyId=LO'
      const changed = await send('PATCH', url, replace('/customValue', 3))
      expect([changed.status, changed.json.customValue, changed.json.description]).toEqual([200, 3, text(300)])
      expect((await send('PATCH', url, replace('/description', text(299)))).status).toBe(422)
    })
  },
  (kind) => startWorld(kind, FIXTURE),
)
