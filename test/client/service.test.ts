// The client against the demo company, over real connections: questions, streams, documents, batches and the feed.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, GoneProblem, NetworkProblem, Problem } from '#client'
import { type Demo, startDemo } from '../support/demo.ts'

const CUSTOMERS = 2_000

describe('the client of the demo company', () => {
  let demo: Demo
  let client: Client
  beforeAll(async () => {
    demo = await startDemo(200)
    client = clientWith()
  })
  afterAll(async () => demo?.stop())

  /** `change` may answer a request in the place of the service. */
  const clientWith = (change: (send: typeof fetch) => typeof fetch = (send) => send) =>
    createClient({ url: demo.address, clientId: 'demo', clientSecret: 'demo-secret' }, { fetch: change(fetch) })
  const collection = (name: string) => client.objects[name]!

  it('lists what is selected and filtered, in order', async () => {
    const rows = await collection('customers').list({
      select: { customerId: true, countryCode: 'C;T', invoice: { creditLimit: true }, payment: false },
      filter: "countryCode eq 'SE'",
      orderBy: 'customerId desc',
      limit: 2,
    })
    expect(rows).toHaveLength(2)
    expect(rows[0]).toEqual({
      customerId: expect.any(String),
      countryCode: 'SE',
      'countryCode(description)': 'Sweden',
      invoice: { creditLimit: expect.any(Number) },
    })
    expect(rows[0]!.customerId > rows[1]!.customerId).toBe(true)
  })

  it('pages through all rows in pages of a size, of which there are as many as limit says', async () => {
    const sizesOf = async (query: object) =>
      (await Array.fromAsync(collection('customers').pages(query))).map(({ rows }) => rows.length)
    expect(await sizesOf({ select: 'customerId', pageSize: 750 })).toEqual([750, 750, 500])
    expect(await sizesOf({ select: 'customerId', pageSize: 750, limit: 1_000 })).toEqual([750, 250])
    expect(await sizesOf({ pageSize: 5, filter: "customerId eq 'none'" })).toEqual([0])
    await expect(sizesOf({ pageSize: 0 })).rejects.toThrow('pageSize is 0: at least 1 is expected')
  })

  it('streams all rows, pages through them, and counts them', async () => {
    const query = { select: 'customerId' }
    let changeNumber: number | undefined
    const rows = collection('customers').rows({
      ...query,
      onAnswer: (info) => {
        changeNumber = info.changeNumber
      },
    })
    const ids = (await Array.fromAsync(rows)).map(({ customerId }) => customerId)
    const pages = await Array.fromAsync(collection('customers').pages(query))
    expect(new Set(ids).size).toBe(ids.length)
    expect(pages.flatMap((page) => page.rows).map(({ customerId }) => customerId)).toEqual(ids)
    expect(await collection('customers').count()).toBe(ids.length)
    expect(ids.length).toBe(CUSTOMERS)
    expect(changeNumber).toBeGreaterThan(0)
    expect(pages[0]?.changeNumber).toBeGreaterThanOrEqual(changeNumber!)
  })

  it('follows the links of an answer that was cut, and no link to another host', async () => {
    const cut = (next: string) => (send: typeof fetch) =>
      (async (input, init) => {
        const answer = await send(input, init)
        if (!String(input).includes('/v1/objects/customers') || String(input).includes('offset')) return answer
        const [first, ...more] = (await answer.json()) as object[]
        expect(more).not.toEqual([])
        return Response.json([first], { headers: { link: `<${next}>; rel="next"`, 'x-erp-truncated': 'true' } })
      }) as typeof fetch
    const query = { select: 'customerId', orderBy: 'customerId', limit: 3 }
    const next = '/v1/objects/customers?%24select=customerId&%24orderby=customerId&%24limit=2&%24offset=1'
    const pages = await Array.fromAsync(clientWith(cut(next)).objects.customers!.pages(query))
    expect(pages.map(({ rows }) => rows.length)).toEqual([1, 2])
    expect(pages.flatMap(({ rows }) => rows)).toEqual(await collection('customers').list(query))
    const elsewhere = clientWith(cut('https://elsewhere.test/v1/objects/customers?$offset=1')).objects.customers!
    await expect(Array.fromAsync(elsewhere.pages(query))).rejects.toThrow('another host')
  })

  it('computes groups', async () => {
    const groups = await collection('customers').aggregate({
      groupBy: 'countryCode',
      aggregate: 'count() as customers',
      orderBy: 'countryCode',
    })
    expect(groups.reduce((sum, { customers }) => sum + customers, 0)).toBe(await collection('customers').count())
  })

  it('reads no more of a stream than the program takes, and tells one that breaks off', async () => {
    let pulled = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1
          controller.enqueue(new TextEncoder().encode(`{"n":${pulled}}\n{"cut":`))
          if (pulled > 1) controller.enqueue(new TextEncoder().encode('true}\n'))
        },
        cancel: () => {
          isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    const answering = (answer: Response) => (send: typeof fetch) =>
      (async (input, init) => (String(input).includes('/objects/') ? answer : send(input, init))) as typeof fetch
    for await (const row of clientWith(answering(new Response(endless))).objects.customers!.rows()) {
      expect(row).toEqual({ n: 1 })
      break
    }
    expect([pulled, isCancelled]).toEqual([1, true])
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('closed')),
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"n":1}\n{"n"')),
    })
    const rows = clientWith(answering(new Response(broken))).objects.customers!.rows()
    expect((await rows.next()).value).toEqual({ n: 1 })
    await expect(rows.next()).rejects.toBeInstanceOf(NetworkProblem)
  })

  it('sends a document with progress, proves its hash, and reads it back', async () => {
    const content = randomBytes(300_000)
    const told: number[] = []
    const file = { fileName: 'noise.bin', content }
    const fields = { docType: 'NOTE', title: 'A "noise"' }
    const sent = await client.documents.create(fields, file, { onProgress: (bytes) => told.push(bytes) })
    const hash = createHash('sha256').update(content).digest('hex')
    expect(sent).toMatchObject({ sha256: hash, isVerified: true, record: { title: 'A "noise"', docSize: 300_000 } })
    expect(told[0]).toBe(0)
    expect(told.length).toBeGreaterThan(4)
    expect(told).toEqual(told.toSorted((one, other) => one - other))
    expect(told.at(-1)).toBeGreaterThan(300_000)
    const revision = await client.documents.createRevision(
      sent.record.id,
      { comment: 'Shorter' },
      { fileName: 'short.txt', content: 'short' },
      { ifMatch: sent.etag },
    )
    expect(revision.isVerified).toBe(true)
    const first = await client.documents.content(sent.record.id, { revisionNo: 1 })
    expect([first.sha256, Buffer.from(await first.bytes()).equals(content)]).toEqual([hash, true])
    const newest = await client.documents.content(sent.record.id)
    expect(await new Response(newest.stream).text()).toBe('short')
    const listed = client.documents.list({ doctype: 'NOTE', pageSize: 1 })
    expect((await Array.fromAsync(listed)).map(({ id }) => id)).toContain(sent.record.id)
  })

  it('stores a document once when the answer to its upload is lost, and tells a content with another hash', async () => {
    let uploads = 0
    const losing = clientWith(
      (send) =>
        (async (input, init) => {
          const answer = await send(input, init)
          if (!String(input).endsWith('/v1/documents')) return answer
          uploads += 1
          if (uploads === 1) throw new TypeError('fetch failed')
          return answer
        }) as typeof fetch,
    )
    const file = { fileName: 'once.txt', content: 'once' }
    const sent = await losing.documents.create({ docType: 'NOTE', title: 'Only once' }, file, { onProgress: () => {} })
    expect([uploads, sent.isReplay, sent.isVerified]).toEqual([2, true, true])
    expect(await Array.fromAsync(client.documents.list({ title: 'Only once' }))).toHaveLength(1)
    const lying = clientWith(
      (send) =>
        (async (input, init) => {
          const answer = await send(input, init)
          if (!String(input).includes('/content')) return answer
          return new Response(null, { headers: { etag: '"0123"' } })
        }) as typeof fetch,
    )
    const wrong = lying.documents.create({ docType: 'NOTE', title: 'Damaged' }, file)
    await expect(wrong).rejects.toThrow('another hash: 0123')
  })

  it('sends many requests in one, and goes on behind a failure where it is told to', async () => {
    const value = (attributeValue: string) => ({ attributeId: 'C1', attributeValue, description: 'Quay' })
    const requests = [
      { id: '1', method: 'POST', url: '/v1/attribute-values', body: value('no blanks') },
      { id: '2', method: 'POST', url: '/v1/attribute-values', body: value('7711') },
    ] as const
    const statusesOf = async (options: object) => (await client.batch(requests, options)).map(({ status }) => status)
    expect(await statusesOf({})).toEqual([422, 424])
    expect(await statusesOf({ continueOnError: true, validateOnly: true })).toEqual([422, 200])
  })

  it('stores rows in the background, tells how far it is, and which rows were rejected', async () => {
    const row = (attributeValue: string) => ({ attributeId: 'C1', attributeValue, description: 'Quay' })
    const rows = [row('7721'), row('no blanks'), row('7722'), row('none either')]
    const sending: number[] = []
    const begun = await client.batchOperations.send('attribute-values', rows, {
      onProgress: (bytes) => sending.push(bytes),
    })
    const seen: string[] = []
    const ended = await client.batchOperations.wait(begun.id, {
      pollMs: 20,
      onProgress: ({ status }) => seen.push(status),
    })
    expect(ended).toMatchObject({ status: 'C', written: 2, rejected: 2 })
    expect([seen.at(-1), sending.length]).toEqual(['C', 2])
    const rejected = await Array.fromAsync(client.batchOperations.results(begun.id, { pageSize: 1 }))
    expect(rejected.map((result) => result.row)).toEqual([2, 4])
    const read = await client.attributeValues.get(['C1', '7722', 0])
    expect(read.record.description).toBe('Quay')
    const csv = await client.batchOperations.send(
      'attribute-values',
      'attributeId,attributeValue,description\nC1,7723,CSV\n',
    )
    expect(await client.batchOperations.wait(csv.id, { pollMs: 20 })).toMatchObject({ status: 'C', written: 1 })
    expect((await client.batchOperations.list({ limit: 1 })).map(({ id }) => id)).toEqual([csv.id])
  })

  it('tells changes batch by batch, each with the cursor behind it, and waits for further ones', async () => {
    const create = (attributeValue: string) =>
      client.attributeValues.create({ attributeId: 'C1', attributeValue, description: 'Changed' })
    let since: string | number = 0
    await client
      .valuesOf('C1')
      .pages({ limit: 1 })
      .next()
      .then(({ value }) => {
        since = (value as { changeNumber: number }).changeNumber
      })
    for (const value of ['7731', '7732', '7733']) await create(value)
    const options = { entities: ['attribute-values'], filter: "attributeId eq 'C1'", limit: 2 }
    const batches = await Array.fromAsync(client.changes({ ...options, since }))
    expect(batches.map(({ changes }) => changes.map(({ key }) => key.attributeValue))).toEqual([
      ['7731', '7732'],
      ['7733'],
    ])
    // A program that was interrupted after the first batch goes on from its cursor.
    const again = await Array.fromAsync(client.changes({ ...options, since: batches[0]!.next }))
    expect(again.flatMap(({ changes }) => changes).map(({ key }) => key.attributeValue)).toEqual(['7733'])
    const controller = new AbortController()
    const following = client.changes({ ...options, since: batches[1]!.next, follow: true, signal: controller.signal })
    const first = await following.next()
    expect(first.value).toMatchObject({ changes: [], upToDate: true })
    const next = following.next()
    await create('7734')
    expect((await next).value).toMatchObject({ changes: [{ operation: 'created', key: { attributeValue: '7734' } }] })
    const endless = following.next()
    controller.abort(new Error('enough'))
    await expect(endless).rejects.toThrow('enough')
  })

  it('tells which collections to load again when the changes are no longer kept', async () => {
    const gone = await client
      .changes({ since: 999_999_999, entities: ['customers'] })
      .next()
      .catch((thrown: unknown) => thrown)
    expect(gone).toBeInstanceOf(GoneProblem)
    expect((gone as GoneProblem).resync).toEqual(['/v1/objects/customers?companyId=EN'])
  })

  it('tells the address of a service that is not there', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:1', token: async () => 't' }, { tries: 1 })
    const problem = await nobody.customers.get('1').catch((thrown: unknown) => thrown)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({
      name: 'NetworkProblem',
      status: 0,
      message: expect.stringContaining('127.0.0.1:1'),
    })
  })
})
