// Groups of a batch: all of it is done, or nothing.
import { describe, expect, it } from 'vitest'
import {
  type Asked,
  answersOf,
  BATCH,
  CONTINUE,
  creating,
  describing,
  sendBatch,
  statusesOf,
  urlOf,
  VALUES,
} from '../support/batch.ts'
import { verified } from '../support/journal-chain.ts'
import { onEachStore, type Sent } from '../support/world.ts'

const NUMBERED = { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'In a group' } } as const

const inGroup = (requests: readonly Asked[], atomicityGroup = 'g'): Asked[] =>
  requests.map((request) => ({ ...request, atomicityGroup }))

onEachStore('A group', (world) => {
  const answered = (requests: readonly Asked[], sent: Partial<Sent> = {}) =>
    answersOf(sendBatch(world(), requests, sent))

  it('is done as a whole, each member with an entry of its own, and its members see one another', async () => {
    const answers = await answered(
      inGroup([
        creating('ALL1'),
        describing('', 'second', { url: '$1' }),
        { url: '$1' },
        describing('ALL1', 'third', { headers: { 'if-match': '$2' } }),
        creating('ALL2'),
        { url: `${urlOf('ALL1')}/history` },
      ]),
    )
    expect(statusesOf(answers)).toEqual([201, 200, 200, 200, 201, 200])
    expect(answers.map(({ atomicityGroup }) => atomicityGroup)).toEqual(Array(6).fill('g'))
    expect(answers[2]?.body).toMatchObject({ description: 'second' })
    expect(answers[2]?.headers.etag).toBe(answers[1]?.headers.etag)
    expect(answers[5]?.body.changes).toHaveLength(3)
    const tags = [0, 1, 3, 4].map((at) => Number(answers[at]?.headers.etag?.slice(1, -1)))
    expect(tags).toEqual([0, 1, 2, 3].map((at) => Number(tags[0]) + at))
    const single = await world().send({ as: 'integration', url: urlOf('ALL1') })
    expect([single.json, single.headers.etag]).toEqual([answers[3]?.body, answers[3]?.headers.etag])
  })

  it('leaves nothing when a member fails: no record, entry, number or stored answer', async () => {
    const before = await world().dump()
    const keyed = creating('NONE1', { headers: { 'idempotency-key': 'in-a-group' } })
    for (const failing of [creating('CC100'), { url: urlOf('NOWHERE') }, { url: '/v1/nothing' }, creating('NONE1')]) {
      const members = [keyed, NUMBERED, describing('CC100', 'changed'), failing, creating('NONE2')]
      const answers = await answered(inGroup(members))
      expect(statusesOf(answers).filter((status) => status !== 424)).toHaveLength(1)
      expect(answers[3]?.status).not.toBe(424)
      expect(answers[0]?.body).toEqual({ code: 1010, message: "Not done, because '4' of its group has failed." })
    }
    expect(await world().changesSince(before)).toEqual([])
  })

  it('leaves what other operations and groups of the batch have done', async () => {
    const answers = await answered(
      [
        creating('BESIDE1'),
        ...inGroup([creating('BESIDE2'), creating('CC100')], 'one'),
        ...inGroup([creating('BESIDE3'), creating('BESIDE4')], 'other'),
        creating('BESIDE5'),
      ],
      CONTINUE,
    )
    expect(statusesOf(answers)).toEqual([201, 424, 409, 201, 201, 201])
    for (const [at, status] of [200, 404, 200, 200, 200].entries()) {
      expect((await world().send({ as: 'integration', url: urlOf(`BESIDE${at + 1}`) })).status).toBe(status)
    }
  })

  it('is not begun when something that a member depends on has failed, or the batch has stopped', async () => {
    const before = await world().dump()
    const members = inGroup([creating('LATE1'), creating('LATE2', { dependsOn: ['1'] })])
    const answers = await answered([creating('CC100'), ...members], CONTINUE)
    expect(statusesOf(answers)).toEqual([409, 424, 424])
    expect(statusesOf(await answered([creating('CC100'), ...inGroup([creating('LATE1')])]))).toEqual([409, 424])
    expect(await world().changesSince(before)).toEqual([])
  })

  describe('has no place for', () => {
    const file = { docType: 'NOTE', fileName: 'a.txt', fileContent: 'YQ==' }
    const places: [name: string, member: Asked, status: number, code?: number][] = [
      ['another company', creating('SVALUE', { url: `${VALUES}?companyId=SV` }), 400, 1010],
      ['a collection', { url: `${VALUES}/C1?$limit=1` }, 400, 1020],
      ['a count', { method: 'HEAD', url: '/v1/objects/attribute-values' }, 400],
      ['validateOnly of one member', creating('TRIED', { url: `${VALUES}?validateOnly=true` }), 400, 1010],
      ['a file', { method: 'POST', url: '/v1/documents', body: file }, 403, 2030],
    ]
    it.each(places)('%s', async (_name, member, status, code) => {
      const before = await world().dump()
      const answers = await answered(inGroup([creating('PLACE'), member]), { as: 'both' })
      expect(statusesOf(answers)).toEqual([424, status])
      expect(answers[1]?.body?.code).toBe(code)
      expect(await world().changesSince(before)).toEqual([])
    })
  })

  it('may be of another company, and large', async () => {
    const members = Array.from({ length: 300 }, (_, at) => creating(`SIZE${at}`, { url: `${VALUES}?companyId=SV` }))
    const answers = await answered(inGroup(members), { as: 'both' })
    expect(new Set(statusesOf(answers))).toEqual(new Set([201]))
  })

  it('that only validates is done, answered and taken back, with its numbers', async () => {
    const before = await world().dump()
    const sent = { url: `${BATCH}?validateOnly=true` }
    const first = await answered(inGroup([NUMBERED, NUMBERED, { url: '$1' }]), sent)
    const second = await answered(inGroup([NUMBERED, NUMBERED]), sent)
    expect(statusesOf(first)).toEqual([200, 200, 200])
    const names = first.map(({ body }) => body.attributeValue)
    expect(names[0]).toBe(names[2])
    expect(names[0]).not.toBe(names[1])
    expect(second.map(({ body }) => body.attributeValue)).toEqual(names.slice(0, 2))
    expect(await world().changesSince(before)).toEqual([])
  })

  it('leaves a change log whose chain holds', async () => {
    await answered(
      [
        creating('CHAIN1'),
        ...inGroup([creating('CHAIN2'), creating('CC100')], 'refused'),
        creating('CC100'),
        ...inGroup([creating('CHAIN3'), describing('CHAIN3', 'x'), NUMBERED], 'done'),
        creating('CHAIN4'),
      ],
      CONTINUE,
    )
    expect(await verified(world())).toMatchObject({ faults: [] })
  })
})
