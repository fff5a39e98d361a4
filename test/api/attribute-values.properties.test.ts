// The answer to a write is what GET answers, byte for byte: the one is made by the service, the other by the database.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onEachStore } from '../support/world.ts'

const VALUES = '/v1/attribute-values'

const word = fc.string({ unit: fc.constantFrom(...'aZ0 -_./\'"\\%æ€😀\u0001\u007f\t\n'), maxLength: 12 })
const amount = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((number) => Number(number.toPrecision(15)))
    // Doubles nearer to zero have fewer digits and are rejected.
    .filter((number) => number === 0 || Math.abs(number) >= 2 ** -1022),
  fc.constantFrom(0.1, 1e-5, 0.001, 90071992547409.9, 123456789.123456, 1e15, 999999999999999, -0, 1e300),
)
const point = fc.record(
  { contactPointType: fc.constantFrom('1', '2', '3'), address: fc.record({ place: word }), sortOrder: fc.nat(99) },
  { requiredKeys: ['contactPointType'] },
)
const department = fc.record(
  {
    relationId: fc.constant('REL1'),
    relatedValue: fc.constantFrom('100', '200', '300'),
    percentage: fc.integer({ min: 0, max: 100 }),
    unitValue: amount,
    dateFrom: fc.constantFrom('2020-01-01', '2021-06-30T12:00:00+02:00'),
  },
  { requiredKeys: ['relationId', 'relatedValue'] },
)
const value = fc.record(
  {
    description: word,
    customValue: amount,
    owner: fc.constantFrom('', '100', '200'),
    contactPoints: fc.array(point, { maxLength: 2 }),
    relatedValues: fc.uniqueArray(department, { maxLength: 3, selector: (item) => item.relatedValue }),
  },
  { requiredKeys: [] },
)
const operation = fc.oneof(
  fc.record({ path: fc.constantFrom('/description', '/owner'), value: fc.constantFrom('100', '200', '') }),
  fc.record({ path: fc.constant('/customValue'), value: amount }),
  fc.record({ path: fc.constant('/contactPoints'), value: fc.array(point, { maxLength: 2 }) }),
  fc.record({ path: fc.constant('/relatedValues'), value: fc.array(department, { maxLength: 2 }) }),
)

onEachStore('Attribute values, as they are written', (world) => {
  it('attribute values 3, 7: POST and PATCH answer what GET then answers, to the byte, with the same tag', async () => {
    let [made, patched] = [0, 0]
    await fc.assert(
      fc.asyncProperty(value, fc.array(operation, { maxLength: 4 }), async (body, operations) => {
        const attributeValue = `W${++made}`
        const url = `${VALUES}/C1/${attributeValue}/0`
        const same = async (answer: { text: string; headers: Record<string, unknown> }) => {
          const read = await world().send({ as: 'integration', url })
          expect([read.text, read.headers.etag]).toEqual([answer.text, answer.headers.etag])
        }
        const created = await world().send({
          as: 'integration',
          method: 'POST',
          url: VALUES,
          body: { attributeId: 'C1', attributeValue, ...body },
        })
        expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, ''])
        await same(created)
        for (const one of operations) {
          const answer = await world().send({
            as: 'integration',
            method: 'PATCH',
            url,
            body: [{ op: 'replace', ...one }],
          })
          if (answer.status !== 200) continue
          patched++
          await same(answer)
        }
      }),
      { numRuns: 60 },
    )
    expect(patched).toBeGreaterThan(10)
  })

  it('a further period of a value is answered with the relations that the value has', async () => {
    const related = [{ relationId: 'REL1', relatedValue: '100' }]
    const body = {
      attributeId: 'C1',
      attributeValue: 'TWICE',
      periodFrom: 202001,
      periodTo: 202006,
      relatedValues: related,
    }
    const post = (sent: object) => world().send({ as: 'integration', method: 'POST', url: VALUES, body: sent })
    expect((await post(body)).status).toBe(201)
    const second = await post({ ...body, periodFrom: 202007, periodTo: 202012, relatedValues: [] })
    expect([second.status, second.json.relatedValues]).toMatchObject([201, related])
    const read = await world().send({ as: 'integration', url: `${VALUES}/C1/TWICE/202007` })
    expect(read.text).toBe(second.text)
  })
})
