// What PATCH /v1/documents/{id} changes: specification, documents 7; decisions 0, 2, 4 and 5; client habits.
import { expect, it } from 'vitest'
import { create, INDEXES, invoiceOf, noteOf, onEachArchive, replace, urlOf } from '../support/documents.ts'
import type { Sent } from '../support/world.ts'

const remove = (path: string) => ({ op: 'remove', path })

onEachArchive('PATCH /v1/documents/{id}', (world) => {
  const send = (request: Sent) => world().send({ as: 'integration', ...request })
  const read = async (id: string) => (await send({ url: urlOf(id) })).json

  /** Patches a new document; returns its changes. */
  async function changesBy(body: Record<string, unknown>, operations: unknown, rest: Partial<Sent> = {}) {
    const { id } = await create(world(), body)
    const before = await read(id)
    const answer = await send({ method: 'PATCH', url: urlOf(id), body: operations, ...rest })
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '0'])
    expect(answer.headers['content-type']).toBeUndefined()
    const { headers, json: after } = await send({ url: urlOf(id) })
    expect(answer.headers.etag).toBe(headers.etag)
    const changed = Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    )
    const { lastUpdate: _lastUpdate, ...others } = Object.fromEntries(changed)
    return others
  }

  const remark = (indexValue: string) => ({ sequenceNo: 3, indexValue })
  const partner = { docType: 'CONTRACT', indexes: [{ sequenceNo: 10, indexValue: 'Nordfjord AS' }] }

  it.each([
    ['/title', invoiceOf('Before'), [replace('/title', ' After ')], { title: ' After ' }],
    ['/title by add', noteOf('Before'), [{ op: 'Add', path: '/title', value: 'After' }], { title: 'After' }],
    [
      'a title of 255 characters',
      noteOf('Before'),
      [replace('/title', '\u{1f600}'.repeat(255))],
      { title: '\u{1f600}'.repeat(255) },
    ],
    ['/title with a number', noteOf('Before'), [replace('/title', 4711)], { title: '4711' }],
    ['/description', noteOf('Before'), [replace('/description', 'New\n"one"')], { description: 'New\n"one"' }],
    [
      '/description, emptied',
      noteOf('Before', { description: 'Old' }),
      [replace('/description', '')],
      { description: '' },
    ],
    [
      '/description, taken away',
      noteOf('Before', { description: 'Old' }),
      [remove('/description')],
      { description: '' },
    ],
    [
      '/description with null',
      noteOf('Before', { description: 'Old' }),
      [replace('/description', null)],
      { description: '' },
    ],
    [
      '/indexes/{index}/indexValue by place, not by number',
      noteOf('Before', partner),
      [replace('/indexes/1/indexValue', '100'), replace('/indexes/0/indexValue', 'Sunnfjord AS')],
      {
        indexes: [
          { sequenceNo: 10, indexValue: 'Sunnfjord AS' },
          { sequenceNo: 20, indexValue: '100' },
        ],
      },
    ],
    [
      'an optional index, emptied by remove',
      invoiceOf('Before', { indexes: [...INDEXES, remark('x')] }),
      [remove('/indexes/2/indexValue')],
      { indexes: [...INDEXES, remark('')] },
    ],
    [
      '/indexes as a whole, in any order, in PascalCase',
      invoiceOf('Before'),
      [
        replace('/indexes', [
          remark('r'),
          { IndexValue: 'CC200', SequenceNo: '1' },
          { SequenceNo: 2, IndexValue: 4712 },
        ]),
      ],
      { indexes: [{ sequenceNo: 1, indexValue: 'CC200' }, { sequenceNo: 2, indexValue: '4712' }, remark('r')] },
    ],
    [
      '/indexes as a whole: what is left out is emptied',
      invoiceOf('Before', { indexes: [...INDEXES, remark('old')] }),
      [replace('/indexes', INDEXES)],
      { indexes: [...INDEXES, remark('')] },
    ],
    ['/indexes as they were read', invoiceOf('Before'), [replace('/indexes', [...INDEXES, remark('')])], {}],
    ['/indexes of a type without any', noteOf('Before'), [replace('/indexes', [])], {}],
    [
      'several at once, one after the other',
      invoiceOf('Before'),
      [
        replace('/title', 'First'),
        replace('/indexes', [...INDEXES, remark('a')]),
        replace('/indexes/2/indexValue', 'b'),
        replace('/title', 'Second'),
        replace('/description', 'Third'),
      ],
      { title: 'Second', description: 'Third', indexes: [...INDEXES, remark('b')] },
    ],
    [
      'what was wrong after an operation and is right after the next',
      invoiceOf('Before'),
      [
        replace('/title', ''),
        replace('/indexes/0/indexValue', 'CC999'),
        replace('/title', 'Right'),
        replace('/indexes/0/indexValue', 'CC300'),
      ],
      { title: 'Right', indexes: [{ sequenceNo: 1, indexValue: 'CC300' }, INDEXES[1], remark('')] },
    ],
    [
      'paths in PascalCase without the slash, members in any order, unknown ones passed over (habits)',
      invoiceOf('Before'),
      [
        { value: 'Pascal', from: 'x', path: 'Title', op: 'Replace' },
        { Path: 'Indexes/0/IndexValue', Value: 'CC200', Op: 'REPLACE' },
      ],
      { title: 'Pascal', indexes: [{ sequenceNo: 1, indexValue: 'CC200' }, INDEXES[1], remark('')] },
    ],
    ['nothing at all', invoiceOf('Before'), [], {}],
  ])('rule 7: changes %s, and answers 200 without a body', async (_name, body, operations, changes) => {
    expect(await changesBy(body, operations)).toEqual(changes)
  })

  it.each([
    'application/json-patch+json',
    'application/json-patch+json; charset=utf-8',
    'application/json; charset=UTF-8',
  ])('takes a body of the type %s (decision 2)', async (type) => {
    const changes = await changesBy(noteOf('Typed'), [replace('/title', 'Read')], {
      headers: { 'content-type': type },
    })
    expect(changes).toEqual({ title: 'Read' })
  })

  it('takes unknown parameters, a slash at the end, and an id in upper case (habits, decision 4)', async () => {
    const { id } = await create(world(), noteOf('Habits'))
    const url = urlOf(id.toUpperCase(), '/?&foo=1&CompanyID=en')
    expect((await send({ method: 'PATCH', url, body: [replace('/title', 'Done')] })).status).toBe(200)
    expect((await read(id)).title).toBe('Done')
  })

  it('reports when the document was changed and by whom', async () => {
    const { id, lastUpdate } = await create(world(), noteOf('Stamped'), 'both')
    expect(lastUpdate.updatedBy).toBe('svc-both')
    await send({ method: 'PATCH', url: urlOf(id), body: [replace('/title', 'Again')] })
    const after = (await read(id)).lastUpdate
    expect(after.updatedBy).toBe('svc-integration')
    expect(after.updatedAt >= lastUpdate.updatedAt).toBe(true)
  })

  it('leaves a value alone that is no longer legal, and refuses it where it is new (rule 7)', async () => {
    const value = '/v1/attribute-values/C1'
    const closed = { attributeId: 'C1', attributeValue: 'CCOLD', description: 'Old', periodFrom: 0 }
    expect((await send({ method: 'POST', url: '/v1/attribute-values', body: closed })).status).toBe(201)
    const { id } = await create(
      world(),
      invoiceOf('Old', { indexes: [{ sequenceNo: 1, indexValue: 'CCOLD' }, INDEXES[1]] }),
    )
    expect((await send({ method: 'DELETE', url: `${value}/CCOLD/0` })).status).toBe(200)
    const change = [replace('/indexes/1/indexValue', '4712'), replace('/title', 'Kept')]
    expect((await send({ method: 'PATCH', url: urlOf(id), body: change })).status).toBe(200)
    expect((await read(id)).indexes[0].indexValue).toBe('CCOLD')
    const other = await create(world(), invoiceOf('Other'))
    const refused = await send({
      method: 'PATCH',
      url: urlOf(other.id),
      body: [replace('/indexes/0/indexValue', 'CCOLD')],
    })
    expect([refused.status, refused.json.notificationMessages.indexes[0].code]).toEqual([400, 3010])
  })

  it('loses none of several changes at once, of whatever field', async () => {
    const { id } = await create(world(), invoiceOf('Crowded'))
    const operations = [
      replace('/title', 'Changed'),
      replace('/description', 'too'),
      replace('/indexes/0/indexValue', 'CC200'),
      replace('/indexes/1/indexValue', '4712'),
      replace('/indexes/2/indexValue', 'r'),
    ]
    const answers = await Promise.all(
      operations.map((operation) => send({ method: 'PATCH', url: urlOf(id), body: [operation] })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(5)
    const indexes = ['CC200', '4712', 'r'].map((indexValue, place) => ({ sequenceNo: place + 1, indexValue }))
    expect(await read(id)).toMatchObject({ title: 'Changed', description: 'too', indexes })
  })

  it('lets one of several win who know the same state; the others get 409 and who was first (decision 5)', async () => {
    const { id } = await create(world(), noteOf('Raced'))
    const { headers } = await send({ url: urlOf(id) })
    const race = Array.from({ length: 8 }, (_, n) =>
      send({
        method: 'PATCH',
        url: urlOf(id),
        body: [replace('/title', `Won by ${n}`)],
        headers: { 'if-match': String(headers.etag) },
      }),
    )
    const answers = await Promise.all(race)
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect((await read(id)).title).toBe(`Won by ${winner}`)
    const loser = answers.find(({ status }) => status === 409)
    expect(loser?.json).toEqual({ code: 3090, message: expect.stringContaining('svc-integration') })
  })
})
