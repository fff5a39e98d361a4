// The Idempotency-Key of a batch and of its operations: whatever was done is done once.
import { expect, it } from 'vitest'
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
import { onEachStore, type Sent } from '../support/world.ts'

const NUMBERED = { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'Once' } } as const
let keys = 0

onEachStore('A batch that is sent again', (world) => {
  const answered = (requests: readonly Asked[], sent: Partial<Sent> = {}) =>
    answersOf(sendBatch(world(), requests, sent))
  const keyed = () => ({ headers: { ...CONTINUE.headers, 'idempotency-key': `batch-${process.pid}-${keys++}` } })
  const requests: Asked[] = [
    NUMBERED,
    describing('', 'changed', { url: '$1', dependsOn: ['1'], headers: { 'if-match': '$1' } }),
    { ...NUMBERED, atomicityGroup: 'g' },
    describing('', 'in its group', { url: '$3', atomicityGroup: 'g' }),
    creating('CC100'),
    { url: '$2', dependsOn: ['2'] },
  ]
  const seen = (answers: Awaited<ReturnType<typeof answered>>) =>
    answers.map(({ id, status, headers: { etag, location }, body }) => ({ id, status, etag, location, body }))

  it('under its key is answered as before, and nothing is written', async () => {
    const sent = keyed()
    const first = await sendBatch(world(), requests, sent)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    const before = await world().dump()
    const second = await sendBatch(world(), requests, sent)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(seen(second.json.responses)).toEqual(seen(first.json.responses))
    expect(statusesOf(second.json.responses)).toEqual([201, 200, 201, 200, 409, 200])
    const replayed = second.json.responses.map((one: { headers: object }) => 'idempotency-replayed' in one.headers)
    expect(replayed).toEqual([true, true, true, true, false, false])
    expect(await world().changesSince(before)).toEqual([])
  })

  it('at the same time is done once', async () => {
    const sent = keyed()
    const [one, other] = await Promise.all([answered(requests, sent), answered(requests, sent)])
    expect(seen(one)).toEqual(seen(other))
  })

  it('goes on where it had failed', async () => {
    const { headers } = keyed()
    const sent = { headers: { 'idempotency-key': headers['idempotency-key'] } }
    const body = {
      attributeId: 'C1',
      attributeValue: 'ONCE',
      relatedValues: [{ relationId: 'REL1', relatedValue: '777' }],
    }
    const sequence = [NUMBERED, { method: 'POST', url: VALUES, body } as const, NUMBERED]
    const first = await answered(sequence, sent)
    expect(statusesOf(first)).toEqual([201, 422, 424])
    const missing = { attributeId: 'C2', attributeValue: '777' }
    await world().send({ as: 'integration', method: 'POST', url: VALUES, body: missing })
    const second = await answered(sequence, sent)
    expect(statusesOf(second)).toEqual([201, 201, 201])
    expect(second[0]?.body).toEqual(first[0]?.body)
  })

  it('is refused with 422 when another batch comes under its key', async () => {
    const sent = keyed()
    await answered([{ url: urlOf('CC100') }], sent)
    const before = await world().dump()
    const refused = await sendBatch(world(), [creating('OTHER')], sent)
    expect([refused.status, refused.json]).toEqual([
      422,
      { code: 1010, message: 'The Idempotency-Key was sent before with another request: choose a new one.' },
    ])
    expect((await world().send({ as: 'integration', ...creating('OTHER'), ...sent })).status).toBe(422)
    expect(await world().changesSince(before)).toEqual([])
  })

  it('with the keys of its operations does each once, also among requests of their own', async () => {
    const headers = { 'idempotency-key': `operation-${process.pid}` }
    const operation = { ...NUMBERED, headers }
    const single = await world().send({ as: 'integration', ...operation })
    const answers = await answered([operation, operation, { ...operation, atomicityGroup: 'g' }])
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([201, single.json]))
    const other = { ...NUMBERED, headers: { 'idempotency-key': `twice-${process.pid}` }, atomicityGroup: 'g' }
    const [one, again] = await answered([other, other])
    expect([again?.body, again?.headers['idempotency-replayed']]).toEqual([one?.body, 'true'])
    const wrong = await answered([{ ...creating('NOT-TWICE'), headers }])
    expect(statusesOf(wrong)).toEqual([422])
  })

  it('has no key when it only validates', async () => {
    const sent = { ...keyed(), url: `${BATCH}?validateOnly=true` }
    const before = await world().dump()
    for (const body of ['one', 'other']) await answered([creating(`VALID-${body}`)], sent)
    expect(await world().changesSince(before)).toEqual([])
  })
})
