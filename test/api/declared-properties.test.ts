// The properties that a setup may declare: their names, their columns and how many they are. What is refused is told
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
const texts = (count: number, letter: string) => Array.from({ length: count }, (_, at) => `${letter}${at}: ${text}`)
const inGroup = (members: readonly string[]) => `inner: { group: { ${members.join(', ')} } }`
const inList = (members: readonly string[]) => `items: { list: { ${members.join(', ')} } }`

onEachStore('Properties that a setup declares', (world, kind) => {
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
    // PostgreSQL keeps a definition as JSON.
    const renamed = `replace(cast(definition as text), '"inn":', '"in":')${kind === 'postgres' ? '::json' : ''}`
    await world().query(`update setup_item set definition = ${renamed} where id = 'olds'`)
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

  it('are as many as both databases hold with every one filled', async () => {
    await apply(setup('wide', texts(298, 'p')))
    await soon('/v1/objects/wide')
    // A longer text is stored apart, a shorter one takes less.
    const filled = Object.fromEntries(
      texts(298, 'p').map((one) => [one.split(':')[0] ?? '', 'twenty-three characters']),
    )
    const created = await send('POST', '/v1/wide', { id: '1', ...filled })
    expect([created.status, created.json]).toEqual([201, expect.objectContaining(filled)])
    const patch = [{ op: 'replace', path: '/p297', value: 'last' }]
    expect((await send('PATCH', '/v1/wide/1', patch)).json).toMatchObject({ ...filled, p297: 'last' })
    const { json } = await send('GET', "/v1/objects/wide?$filter=p297 eq 'last'&$select=*")
    expect(json).toEqual([expect.objectContaining({ ...filled, p297: 'last' })])
    expect((await send('GET', "/odata/v4/EN/wide('1')")).json).toMatchObject({ ...filled, p297: 'last' })
  })

  it('are as many in a list', async () => {
    await apply(setup('listed', [inList(texts(297, 'p'))]))
    await soon('/v1/objects/listed')
    const items = [Object.fromEntries(texts(297, 'p').map((one) => [one.split(':')[0] ?? '', 'x']))]
    expect((await send('POST', '/v1/listed', { id: '1', items })).status).toBe(201)
    expect((await send('GET', '/v1/objects/listed?$select=items')).json).toEqual([{ items }])
    const { json } = await send('GET', '/odata/v4/EN/listed?$expand=items')
    expect(json.value[0].items).toMatchObject(items)
    expect((await send('GET', '/odata/v4/EN/listed_items')).json.value).toMatchObject(items)
  })

  it.each([
    ['properties', [...texts(299, 'p')], 301],
    ['members of a group', [inGroup(texts(299, 'p'))], 301],
    ['items of a list', [inList(texts(298, 'p'))], 301],
    ['lists', Array.from({ length: 150 }, (_, at) => `l${at}: { list: { x: ${text} } }`), 302],
    ['everything', [inGroup(texts(500, 'p')), inList(texts(499, 'q')), ...texts(500, 'r')], 1502],
  ])('are not more than that: %s', async (_what, properties, count) => {
    await apply(setup('narrow', []))
    await soon('/v1/objects/narrow')
    expect(await refusalOf(setup('toowide', properties))).toEqual([
      `6:5 documents[0].properties: a document has at most 300 properties, with those of groups and lists; found ${count}`,
    ])
    expect((await send('GET', '/v1/objects/narrow')).json).toEqual([])
  })

  it('leave columns behind, which are bounded too', async () => {
    for (const letter of ['a', 'b', 'c']) await apply(setup('changing', texts(295, letter)))
    const refusal = await refusalOf(setup('changing', texts(295, 'd')))
    expect(refusal).toEqual([
      'document changing: a table has at most 900 columns; it would have 1185 columns, with those of properties that it no longer has',
    ])
    await apply(setup('changing', texts(295, 'a')))
    await soon('/v1/objects/changing')
    expect((await send('POST', '/v1/changing', { id: '1', a294: 'x' })).status).toBe(201)
    expect((await send('GET', '/v1/objects/changing?$select=a294')).json).toEqual([{ a294: 'x' }])
  })
})
