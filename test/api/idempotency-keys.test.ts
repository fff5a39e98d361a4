// Idempotency-Key on every write: a retry gets the first answer, and nothing is executed twice.
import { describe, expect, it } from 'vitest'
import { base64, create, noteOf, onEachArchive, replace, urlOf } from '../support/documents.ts'
import { recordsOf } from '../support/resources/records.ts'
import { onEachStoreWith, RESOURCES } from '../support/resources/resource.ts'
import { type Answer, onEachStore, type Sent, type World } from '../support/world.ts'

let keys = 0
const newKey = () => `repeat-${process.pid}-${keys++}`

const send = (world: World, sent: Sent, key: string, as = 'integration'): Promise<Answer> =>
  world.send({ as, ...sent, headers: { 'idempotency-key': key, ...sent.headers } })

/** The parts of an answer that do not depend on the individual request. */
function seen({ status, headers, text }: Answer) {
  const { etag, location } = headers
  return { status, etag, location, text }
}

/** Sends a request twice, one after the other: the second gets the first answer and writes nothing. */
async function expectReplayed(world: World, sent: Sent, status: number): Promise<Answer> {
  const key = newKey()
  const first = await send(world, sent, key)
  expect([first.status, first.text.slice(0, first.status === status ? 0 : 300)]).toEqual([status, ''])
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  const before = await world.dump()
  const second = await send(world, sent, key)
  expect(seen(second)).toEqual(seen(first))
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(await world.changesSince(before)).toEqual([])
  return first
}

const VALUES = '/v1/attribute-values'
const RELATIONS = '/v1/attribute-relations'
const costCentre = (attributeValue: string) => ({
  attributeId: 'C1',
  attributeValue,
  description: `Value ${attributeValue}`,
})
const relationOf = (attributeValue: string) => ({
  attributeId: 'C1',
  attributeValue,
  relatedAttributeId: 'C2',
  relationValue: '100',
})

onEachStore('A write with an Idempotency-Key', (world) => {
  describe('is executed once', () => {
    it('for values: POST, PATCH and DELETE', async () => {
      const url = `${VALUES}/C1/R1/0`
      await expectReplayed(world(), { method: 'POST', url: VALUES, body: costCentre('R1') }, 201)
      const add = { op: 'add', path: '/relatedValues/-', value: { relationId: 'REL1', relatedValue: '100' } }
      await expectReplayed(world(), { method: 'PATCH', url, body: [add] }, 200)
      await expectReplayed(world(), { method: 'DELETE', url }, 200)
    })

    it('for numbered values, without a second number', async () => {
      const body = { attributeId: 'C5', description: 'A project' }
      const { json } = await expectReplayed(world(), { method: 'POST', url: VALUES, body }, 201)
      const next = await world().send({ as: 'integration', method: 'POST', url: VALUES, body })
      expect(Number(next.json.attributeValue.slice(1))).toBe(Number(json.attributeValue.slice(1)) + 1)
    })

    it('for relations: POST, PATCH and DELETE', async () => {
      await world().send({ as: 'integration', method: 'POST', url: VALUES, body: costCentre('R2') })
      const url = `${RELATIONS}/C1/R2/C2/100`
      await expectReplayed(world(), { method: 'POST', url: RELATIONS, body: relationOf('R2') }, 201)
      await expectReplayed(world(), { method: 'PATCH', url, body: [replace('/percentage', 40)] }, 200)
      await expectReplayed(world(), { method: 'DELETE', url }, 200)
    })
  })

  it('is answered like the first time, although the record has changed since', async () => {
    const key = newKey()
    const sent = { method: 'POST', url: VALUES, body: costCentre('R3') } as const
    const first = await send(world(), sent, key)
    const url = `${VALUES}/C1/R3/0`
    await world().send({ as: 'integration', method: 'PATCH', url, body: [replace('/description', 'later')] })
    expect(seen(await send(world(), sent, key))).toEqual(seen(first))
  })

  it('is executed once also when it is sent twelve times at once', async () => {
    const key = newKey()
    const sent = { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'At once' } } as const
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(world(), sent, key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    const rows = await world().query("select 1 as found from attribute_value where description = 'At once'")
    expect(rows).toHaveLength(1)
  })

  it('is refused with 422 when another request comes under its key: another body, path, query or method', async () => {
    const key = newKey()
    await send(world(), { method: 'POST', url: VALUES, body: costCentre('R4') }, key)
    const before = await world().dump()
    const others: Sent[] = [
      { method: 'POST', url: VALUES, body: costCentre('R5') },
      { method: 'POST', url: `${VALUES}?x=1`, body: costCentre('R4') },
      { method: 'POST', url: RELATIONS, body: relationOf('R4') },
      { method: 'DELETE', url: `${VALUES}/C1/R4/0` },
    ]
    for (const other of others) {
      const answer = await send(world(), other, key)
      expect(answer.status).toBe(422)
      expect(answer.json).toEqual({
        code: 1010,
        message: 'The Idempotency-Key was sent before with another request: choose a new one.',
      })
    }
    expect(await world().changesSince(before)).toEqual([])
  })

  it('belongs to the client: another client may use the same key', async () => {
    const key = newKey()
    await send(world(), { method: 'POST', url: VALUES, body: costCentre('R6') }, key)
    const answer = await send(world(), { method: 'POST', url: VALUES, body: costCentre('R7') }, key, 'both')
    expect(answer.status).toBe(201)
  })

  it('belongs to the company: the same key is another one there', async () => {
    const key = newKey()
    const inNorway = await send(world(), { method: 'POST', url: VALUES, body: costCentre('R8') }, key, 'both')
    const inSweden = await send(
      world(),
      { method: 'POST', url: `${VALUES}?companyId=SV`, body: costCentre('R8') },
      key,
      'both',
    )
    expect([inNorway.json.companyId, inSweden.json.companyId]).toEqual(['EN', 'SV'])
  })

  it('is free again after a rejection, which has written nothing', async () => {
    const key = newKey()
    const wrong = await send(world(), { method: 'POST', url: VALUES, body: { attributeId: 'C1' } }, key)
    expect(wrong.status).toBe(422)
    expect((await send(world(), { method: 'POST', url: VALUES, body: costCentre('R9') }, key)).status).toBe(201)
  })

  it('expires after a day', async () => {
    const key = newKey()
    const sent = { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'Old' } } as const
    const first = await send(world(), sent, key)
    const old = new Date(Date.now() - 25 * 60 * 60_000).toISOString()
    await world().query(`update kept_answer set at = '${old}' where repeat_key = '${key}'`)
    const second = await send(world(), sent, key)
    expect([second.status, second.json.attributeValue === first.json.attributeValue]).toEqual([201, false])
    expect(await world().query(`select 1 as found from kept_answer where at = '${old}'`)).toEqual([])
  })

  it('expires after a day, however many others do: a write deletes a few of them', async () => {
    const key = newKey()
    const sent = { method: 'POST', url: VALUES, body: { attributeId: 'C5', description: 'Old' } } as const
    const first = await send(world(), sent, key)
    const at = (hours: number) => new Date(Date.now() - hours * 60 * 60_000).toISOString()
    await world().query(`update kept_answer set at = '${at(25)}' where repeat_key = '${key}'`)
    const older = Array.from(
      { length: 100 },
      (_, row) => `('EN', 'integration', 'older-${row}', 'f', '{}', '${at(30)}')`,
    )
    await world().query(
      `insert into kept_answer (company_id, client_id, repeat_key, fingerprint, answer, at) values ${older}`,
    )
    const second = await send(world(), sent, key)
    expect([second.status, second.json.attributeValue === first.json.attributeValue]).toEqual([201, false])
    const third = await send(world(), sent, key)
    expect([third.headers['idempotency-replayed'], third.json]).toEqual(['true', second.json])
    const [left] = await world().query(`select count(*) as count from kept_answer where repeat_key like 'older-%'`)
    expect(Number(left?.count)).toBe(80)
  })

  it.each(['', ' ', 'x'.repeat(256), 'a b', 'schl\u00fcssel'])('is refused with an invalid key: %j', async (key) => {
    const before = await world().dump()
    const answer = await send(world(), { method: 'POST', url: VALUES, body: costCentre('RX') }, key)
    expect([answer.status, answer.json.code]).toEqual([400, 1010])
    expect(await world().changesSince(before)).toEqual([])
  })

  it('is ignored for reads', async () => {
    const key = newKey()
    const url = `${VALUES}/C1/CC100/0`
    for (let time = 0; time < 2; time++) {
      const answer = await send(world(), { url }, key)
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, undefined])
    }
  })
})

describe.each(RESOURCES)('$noun', (resource) => {
  const { bodyOf, urlOf, post } = recordsOf(resource)

  onEachStoreWith(resource, 'A write of a customer with an Idempotency-Key', (world) => {
    it('is executed once: POST, PATCH and DELETE', async () => {
      const url = urlOf('K1')
      await expectReplayed(world(), post(bodyOf('K1')), 201)
      await expectReplayed(world(), { method: 'PATCH', url, body: [replace('/aliasName', 'Once')] }, 200)
      await expectReplayed(world(), { method: 'DELETE', url }, 200)
    })
  })
})

onEachArchive('A write of a document with an Idempotency-Key', (world) => {
  it('is executed once, and replayed with its content: POST, PATCH and DELETE', async () => {
    const { json } = await expectReplayed(world(), { method: 'POST', url: '/v1/documents', body: noteOf('Once') }, 201)
    await expectReplayed(world(), { method: 'PATCH', url: urlOf(json.id), body: [replace('/title', 'Twice')] }, 200)
    await expectReplayed(world(), { method: 'DELETE', url: urlOf(json.id) }, 200)
  })

  it('is executed once for a revision', async () => {
    const { id } = await create(world(), noteOf('Revised'))
    const body = { id, comment: 'Once', fileName: 'a.txt', fileContent: base64('later') }
    const { json } = await expectReplayed(world(), { method: 'POST', url: '/v1/document-revisions', body }, 201)
    expect(json.revisionNo).toBe(2)
  })

  it('is another request with another content', async () => {
    const key = newKey()
    await send(world(), { method: 'POST', url: '/v1/documents', body: noteOf('Content') }, key)
    const other = {
      method: 'POST',
      url: '/v1/documents',
      body: noteOf('Content', { fileContent: base64('x') }),
    } as const
    expect((await send(world(), other, key)).status).toBe(422)
  })
})
