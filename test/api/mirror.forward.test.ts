// What goes to the source of a mirror beside plain writes: files, conditions and batches; and what does not.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MirrorWorld, startMirror } from '../support/mirror.ts'
import { CUSTOMER, rename, withWriters } from '../support/mirror-writes.ts'
import { type Answer, type Sent, STORE_KINDS } from '../support/world.ts'

const ARCHIVE = 'document-archive'
const CONTENT = Buffer.from('An invoice that nobody has seen.').toString('base64')
const DOCUMENT = { docType: 'INVOICE', title: 'An invoice', fileName: 'invoice.txt', indexes: [], fileContent: CONTENT }

describe.each(STORE_KINDS)('a mirror on %s that forwards writes', (kind) => {
  let mirror: MirrorWorld
  const send = (method: NonNullable<Sent['method']>, url: string, body?: unknown, headers = {}): Promise<Answer> =>
    mirror.world.send({ as: 'programs', method, url: `${url}?companyId=EN`, body, headers })
  const customer = (id: string) => send('GET', `/v1/customers/${id}`)
  const sent = () => mirror.erp.traffic.answers.filter(({ method }) => !['GET', 'HEAD'].includes(method)).length
  const there = (customerId: string) => mirror.erp.find('customers', { customerId })?.customerName

  beforeAll(async () => {
    // What is not read again at once is not read within the test.
    const source = { writes: 'forward', follow: 86_400, contents: 'lazy' } as const
    mirror = await startMirror(kind, { change: withWriters, source })
    await mirror.loaded()
  })
  afterEach(() => mirror.erp.faults.clear())
  afterAll(async () => mirror?.stop())

  /** Refused by name, with the address of the source; nothing is sent there or written here. */
  const refuses = async (asked: () => Promise<Answer>, status: number, word: string) => {
    const [before, count] = [await mirror.world.dump(), sent()]
    const answer = await asked()
    const [first = answer] = answer.json.responses ?? []
    expect(first.status).toBe(status)
    const text = JSON.stringify(first.body ?? answer.json)
    expect(text).toContain(mirror.url)
    expect(text).toContain(word)
    expect(sent()).toBe(count)
    expect(await mirror.world.changesSince(before)).toEqual([])
  }

  it('takes a document with its file in, there and here', async () => {
    const answer = await send('POST', '/v1/documents', DOCUMENT)
    const { id } = answer.json
    expect([answer.status, answer.json.fileContent]).toEqual([201, CONTENT])
    expect(answer.headers.location).toBe(`/v1/documents/${id}`)
    expect(mirror.erp.find(ARCHIVE, { id })).toMatchObject({ title: 'An invoice', docSize: 32, revisionNo: 1 })
    const here = await send('GET', `/v1/documents/${id}`)
    expect(here.json).toMatchObject({ title: 'An invoice', docType: 'INVOICE', fileContent: CONTENT })
  })

  it('sends the file of a form as the source takes it', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ docType: 'INVOICE', title: 'A form', indexes: '[]' })) {
      form.set(name, value)
    }
    form.set('file', new Blob(['Of a form.'], { type: 'text/plain' }), 'form.txt')
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const answer = await send('POST', '/v1/documents', Buffer.from(await encoded.arrayBuffer()), headers)
    expect(answer.status).toBe(201)
    const content = Buffer.from('Of a form.').toString('base64')
    expect(answer.json).toMatchObject({ title: 'A form', fileName: 'form.txt', fileContent: content })
  })

  it('adds a revision, and shows it at once', async () => {
    const { json } = await send('POST', '/v1/documents', DOCUMENT)
    const fileContent = Buffer.from('The second one.').toString('base64')
    const revision = { id: json.id, comment: 'Corrected', fileName: 'second.txt', fileContent }
    const answer = await send('POST', `/v1/document-revisions/${json.id}`, revision)
    expect([answer.status, answer.json.revisionNo]).toEqual([201, 2])
    const here = await send('GET', `/v1/documents/${json.id}`)
    expect(here.json).toMatchObject({ revisionNo: 2, fileName: 'second.txt', fileContent })
  })

  it('passes on what the source says of a file, and writes nothing', async () => {
    const before = await mirror.world.dump()
    const { title: _title, ...untitled } = DOCUMENT
    expect((await send('POST', '/v1/documents', untitled)).status).toBe(400)
    expect((await send('POST', '/v1/documents', { ...DOCUMENT, fileContent: '' })).status).toBe(400)
    const count = sent()
    const unread = await send('POST', '/v1/documents', { ...DOCUMENT, fileContent: '***' })
    expect([unread.status, unread.json.messageType, sent()]).toEqual([400, 'Information', count])
    expect(await mirror.world.changesSince(before)).toEqual([])
  })

  it('sends a file once, and answers a retry without the file that the client has', async () => {
    const headers = { 'idempotency-key': 'file-1' }
    const first = await send('POST', '/v1/documents', DOCUMENT, headers)
    const count = sent()
    const again = await send('POST', '/v1/documents', DOCUMENT, headers)
    const { fileContent: _content, ...document } = first.json
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([201, document, 'true'])
    expect(sent()).toBe(count)
  })

  it('sends a change whose condition holds, and tells the new tag', async () => {
    const { etag } = (await customer('100003')).headers
    const answer = await send('PATCH', '/v1/customers/100003', rename('First AS'), { 'if-match': etag })
    expect([answer.status, there('100003')]).toEqual([200, 'First AS'])
    expect(answer.headers.etag).not.toBe(etag)
    expect((await customer('100003')).headers.etag).toBe(answer.headers.etag)
    const next = await send('PATCH', '/v1/customers/100003', rename('Second AS'), { 'if-match': answer.headers.etag })
    expect([next.status, there('100003')]).toEqual([200, 'Second AS'])
  })

  it('judges a condition by the record as the source has it now', async () => {
    const { etag } = (await customer('100004')).headers
    mirror.erp.change('customers', { customerId: '100004' }, { customerName: 'By another' })
    const count = sent()
    const answer = await send('PATCH', '/v1/customers/100004', rename('Lost update'), { 'if-match': etag })
    expect([answer.status, answer.json.code]).toEqual([409, 3090])
    expect([there('100004'), sent()]).toEqual(['By another', count])
    expect((await customer('100004')).json.customerName).toBe('By another')
  })

  it('sends nothing while it cannot judge a condition, and lets its key be used again', async () => {
    const headers = { 'if-match': (await customer('100005')).headers.etag, 'idempotency-key': 'condition-1' }
    mirror.erp.faults.order('500', 1, /^GET .*100005/)
    const count = sent()
    const answer = await send('PATCH', '/v1/customers/100005', rename('Later AS'), headers)
    expect([answer.status, answer.headers['retry-after'], sent()]).toEqual([503, '5', count])
    expect((await send('PATCH', '/v1/customers/100005', rename('Later AS'), headers)).status).toBe(200)
    // The condition does not hold any more, and the retry gets the first answer.
    expect((await send('PATCH', '/v1/customers/100005', rename('Later AS'), headers)).status).toBe(200)
  })

  it('sends each operation of a batch, and goes on with what one has made', async () => {
    const requests = [
      { id: 'new', method: 'POST', url: '/v1/customers?companyId=EN', body: { ...CUSTOMER, customerId: '990101' } },
      { id: 'name', method: 'PATCH', url: '$new', dependsOn: ['new'], body: rename('Renamed AS') },
      { id: 'read', method: 'GET', url: '/v1/customers/990101?companyId=EN', dependsOn: ['name'] },
      { id: 'bad', method: 'POST', url: '/v1/customers?companyId=EN', body: { customerName: 'No group' } },
    ]
    const { json } = await mirror.world.send({
      as: 'programs',
      method: 'POST',
      url: '/v1/batch',
      body: { requests },
      headers: { prefer: 'continue-on-error' },
    })
    expect(json.responses.map(({ status }: { status: number }) => status)).toEqual([201, 200, 200, 422])
    expect(json.responses[2].body.customerName).toBe('Renamed AS')
    expect(there('990101')).toBe('Renamed AS')
  })

  it('refuses a group, which is no single write there', async () => {
    const url = '/v1/customers?companyId=EN'
    const one = { atomicityGroup: 'g', method: 'POST', url, body: { ...CUSTOMER, customerId: '990201' } }
    const body = {
      requests: [
        { ...one, id: '1' },
        { ...one, id: '2' },
      ],
    }
    await refuses(() => mirror.world.send({ as: 'programs', method: 'POST', url: '/v1/batch', body }), 403, 'group')
  })

  it('refuses what only validates', async () => {
    const url = '/v1/customers?companyId=EN&validateOnly=true'
    const body = { ...CUSTOMER, customerId: '990301' }
    await refuses(() => mirror.world.send({ as: 'programs', method: 'POST', url, body }), 501, 'validateOnly')
  })

  it('refuses a job', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    await refuses(
      () => send('POST', '/v1/customers/batch', { ...CUSTOMER, customerId: '990401' }, headers),
      403,
      'mirror',
    )
  })
})
