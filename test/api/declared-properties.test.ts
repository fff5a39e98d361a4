// The properties that a setup may declare: their names, their columns and how many they are. What is refused is told
// with its place, and nothing of the setup is applied.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { longIt } from '../support/reliability-test.ts'
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
    const plain = [`contact_points: ${text}`, `attributeId: ${text}`, `relatedValues: ${text}`]
    const valued = [`contactPoints: ${text}`, 'relatedValues: { list: { relationId: { type: string } } }']
    for (const [name, content, given, changed] of [
      [
        'plain',
        setup('plain', plain),
        { contact_points: 'p', attributeId: 'a', relatedValues: 'r' },
        { relatedValues: 'r2' },
      ],
      [
        'valued',
        setup('valued', valued, '    attributeId: PA\n'),
        { contactPoints: 'c', relatedValues: [{ relationId: 'r' }] },
        { contactPoints: 'c2' },
      ],
    ] as const) {
      await apply(content)
      await soon(`/v1/objects/${name}`)
      const created = await send('POST', `/v1/${name}`, { id: '1', ...given })
      expect([created.status, created.json]).toEqual([201, expect.objectContaining(given)])
      const patch = Object.entries(changed).map(([path, value]) => ({ op: 'replace', path, value }))
      const record = { ...given, ...changed }
      expect((await send('PATCH', `/v1/${name}/1`, patch)).json).toMatchObject(record)
      expect((await send('GET', `/v1/${name}/1`)).json).toMatchObject(record)
    }
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

  longIt('leave columns behind, which are bounded too', async () => {
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

  it.each(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])(
    'have no column that a database keeps itself: %s',
    async (name) => {
      const declared = [`${name}: ${text}`, `x: { type: string, column: ${name} }`, `${name}s: ${text}`]
      const message = `the column ${name} is kept by the database itself`
      expect(await refusalOf(setup('things', declared))).toEqual([
        `9:7 documents[0].properties.${name}: ${message}`,
        `10:34 documents[0].properties.x.column: ${message}`,
      ])
    },
  )

  it('have no column that a database would cut off, or that has other characters than letters, digits and _', async () => {
    const [group, inner, camel] = ['g'.repeat(50), 'p'.repeat(49), 'aB'.repeat(24)]
    const declared = [
      `${group}: { group: { ${inner}a: ${text}, ${inner}b: ${text} } }`,
      `${camel}: ${text}`,
      `${camel}x: { list: { x: ${text} } }`,
      ...[`'ü'`, `'a.b'`, `'a"b'`, `'a b'`, `'1'`, `'${'c'.repeat(63)}'`].map(
        (column, at) => `x${at}: { type: string, column: ${column} }`,
      ),
    ]
    const message = (column: string) =>
      `the column ${JSON.stringify(column)} is not of at most 63 letters, digits and _: name another column`
    const long = `${'a_b'.repeat(1)}${'a_b'.repeat(23)}`
    expect(await refusalOf(setup('things', declared))).toEqual([
      `9:70 documents[0].properties.${group}.group.${inner}a: ${message(`${group}_${inner}a`)}`,
      `9:140 documents[0].properties.${group}.group.${inner}b: ${message(`${group}_${inner}b`)}`,
      `10:7 documents[0].properties.${camel}: ${message(long)}`,
      `11:7 documents[0].properties.${camel}x: ${message(`${long}x`)}`,
      `12:35 documents[0].properties.x0.column: ${message('ü')}`,
      `13:35 documents[0].properties.x1.column: ${message('a.b')}`,
      `14:35 documents[0].properties.x2.column: ${message('a"b')}`,
      `15:35 documents[0].properties.x3.column: ${message('a b')}`,
      `16:35 documents[0].properties.x4.column: ${message('1')}`,
    ])
    await apply(setup('longest', [`x: { type: string, column: ${'c'.repeat(63)}, unique: true }`]))
    await soon('/v1/objects/longest')
    expect((await send('POST', '/v1/longest', { id: '1', x: 'x' })).status).toBe(201)
    await apply(setup('longest', [`x: { type: string, column: ${'c'.repeat(63)}, unique: true }`]))
  })

  it('have no column that is there in another letter case', async () => {
    await apply(setup('cased', [`x: { type: string, column: Kept }`]))
    expect(await refusalOf(setup('cased', [`x: { type: string, column: kepT }`]))).toEqual([
      'document cased: the column kepT is there as Kept: name it so',
    ])
  })

  it('may be called as what JavaScript and databases have of everything', async () => {
    const operators = ['add', 'sub', 'mul', 'div', 'divby', 'mod', 'has']
    const objects = ['constructor', 'toString', 'valueOf', 'hasOwnProperty']
    const names = [...objects, ...operators, 'rowid', 'oid', 'select', 'user', 'position']
    const declared = names.map((name) => `${name}: ${text}`)
    const members = declared.join(', ')
    await apply(setup('named', [...declared, `inner: { group: { ${members} } }`, `items: { list: { ${members} } }`]))
    await soon('/v1/objects/named')
    const values = Object.fromEntries(names.map((name) => [name, `its ${name}`]))
    const record = { ...values, inner: values, items: [values] }
    expect((await send('POST', '/v1/named', { id: '1', ...record })).status).toBe(201)
    expect((await send('GET', '/v1/named/1')).json).toMatchObject(record)
    for (const name of names) {
      for (const filter of [
        `${name} eq 'its ${name}'`,
        `inner/${name} eq 'its ${name}'`,
        `items/any(i: i/${name} eq 'its ${name}')`,
      ]) {
        const { json } = await send(
          'GET',
          `/v1/objects/named?$select=id,${name},inner(${name}),items(${name})&$filter=${filter}`,
        )
        expect([filter, json]).toEqual([
          filter,
          [{ id: '1', [name]: `its ${name}`, inner: { [name]: `its ${name}` }, items: [{ [name]: `its ${name}` }] }],
        ])
        if (name === 'position') continue
        const { json: found } = await send('GET', `/odata/v4/EN/named?$select=id&$orderby=${name}&$filter=${filter}`)
        expect([filter, found.value]).toEqual([filter, [{ id: '1' }]])
      }
    }
    // An item of OData has a position of its own.
    const named = { ...record, items: [{ ...values, position: 1, position2: 'its position' }] }
    expect((await send('GET', "/odata/v4/EN/named('1')?$expand=items")).json).toMatchObject(named)
  })

  const target =
    '  - { name: target, key: [companyId, id], properties: { companyId: { type: string }, id: { type: string } } }'
  const references = (count: number) =>
    Array.from({ length: count }, (_, at) => [`k${at}: ${text}`, `r${at}: { reference: target, key: [k${at}] }`]).flat()

  it('refer to as many records as one question can join', async () => {
    await apply(setup('joined', references(50), target))
    await soon('/v1/objects/joined')
    expect((await send('POST', '/v1/joined', { id: '1' })).status).toBe(201)
    const all = references(50).flatMap((one) => (one.startsWith('r') ? [one.split(':')[0]] : []))
    for (const query of [
      `/v1/objects/joined?$select=id,${all.map((one) => `${one}(id)`)}`,
      `/v1/objects/joined?$filter=${all.map((one) => `${one}/id ne 'x'`).join(' and ')}`,
      `/odata/v4/EN/joined?$expand=${all}`,
    ]) {
      const { status, json } = await send('GET', query)
      expect([query, status, (json.value ?? json).length]).toEqual([query, 200, 1])
    }
    expect(await refusalOf(setup('toojoined', references(51), target))).toEqual([
      '6:5 documents[0].properties: a document has at most 50 references; found 51',
    ])
  })

  it.each([
    ['company: "E\\0N"', 'companies[0].name', 'companies: [{ id: EN, name: "E\\0N" }]'],
    [
      'code',
      'companies[0].valueLists.L.a\\ud800',
      'companies: [{ id: EN, name: EN, valueLists: { L: { "a\\ud800": A } } }]',
    ],
    ['role', 'roles[0].objects[1]', 'roles: [{ id: every, objects: [customers, "\\0"] }]'],
  ])('and all else of a setup have no character that no database keeps: %s', async (_what, path, line) => {
    const at = JSON.parse(`"${path.replaceAll('\\', '\\')}"`)
    const [refusal = ''] = await refusalOf(`version: 1\n${line}\n`)
    expect(refusal).toMatch(/^2:\d+ /)
    expect(refusal.replace(/^\S+ /, '')).toBe(`${at}: no text holds U+0000 or half a character`)
  })

  const CUSTOMERS = `attributes: [{ id: A4, name: CUSTOMER, maintenance: system }]`
  const withFields = (group: string, fields: readonly string[]) => {
    const declared = fields.map((name) => `{ name: ${name}, type: string }`).join(', ')
    return `version: 1
companies:
  - id: FX
    name: FX
    ${CUSTOMERS}
    customers: { attributeId: A4, customFieldGroups: [{ name: ${group}, fields: [${declared}] }] }
`
  }

  it.each([
    ['g', '"a/b"', "fields[0].name: 'a/b' is no name of a field: letters, digits and _ are"],
    ['g', '"a b"', "fields[0].name: 'a b' is no name of a field: letters, digits and _ are"],
    ['g', '".."', "fields[0].name: '..' is no name of a field: letters, digits and _ are"],
    ['g', '"null"', "fields[0].name: 'null' is a word of the query language, which cannot name a field"],
    ['g', 'And', "fields[0].name: 'And' is a word of the query language, which cannot name a field"],
    ['g', '__proto__', "fields[0].name: a field cannot be called '__proto__'"],
    ['"a,b"', 'f', "name: 'a,b' is no name of a group: letters, digits and _ are"],
    ['__proto__', 'f', "name: a group cannot be called '__proto__'"],
    ['in', 'f', "name: 'in' is a word of the query language, which cannot name a group"],
  ])('of customers can be named in a question: %s/%s', async (group, field, message) => {
    const at = 'companies[0].customers.customFieldGroups[0]'
    const [refusal = ''] = await refusalOf(withFields(group, [field]))
    expect(refusal.replace(/^6:\d+ /, '')).toBe(`${at}.${message}`)
  })

  it('of customers are as many as one question can ask for', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`)
    expect(await refusalOf(withFields('g', names(301)))).toEqual([
      '6:35 companies[0].customers.customFieldGroups: customers have at most 300 fields; found 301',
    ])
    await apply(withFields('g', ['constructor', 'größe', ...names(298)]))
  })

  it('have no pattern that could take long for the longest text, unless it is in force', async () => {
    const pattern = "'[A-Z]{1,1000}[A-Z]{1,1000}B'"
    const slow = (most: number, longest = 10_000) =>
      `the pattern could take long for ${longest} characters: a maxLength of at most ${most} is needed, or a simpler pattern`
    const declared = [
      `x: { type: string, pattern: ${pattern} }`,
      `items: { list: { y: { type: string, maxLength: 500, pattern: ${pattern} } } }`,
      `z: { type: string, maxLength: 499, pattern: ${pattern} }`,
      `u: { type: string, unique: true, pattern: ${pattern} }`,
      `v: { type: string, pattern: '[A-Z0-9 -]{1,90}' }`,
    ]
    expect(await refusalOf(setup('matched', declared))).toEqual([
      `9:35 documents[0].properties.x.pattern: ${slow(499)}`,
      `10:68 documents[0].properties.items.list.y.pattern: ${slow(499, 500)}`,
    ])
    await apply(setup('matched', declared.slice(2)))
    const long = declared[2]?.replace('maxLength: 499, ', '') ?? ''
    await apply(setup('matched', [long, ...declared.slice(3)]))
  })

  it('are described whatever their document is called', async () => {
    const described = async () => (await world().send({ url: '/openapi.json' })).json
    const { components, paths: before } = await described()
    const words = Object.keys(components.schemas).flatMap(
      (title) => /^([A-Z][a-z]+)(?:Document|Record)$/.exec(title)?.[1]?.toLowerCase() ?? [],
    )
    const taken = [...new Set(words)].filter((word) => !(`/v1/objects/${word}` in before))
    expect(taken).toContain('own')
    const named = (name: string, property: string) =>
      `  - { name: ${name}, key: [id], properties: { id: ${text}, ${property}: ${text} } }`
    const others = [...taken, 'a-1', 'a1'].map((name) => named(name, `${name.replace('-', '_')}_text`))
    await apply(setup('first', [`x: ${text}`], others.join('\n')))
    await vi.waitFor(async () => {
      const { paths } = await described()
      for (const name of [...taken, 'a-1', 'a1'])
        expect(paths).toMatchObject({ [`/v1/objects/${name}`]: {}, [`/v1/${name}`]: {} })
    }, SOON)
    expect((await world().send({ url: '/docs/api' })).status).toBe(200)
  })
})
