// Records that are hidden from a caller: findings and answers are those for missing records. Only a key conflict
// is reported, always with the same message. A failure prints its seed.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PAIRS, startWithHiddenRecords } from '../support/hidden-records.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import { customerBody } from '../support/ruled-records.ts'
import { type Answer, onEachStore, type Sent } from '../support/world.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? triesOf({ smoke: 20, long: 60, full: 60 }))
const OUT_OF_SIGHT = { code: 3010, message: 'The record would be outside of what you may see.' }
const VALIDATE_ONLY = 'validateOnly=true'

const dates = fc.record(
  {
    dateFrom: fc.constantFrom('2020-01-01', '2029-06-30', '2031-01-01', 'x'),
    dateTo: fc.constantFrom('2021-01-01', '2029-12-31', '2099-12-31'),
  },
  { requiredKeys: [] },
)
const relatedValues = (relations: readonly string[]) =>
  fc.array(
    fc
      .record({
        relationId: fc.constantFrom(...relations, 'NONE'),
        relatedValue: fc.constantFrom('100', '200', 'P1', 'P2', 'PX', ''),
        dates,
      })
      .map(({ dates: some, ...item }) => ({ ...item, ...some })),
    { maxLength: 3 },
  )
const description = fc.constantFrom('x', '', 'SECRET', 'x'.repeat(300))

const values = fc.record(
  {
    description,
    periodFrom: fc.constantFrom(0, 202401, 202512, 202513, 202601),
    periodTo: fc.constantFrom(202401, 202512, 209912, 7),
    relatedValues: relatedValues(['REL1', 'REL2']),
    owner: fc.constantFrom('', 'NONE'),
    contactPoints: fc.constantFrom([], [{ contactPointType: '1' }], [{ contactPointType: 'X' }]),
  },
  { requiredKeys: [] },
)
const customers = fc
  .record(
    {
      countryCode: fc.constantFrom('NO', 'SE', ''),
      customerName: fc.constantFrom('x', 'y', ''),
      relatedValues: fc.oneof(
        fc.constant([{ relationId: 'REL3', relatedValue: '100' }]),
        relatedValues(['REL3', 'REL4']),
      ),
    },
    { requiredKeys: [] },
  )
  .map((changes) => customerBody('ID', 'NO', changes))
const relations = fc
  .record({
    place: fc.constantFrom(['C2', '100'], ['C2', '200'], ['C3', 'P1'], ['C3', 'P2'], ['C2', ''], ['C9', '1']),
    percentage: fc.constantFrom(0, 10, 71.25, 101),
    dates,
  })
  .map(({ place: [relatedAttributeId, relationValue], percentage, dates: some }) => {
    return { relatedAttributeId, relationValue, percentage, ...some }
  })

onEachStore(
  'A write beside hidden records',
  (world) => {
    const send = (url: string, body: object): Promise<Answer> =>
      world().send({ as: 'open', method: 'POST', url: `${url}?${VALIDATE_ONLY}`, body })
    let [equal, outOfSight, accepted] = [0, 0, 0]

    const check = (hidden: Answer, free: Answer, [hiddenId, freeId]: readonly [string, string]): void => {
      const told = (text: string) =>
        text
          .replaceAll(hiddenId, 'ID')
          .replaceAll(freeId, 'ID')
          .replaceAll(/"updatedAt":"[^"]*"/g, '')
      if (told(hidden.text) === told(free.text)) equal += 1
      else if (free.status === 200) {
        // The answer discloses only that the key exists.
        expect([hidden.status, hidden.json]).toEqual([422, OUT_OF_SIGHT])
        outOfSight += 1
      } else expect([hidden.status, told(hidden.text)]).toEqual([free.status, told(free.text)])
      if (free.status === 200) accepted += 1
    }

    it.each([
      ['values', PAIRS.values, values, '/v1/attribute-values', { attributeId: 'C1' }, 'attributeValue'],
      ['customers', PAIRS.customers, customers, '/v1/customers', {}, 'customerId'],
      ['relations', PAIRS.relations, relations, '/v1/attribute-relations', { attributeId: 'C1' }, 'attributeValue'],
    ] as const)(
      'is told of %s what it would be without them',
      { timeout: 600_000 },
      async (name, pairs, bodies, url, fixed, key) => {
        ;[equal, outOfSight, accepted] = [0, 0, 0]
        const pair = fc.constantFrom(...(pairs as readonly (readonly [string, string])[]))
        const property = fc.asyncProperty(pair, bodies as fc.Arbitrary<object>, async (ids, body) => {
          const [hidden, free] = [
            await send(url, { ...body, ...fixed, [key]: ids[0] }),
            await send(url, { ...body, ...fixed, [key]: ids[1] }),
          ]
          check(hidden, free, ids)
        })
        await fc.assert(property, { numRuns: RUNS * 2, seed: SEED })
        console.info(
          `${name}: seed ${SEED}, ${equal} told alike, ${outOfSight} out of access, ${accepted} accepted without`,
        )
        expect([equal > 0, outOfSight > 0, accepted > 0]).toEqual([true, true, true])
      },
    )

    it('reports the relations of a value that is visible in another period', async () => {
      const body = {
        attributeId: 'C1',
        attributeValue: 'S1',
        periodFrom: 202601,
        relatedValues: [{ relationId: 'REL1', relatedValue: '100' }],
      }
      const answer = await send('/v1/attribute-values', body)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('is already connected to DEPT: 200')])
    })

    it('reports an overlap with the visible relation, whatever else conflicts', async () => {
      const body = {
        attributeId: 'C1',
        attributeValue: 'V3',
        relatedAttributeId: 'C2',
        relationValue: '100',
        dateFrom: '2029-01-01',
      }
      const [hidden, free] = [
        await send('/v1/attribute-relations', { ...body, relationValue: '100' }),
        await send('/v1/attribute-relations', { ...body, attributeValue: 'V4', relationValue: '100' }),
      ]
      expect([free.status, free.text]).toEqual([422, expect.stringContaining('is already connected to')])
      expect(hidden.text.replace('V3', 'V4')).toBe(free.text)
    })

    it('does not disclose by a deletion whether a mandatory relation has a hidden one beside it', async () => {
      const remove = (id: string): Sent => ({
        as: 'open',
        method: 'DELETE',
        url: `/v1/attribute-relations/A4/${id}/C2/100?${VALIDATE_ONLY}`,
      })
      const [hidden, free] = [await world().send(remove('K2')), await world().send(remove('K3'))]
      expect([free.status, free.text.includes('mandatory')]).toEqual([422, true])
      expect([hidden.status, hidden.text.replace('K2', 'K3')]).toEqual([free.status, free.text])
    })
  },
  startWithHiddenRecords,
)
