// DELETE of one attribute relation: specification, attribute relations, rules 5, 8 and 9, and states; decision 3.
import { expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const collection = '/v1/attribute-relations'
const remove = (path: string, rest: Partial<Scenario> = {}) =>
  ({ method: 'DELETE', url: `${collection}/${path}`, ...rest }) as const

const notFound = (attribute: string, value: string, related: string, relationValue: string) => ({
  code: 1040,
  message: `The entity of the following parameters [Company: EN, Attribute ID: ${attribute}, Attribute value: ${value}, Related attribute ID: ${related}, Relation value: ${relationValue}] was not found.`,
})
const notAuthorised = { code: 2030, message: 'User is not authorised.' }

const refused: Scenario[] = [
  {
    name: 'refuses an unknown attribute, naming the key (rule 5)',
    ...remove('ZZ/CC100/C2/100'),
    status: 404,
    json: notFound('ZZ', 'CC100', 'C2', '100'),
  },
  {
    name: 'refuses an unknown attribute value (rule 5)',
    ...remove('C1/NOPE/C2/100'),
    status: 404,
    json: notFound('C1', 'NOPE', 'C2', '100'),
  },
  {
    name: 'refuses an unknown related attribute (rule 5)',
    ...remove('C1/CC100/ZZ/100'),
    status: 404,
    json: notFound('C1', 'CC100', 'ZZ', '100'),
  },
  {
    name: 'refuses an unknown relation value (rule 5)',
    ...remove('C1/CC100/C2/100'),
    status: 404,
    json: notFound('C1', 'CC100', 'C2', '100'),
  },
  { name: 'refuses a path that lacks a value', ...remove('C1/CC100/C2'), status: 404, code: 1030 },
  { name: 'refuses a path that lacks all values', method: 'DELETE', url: collection, status: 404, code: 1030 },
  {
    name: 'refuses a caller who may only read with 403 (rule 9)',
    as: 'reader',
    ...remove('C1/CC100/C2/100'),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'refuses an unknown company with 403 (rule 9)',
    ...remove('C1/CC100/C2/100?companyId=XX'),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'refuses the company of somebody else exactly as one that does not exist (decision 0)',
    ...remove('C1/CC100/C2/100?companyId=SV'),
    status: 403,
    json: notAuthorised,
  },
]

onEachStore(
  'DELETE /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}',
  (world) => {
    const read = (at: string) => world().send({ as: 'integration', url: at })
    const send = (method: 'POST' | 'PATCH', at: string, body: unknown) =>
      world().send({ as: 'integration', method, url: at, body })
    const drop = (at: string, headers: Record<string, string> = {}) =>
      world().send({ as: 'integration', method: 'DELETE', url: at, headers })
    const connect = async (path: string, rest: object = {}) => {
      const [attributeId, attributeValue, relatedAttributeId, relationValue] = path.split('/')
      const body = { attributeId, attributeValue, relatedAttributeId, relationValue, ...rest }
      expect((await send('POST', collection, body)).status).toBe(201)
      return `${collection}/${path}`
    }

    runScenarios(world, refused)

    it('deletes a relation for good: 200 without content, then 404 (rule 8, decision 3)', async () => {
      const at = await connect('C1/CC100/C2/100')
      const deleted = await drop(`${at}/?foo=1`)
      expect([deleted.status, deleted.text]).toEqual([200, ''])
      expect((await read(at)).json).toEqual(notFound('C1', 'CC100', 'C2', '100'))
      expect((await drop(at)).status).toBe(404)
      expect(await world().query('select * from attribute_relation')).toEqual([])
    })

    it('takes an empty DELETE that claims a JSON body (habits)', async () => {
      const at = await connect('C1/CC100/C2/100')
      expect((await drop(at, { 'content-type': 'application/json' })).status).toBe(200)
    })

    it('allows the same relation again, or another one of a single-valued kind', async () => {
      expect((await drop(await connect('C0/SICK/C1/CC100'))).status).toBe(200)
      expect((await drop(await connect('C0/SICK/C1/CC100'))).status).toBe(200)
      expect((await drop(await connect('C0/SICK/C1/CC200'))).status).toBe(200)
    })

    it('writes one journal entry with the relation as it was', async () => {
      await drop(await connect('C1/CC300/C2/300', { percentage: 12.5 }))
      const entries = await world().query(
        `select * from audit_entry where record_key = '["C1","CC300","C2","300"]' order by entry_no`,
      )
      expect(entries.map((entry) => [entry.entity, entry.operation, entry.after === ''])).toEqual([
        ['attribute-relation', 'create', false],
        ['attribute-relation', 'delete', true],
      ])
      expect(entries[1]?.before).toBe(entries[0]?.after)
    })

    it('is one record with the related value: gone from either, it is gone from both (decision 2)', async () => {
      const value = '/v1/attribute-values/C1/CC200/0'
      const first = await connect('C1/CC200/C2/100')
      const second = await connect('C1/CC200/C2/200')
      const tag = (await read(value)).headers.etag
      await drop(first)
      const shown = await read(value)
      expect(shown.json.relatedValues).toMatchObject([{ relatedValue: '200' }])
      expect(shown.json.relatedValues).toHaveLength(1)
      expect(shown.headers.etag).not.toBe(tag)
      await send('PATCH', value, [{ op: 'remove', path: '/relatedValues/0' }])
      expect((await read(second)).status).toBe(404)
      expect((await drop(second)).status).toBe(404)
    })

    it('refuses to delete the last relation of a mandatory kind, as a patch of the value does (decision 2)', async () => {
      for (const [attributeId, attributeValue] of [['LI', 'NO2']]) {
        await send('POST', '/v1/attribute-values', { attributeId, attributeValue })
      }
      await send('POST', '/v1/attribute-values', {
        attributeId: 'A4',
        attributeValue: '1001',
        relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1', dateTo: '2025-12-31' }],
      })
      const at = `${collection}/A4/1001/LI/NO1`
      const before = await world().dump()
      const refusal = await drop(at)
      expect([refusal.status, refusal.json]).toEqual([
        422,
        { code: 3010, message: 'The relation Legal entity is mandatory' },
      ])
      expect(await world().changesSince(before)).toEqual([])
      const second = await connect('A4/1001/LI/NO2', { dateFrom: '2026-01-01' })
      expect((await drop(at)).status).toBe(200)
      expect((await drop(second)).status).toBe(422)
    })

    it('deletes a relation whose entity tag still holds, and refuses with who, what and when it no longer does', async () => {
      const at = await connect('C1/CC100/C2/200')
      const tag = String((await read(at)).headers.etag)
      const patched = await send('PATCH', at, [{ op: 'replace', path: '/percentage', value: 5 }])
      const before = await world().dump()
      const refusal = await drop(at, { 'if-match': tag })
      expect([refusal.status, refusal.json.code]).toEqual([409, 3090])
      expect(refusal.json.message).toMatch(/another user: svc-integration changed percentage at \d{4}-/)
      expect(await world().changesSince(before)).toEqual([])
      expect((await drop(at, { 'if-match': String(patched.headers.etag) })).status).toBe(200)
    })

    it('lets one of many deletions that come at once find the relation', async () => {
      const at = await connect('C1/CC100/C2/300')
      const answers = await Promise.all(Array.from({ length: 16 }, () => drop(at)))
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 404)])
    })
  },
)
