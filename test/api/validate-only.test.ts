// validateOnly=true on every write: the same rules and messages, the numbers and dates that would be assigned, nothing
// written and no number used up.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { base64, create, noteOf, onEachArchive, replace, urlOf } from '../support/documents.ts'
import { recordsOf } from '../support/resources/records.ts'
import { onEachStoreWith, RESOURCES } from '../support/resources/resource.ts'
import { type Answer, onEachStore, type Sent, type World } from '../support/world.ts'

const VALUES = '/v1/attribute-values'
const RELATIONS = '/v1/attribute-relations'

/** Validates a write: 200, and nothing has changed. */
async function tried(world: World, sent: Sent): Promise<Answer> {
  const before = await world.dump()
  const url = `${sent.url}${sent.url.includes('?') ? '&' : '?'}validateOnly=True`
  const answer = await world.send({ as: 'integration', ...sent, url })
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  expect([answer.headers.etag, answer.headers.location]).toEqual([undefined, undefined])
  expect(await world.changesSince(before)).toEqual([])
  return answer
}

/** Validates an invalid write: the answer is that of the write itself. */
async function refusedAlike(world: World, sent: Sent): Promise<void> {
  const validated = await world.send({ as: 'integration', ...sent, url: `${sent.url}?validateOnly=true` })
  const real = await world.send({ as: 'integration', ...sent })
  expect(real.status).toBeGreaterThanOrEqual(400)
  expect([validated.status, validated.text]).toEqual([real.status, real.text])
}

onEachStore('A validation-only write', (world) => {
  it('of a value answers the number that would be next, however often it is sent', async () => {
    const body = { attributeId: 'C5', description: 'A project' }
    const first = await tried(world(), { method: 'POST', url: VALUES, body })
    const second = await tried(world(), { method: 'POST', url: VALUES, body })
    const real = await world().send({ as: 'integration', method: 'POST', url: VALUES, body })
    expect(first.json.attributeValue).toBe(real.json.attributeValue)
    expect(second.json.attributeValue).toBe(real.json.attributeValue)
  })

  it('of a change, a relation and a closing answers what would be', async () => {
    const url = `${VALUES}/C1/CC100/0`
    const patched = await tried(world(), { method: 'PATCH', url, body: [replace('/description', 'Tried')] })
    expect(patched.json.description).toBe('Tried')
    const relation = { attributeId: 'C1', attributeValue: 'CC100', relatedAttributeId: 'C2', relationValue: '100' }
    expect((await tried(world(), { method: 'POST', url: RELATIONS, body: relation })).json).toMatchObject(relation)
    await world().send({ as: 'integration', method: 'POST', url: RELATIONS, body: relation })
    const address = `${RELATIONS}/C1/CC100/C2/100`
    const share = await tried(world(), { method: 'PATCH', url: address, body: [replace('/percentage', 7)] })
    expect(share.json.percentage).toBe(7)
    expect((await tried(world(), { method: 'DELETE', url: address })).text).toBe('')
    expect((await tried(world(), { method: 'DELETE', url })).text).toBe('')
    const after = await world().send({ as: 'integration', url })
    expect(after.json).toMatchObject({ description: 'Head office', status: 'N' })
  })

  it('is rejected with the same message as the write', async () => {
    await refusedAlike(world(), { method: 'POST', url: VALUES, body: {} })
    await refusedAlike(world(), { method: 'POST', url: VALUES, body: { attributeId: 'C1', attributeValue: 'CC100' } })
    await refusedAlike(world(), { method: 'PATCH', url: `${VALUES}/C1/CC100/0`, body: [replace('/attributeId', 'x')] })
    await refusedAlike(world(), { method: 'DELETE', url: `${VALUES}/C1/NOWHERE/0` })
    await refusedAlike(world(), { method: 'POST', url: RELATIONS, body: { attributeId: 'C1' } })
  })

  it.each(['false', 'False', ''])('is executed with validateOnly=%s', async (flag) => {
    const body = { attributeId: 'C6', attributeValue: `REAL${flag}` }
    const answer = await world().send({
      as: 'integration',
      method: 'POST',
      url: `${VALUES}?validateOnly=${flag}`,
      body,
    })
    expect(answer.status).toBe(201)
  })

  it.each(['validateOnly=maybe', 'validateOnly=true&$ValidateOnly=true'])(
    'is refused when it is requested by %s',
    async (query) => {
      const before = await world().dump()
      const body = { attributeId: 'C6', attributeValue: 'NEVER' }
      const answer = await world().send({ as: 'integration', method: 'POST', url: `${VALUES}?${query}`, body })
      expect(answer.status).toBe(400)
      expect(await world().changesSince(before)).toEqual([])
    },
  )

  it('goes on beside writes: fifty of each at once, and every write is there', async () => {
    const bodies = Array.from({ length: 50 }, (_, at) => ({ attributeId: 'C6', attributeValue: `MIX${at}` }))
    const answers = await Promise.all(
      bodies.flatMap((body) => [
        world().send({
          as: 'integration',
          method: 'POST',
          url: `${VALUES}?validateOnly=true`,
          body: { ...body, attributeValue: `T${body.attributeValue}` },
        }),
        world().send({ as: 'integration', method: 'POST', url: VALUES, body }),
      ]),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
    const rows = await world().query("select attribute_value from attribute_value where attribute_value like '%MIX%'")
    expect(rows).toHaveLength(50)
  })

  it('stores no answer under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'only-validated' }
    const body = { attributeId: 'C6', attributeValue: 'KEYED' }
    await tried(world(), { method: 'POST', url: VALUES, body, headers })
    const real = await world().send({ as: 'integration', method: 'POST', url: VALUES, body, headers })
    expect([real.status, real.headers['idempotency-replayed']]).toEqual([201, undefined])
  })
})

describe.each(RESOURCES)('$noun', (resource) => {
  const { bodyOf, numberedBody, urlOf, post, postNumbered } = recordsOf(resource)

  onEachStoreWith(resource, 'A validation-only write of a customer', (world) => {
    it('answers the number that would be next, and what would be changed', async () => {
      const tries = [await tried(world(), postNumbered(numberedBody()))]
      tries.push(await tried(world(), postNumbered(numberedBody())))
      expect(new Set(tries.map(({ json }) => json.customerId)).size).toBe(1)
      await world().send({ as: 'integration', ...post(bodyOf('T1')) })
      const url = urlOf('T1')
      expect(
        (await tried(world(), { method: 'PATCH', url, body: [replace('/aliasName', 'Tried')] })).json.aliasName,
      ).toBe('Tried')
      await tried(world(), { method: 'DELETE', url })
      await refusedAlike(world(), post(bodyOf('T1')))
    })
  })
})

onEachArchive('A validation-only write of a document', (world) => {
  const files = () => readdirSync(join(world().folder, 'files'), { recursive: true, encoding: 'utf8' }).length

  it('answers the document that would be, with its content, and stores no file', async () => {
    const before = files()
    const { json } = await tried(world(), { method: 'POST', url: '/v1/documents', body: noteOf('Tried') })
    expect(json).toMatchObject({ title: 'Tried', revisionNo: 1, fileContent: base64('Content of Tried') })
    expect(files()).toBe(before)
    expect((await world().send({ as: 'integration', url: urlOf(json.id) })).status).toBe(404)
  })

  describe('that is there', () => {
    it('answers the revision, the change and the deletion that would be', async () => {
      const { id } = await create(world(), noteOf('There'))
      const body = { id, comment: 'Tried', fileName: 'a.txt', fileContent: base64('tried') }
      const { json } = await tried(world(), { method: 'POST', url: '/v1/document-revisions', body })
      expect(json).toMatchObject({ revisionNo: 2, fileContent: base64('tried') })
      await tried(world(), { method: 'PATCH', url: urlOf(id), body: [replace('/title', 'Tried')] })
      await tried(world(), { method: 'DELETE', url: urlOf(id) })
      const after = await world().send({ as: 'integration', url: urlOf(id) })
      expect(after.json).toMatchObject({ title: 'There', revisionNo: 1, status: 'N' })
    })
  })

  it('is rejected with the same message as the write', async () => {
    await refusedAlike(world(), { method: 'POST', url: '/v1/documents', body: noteOf('') })
    await refusedAlike(world(), { method: 'POST', url: '/v1/documents', body: noteOf('x', { fileContent: '@' }) })
  })
})
