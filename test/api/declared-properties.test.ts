// The properties that a setup may declare: their names and their columns. What is refused is told
// with its place, and nothing of the setup is applied.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { setupTask } from '../../src/app/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { onEachStore } from '../support/world.ts'

const HASH = 'scrypt$1024$8$1$Zml4dHVyZSBzZWNyZXQgcw==$DCei+LZQYxNZjA1a0XGMZ5IVAru8DX+xW/IG03C3haA='
/** A busy machine may take longer than Vitest's second. */
const SOON = { timeout: 120_000 }

/** A setup whose document has its further properties from line 9 on, in column 7. */
const setup = (name: string, properties: readonly string[], more = '') => `version: 1
companies: [{ id: EN, name: Example Nordic AS, attributes: [{ id: PA, name: PART }] }]
documents:
  - name: ${name}
    key: [companyId, id]
    properties:
      companyId: { type: string }
      id: { type: string }
${properties.map((one) => `      ${one}\n`).join('')}${more}
roles: [{ id: every, apis: { ${name.replace('external', 'documents')}: [create, read, update], objects: [read] }, objects: ["*"] }]
users: [{ id: everybody, defaultCompany: EN, roles: { EN: [every] } }]
clients: [{ id: caller, user: everybody, secretHash: "${HASH}" }]
`
const text = '{ type: string }'
const inGroup = (members: readonly string[]) => `inner: { group: { ${members.join(', ')} } }`
const inList = (members: readonly string[]) => `items: { list: { ${members.join(', ')} } }`

onEachStore('Properties that a setup declares', (world) => {
  const apply = (content: string) => {
    const file = join(world().folder, 'declared.yaml')
    writeFileSync(file, content)
    return applySetup(setupTask(world().application.service.store, file, () => {}))
  }
  /** The lines of the refusal without the file; nothing is written. */
  const refusalOf = async (content: string) => {
    const before = await world().dump()
    const message = await apply(content).then(
      ({ text }) => `applied: ${text}`,
      (error: Error) => error.message,
    )
    expect(await world().changesSince(before)).toEqual([])
    return message.split('\n').map((line) => line.replace(/^.*declared\.yaml:/, ''))
  }
  const send = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) =>
    world().send({ as: 'caller', method, url, ...(body === undefined ? {} : { body }) })
  /** What the service answers once it has the setup. */
  const soon = (url: string, status = 200) =>
    vi.waitFor(async () => expect((await send('GET', url)).status).toBe(status), SOON)

  it('have no name that is a word of the query language', async () => {
    const words = 'and or not eq ne gt ge lt le in null true false INF NaN'.split(' ')
    const all = words.flatMap((word) => [
      ...new Set([word, word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`]),
    ])
    for (const word of all) {
      const message = `'${word}' is a word of the query language, which cannot name a property`
      const at = 'documents[0].properties'
      const declared = [`"${word}": ${text}`, inGroup([`"${word}": ${text}`]), inList([`"${word}": ${text}`])]
      expect(await refusalOf(setup('things', declared))).toEqual([
        `9:7 ${at}.${word}: ${message}`,
        `10:25 ${at}.inner.group.${word}: ${message}`,
        `11:24 ${at}.items.list.${word}: ${message}`,
      ])
    }
    const external = setup('external', [`in: ${text}`, `inner: { group: { "null": ${text} } }`]).replace(
      '- name: external',
      '- name: external\n    table: erp.things',
    )
    expect(await refusalOf(external)).toEqual([
      expect.stringMatching(/^10:7 documents\[0\]\.properties\.in: 'in' is a word/),
      expect.stringMatching(/^11:25 documents\[0\]\.properties\.inner\.group\.null: 'null' is a word/),
    ])
  })

  it('keep such a name that is in force', async () => {
    const declared = (name: string, more: readonly string[] = []) =>
      setup('olds', [`${name}: { type: string, column: inn }`, ...more])
    await apply(declared('inn'))
    await world().query(`update setup_item set definition = replace(definition, '"inn":', '"in":') where id = 'olds'`)
    await apply(declared('in', [`more: ${text}`]))
    await vi.waitFor(async () => {
      expect((await send('POST', '/v1/olds', { id: '1', in: 'x', more: 'y' })).status).toBe(201)
    }, SOON)
    expect((await send('GET', '/v1/olds/1')).json).toMatchObject({ in: 'x', more: 'y' })
    expect(await refusalOf(declared('in', [`In: ${text}`, `or: ${text}`]))).toEqual(
      expect.arrayContaining([expect.stringContaining("'or' is a word of the query language")]),
    )
  })

  it.each([
    [`company_id: ${text}`, 'company_id', '9:7 documents[0].properties.company_id'],
    [`COMPANY_ID: ${text}`, 'company_id', '9:7 documents[0].properties.COMPANY_ID'],
    [`x: { type: string, column: Company_Id }`, 'Company_Id', '9:34 documents[0].properties.x.column'],
    [`company: { group: { id: ${text} } }`, 'company_id', '9:27 documents[0].properties.company.group.id'],
    [`updatedAt: ${text}`, 'updated_at', '9:7 documents[0].properties.updatedAt'],
    [`updated: { group: { by: ${text} } }`, 'updated_by', '9:27 documents[0].properties.updated.group.by'],
    [`x: { type: string, column: _change_no }`, '_change_no', '9:34 documents[0].properties.x.column'],
    [`updated_by: { list: { x: ${text} } }`, 'updated_by', '9:7 documents[0].properties.updated_by'],
    [`contact_points: ${text}`, 'contact_points', '9:7 documents[0].properties.contact_points'],
    [`attributeId: ${text}`, 'attribute_id', '9:7 documents[0].properties.attributeId'],
  ])('have no column that the service keeps itself: %s', async (property, column, place) => {
    const parts = '    attributeId: PA\n    contactPoints: true'
    expect(await refusalOf(setup('things', [property], parts))).toEqual([
      `${place}: the column ${column} is kept by the service itself`,
    ])
  })

  it('may be called as what the document does not have', async () => {
    await apply(setup('plain', [`contact_points: ${text}`, `attributeId: ${text}`]))
    await soon('/v1/objects/plain')
  })
})
