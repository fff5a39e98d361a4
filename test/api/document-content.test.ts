// GET and HEAD of raw contents: complete, as ranges (RFC 9110, 14), conditional, and never rendered by a browser.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  base64,
  create,
  information,
  noteOf,
  onEachArchive,
  PDF,
  PNG,
  REVISIONS,
  revise,
  urlOf,
} from '../support/documents.ts'
import type { Answer } from '../support/world.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
/** Every byte value, and not a multiple of anything. */
const BYTES = Buffer.from(Array.from({ length: 100_003 }, (_one, at) => (at * 7 + (at >> 8)) % 256))
const SIZE = BYTES.length

onEachArchive('The content of a document as it is', (world) => {
  let id = ''
  let content = ''
  let etag = ''
  beforeAll(async () => {
    id = (await create(world(), noteOf('Bytes', { fileName: 'all.bin', fileContent: base64(BYTES) }))).id
    content = urlOf(id, '/content')
    etag = String((await world().send({ as: 'integration', url: content })).headers.etag)
  })

  const get = (headers: Record<string, string> = {}, url = content): Promise<Answer> =>
    world().send({ as: 'integration', url, headers })

  it('is answered byte by byte, with its size, type, name and tag', async () => {
    const answer = await get()
    expect(answer.status).toBe(200)
    expect(answer.bytes.equals(BYTES)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-length': String(SIZE),
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=all.bin',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\da-f]{64}"$/),
    })
  })

  it('is answered to HEAD with the same headers and no body, whatever range is requested', async () => {
    const whole = await get()
    for (const headers of [{}, { range: 'bytes=0-4' }, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
      const head = await world().send({ as: 'integration', method: 'HEAD', url: content, headers })
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      for (const name of ['content-length', 'content-type', 'content-disposition', 'accept-ranges', 'etag']) {
        expect([name, head.headers[name]]).toEqual([name, whole.headers[name]])
      }
    }
  })

  it.each([
    // Not the first alone: the S3 service of the tests takes an end of 0 for none.
    ['the first two bytes', 'bytes=0-1', 0, 1],
    ['the first bytes', 'bytes=0-999', 0, 999],
    ['bytes in the middle', 'bytes=70000-70999', 70_000, 70_999],
    ['the last byte', `bytes=${SIZE - 1}-${SIZE - 1}`, SIZE - 1, SIZE - 1],
    ['all that follows', `bytes=${SIZE - 10}-`, SIZE - 10, SIZE - 1],
    ['all from the first', 'bytes=0-', 0, SIZE - 1],
    ['the last ten', 'bytes=-10', SIZE - 10, SIZE - 1],
    ['more of the last than there are', `bytes=-${SIZE + 1}`, 0, SIZE - 1],
    ['an end behind the end', `bytes=${SIZE - 3}-${SIZE + 100}`, SIZE - 3, SIZE - 1],
    ['an end beyond all numbers', 'bytes=5-99999999999999999999999999', 5, SIZE - 1],
    ['with blanks and in capitals', ' BYTES = 1 - 2 ', 1, 2],
  ])('is answered in part: %s', async (_name, range, first, last) => {
    const answer = await get({ range })
    expect(answer.status).toBe(206)
    expect(answer.bytes.equals(BYTES.subarray(first, last + 1))).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${first}-${last}/${SIZE}`,
      'content-length': String(last - first + 1),
      'content-type': 'application/octet-stream',
      etag,
    })
  })

  it.each([`bytes=${SIZE}-`, `bytes=${SIZE}-${SIZE + 5}`, 'bytes=99999999999999999999999999-', 'bytes=-0'])(
    'has no such part: %s',
    async (range) => {
      const answer = await get({ range })
      expect([answer.status, answer.bytes.length]).toEqual([416, 0])
      expect(answer.headers['content-range']).toBe(`bytes */${SIZE}`)
    },
  )

  it.each([
    'bytes=0-1,3-4',
    'bytes=5-2',
    'bytes=-',
    'bytes=a-b',
    'bytes',
    'items=0-1',
    'bytes=0x1-2',
    'bytes=1-2-3',
    '',
  ])('is answered whole when the part is none that is known: %s', async (range) => {
    const answer = await get({ range })
    expect([answer.status, answer.bytes.length]).toEqual([200, SIZE])
    expect(answer.headers['content-range']).toBeUndefined()
  })

  it('is not answered where another content is wanted (If-Match)', async () => {
    const range = 'bytes=1-2'
    for (const tag of ['"other"', `W/${etag}`, etag.replace(/"$/, '-gzip"'), etag.replaceAll('"', ''), '']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const headers = { range, 'if-match': tag }
        const answer = await world().send({ as: 'integration', method, url: content, headers })
        expect([tag, answer.status, answer.bytes.length]).toEqual([tag, 412, 0])
      }
    }
    for (const tag of [etag, `"other", ${etag}`, '*']) expect((await get({ range, 'if-match': tag })).status).toBe(206)
  })

  it('is answered in part only to a client with other parts of this content (If-Range)', async () => {
    const range = 'bytes=1-2'
    const statusOf = async (ifRange: string) => (await get({ range, 'if-range': ifRange })).status
    expect(await statusOf(etag)).toBe(206)
    expect(await statusOf(`W/${etag}`)).toBe(200)
    expect(await statusOf('"other"')).toBe(200)
    expect(await statusOf('Sat, 21 Nov 2026 11:00:00 GMT')).toBe(200)
  })

  it('is not sent again to a client that has it (304)', async () => {
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*', ` ${etag} `]) {
      const answer = await get({ 'if-none-match': tag, range: 'bytes=0-0' })
      expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, etag])
      const head = await world().send({
        as: 'integration',
        method: 'HEAD',
        url: content,
        headers: { 'if-none-match': tag },
      })
      expect([head.status, head.headers.etag]).toEqual([304, etag])
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get({ 'if-none-match': etag.replaceAll('"', '') })).status).toBe(200)
  })

  it('is the same content under the same tag, and another under another', async () => {
    const twin = await create(world(), noteOf('Twin', { fileName: 'twin.bin', fileContent: base64(BYTES) }))
    expect((await get({}, urlOf(twin.id, '/content'))).headers.etag).toBe(etag)
    await revise(world(), twin.id)
    const revised = await get({ 'if-none-match': etag }, urlOf(twin.id, '/content'))
    expect([revised.status, revised.bytes.toString()]).toEqual([200, 'Changed'])
    const first = await get({ 'if-none-match': etag }, `${REVISIONS}/${twin.id}/1/content`)
    expect(first.status).toBe(304)
  })

  it('is that of every revision, older and newest', async () => {
    const { id: other } = await create(world(), noteOf('Revised', { fileName: 'a.png', fileContent: base64(PNG) }))
    await revise(world(), other, { fileName: 'b.pdf', fileContent: base64(PDF) })
    const all = [
      [`${REVISIONS}/${other}/1/content`, PNG, 'image/png', 'a.png'],
      [`${REVISIONS}/${other}/2/content`, PDF, 'application/pdf', 'b.pdf'],
      [urlOf(other, '/content'), PDF, 'application/pdf', 'b.pdf'],
    ] as const
    for (const [url, bytes, type, name] of all) {
      const answer = await get({}, url)
      expect([answer.status, answer.bytes.equals(bytes), answer.headers['content-type']]).toEqual([200, true, type])
      expect(answer.headers['content-disposition']).toBe(`attachment; filename=${name}`)
      expect((await get({ range: 'bytes=-4' }, url)).bytes.equals(bytes.subarray(-4))).toBe(true)
    }
  })

  it('is never compressed, and never run by a browser', async () => {
    const page = '<script>alert(1)</script>'.repeat(1_000)
    const made = await create(world(), noteOf('Page', { fileName: 'page.html', fileContent: base64(page) }))
    const answer = await get({ 'accept-encoding': 'gzip, deflate, br' }, urlOf(made.id, '/content'))
    expect(answer.text).toBe(page)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename=page.html',
      'content-length': String(page.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-site',
    })
  })

  it.each([
    ['quotes "in" it.txt', 'attachment; filename="quotes \\"in\\" it.txt"'],
    ["it's; filename=other.exe", 'attachment; filename="it\'s; filename=other.exe"'],
    ['R\u00e9sum\u00e9.txt', /^attachment; filename=".*"; filename\*=UTF-8''R%C3%A9sum%C3%A9\.txt$/],
    ['\u8acb\u6c42\u66f8 \ud83d\ude00.txt', /filename\*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8%20%F0%9F%98%80\.txt$/],
    ['100%41.txt', /filename\*=UTF-8''100%2541\.txt$/],
  ])('is saved under its name, whatever is in it: %s', async (fileName, header) => {
    const made = await create(world(), noteOf('Named', { fileName }))
    const { headers } = await get({}, urlOf(made.id, '/content'))
    const given = String(headers['content-disposition'])
    if (typeof header === 'string') expect(given).toBe(header)
    else expect(given).toMatch(header)
    expect(given).toMatch(/^[\x20-\x7e]+$/)
  })

  it('stays readable when the document is deleted', async () => {
    const made = await create(world(), noteOf('Gone'))
    await world().send({ as: 'integration', method: 'DELETE', url: urlOf(made.id) })
    for (const url of [urlOf(made.id, '/content'), `${REVISIONS}/${made.id}/1/content`]) {
      expect((await get({}, url)).text).toBe('Content of Gone')
    }
  })

  it('of one byte has no part but itself', async () => {
    const made = await create(world(), noteOf('Small', { fileContent: base64('x') }))
    const url = urlOf(made.id, '/content')
    expect((await get({}, url)).text).toBe('x')
    for (const range of ['bytes=0-0', 'bytes=0-', 'bytes=-1', 'bytes=-5']) {
      const part = await get({ range }, url)
      expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'x', 'bytes 0-0/1'])
    }
    expect((await get({ range: 'bytes=1-' }, url)).status).toBe(416)
  })

  describe('what is refused', () => {
    it('is reported as JSON', async () => {
      const { id: foreign } = await create(world(), noteOf('canary-of-SV'), 'sv')
      for (const other of [UNKNOWN, foreign]) {
        const document = await get({ range: 'bytes=0-1' }, urlOf(other, '/content'))
        const named = `The entity of the following parameters [companyId: EN, id: ${other}`
        expect([document.status, document.json]).toEqual([404, { code: 1040, message: `${named}] was not found.` }])
        const revision = await get({}, `${REVISIONS}/${other}/1/content`)
        const numbered = `${named}, revisionNo: 1] was not found.`
        expect([revision.status, revision.json]).toEqual([404, { code: 1040, message: numbered }])
      }
      const malformed = await get({}, urlOf('abc', '/content'))
      expect([malformed.status, malformed.json]).toEqual([
        400,
        information('Guid should contain 32 digits with 4 dashes'),
      ])
      expect((await get({}, `${REVISIONS}/${id}/2/content`)).status).toBe(404)
      expect((await get({}, `${REVISIONS}/${id}/x/content`)).json.code).toBe(1010)
    })

    it.each(['creator', 'nobody'])('is everything for %s', async (as) => {
      const answer = await world().send({ as, url: content })
      expect([answer.status, answer.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
    })

    it('is another method', async () => {
      const answer = await world().send({ as: 'integration', method: 'PUT', url: content, body: {} })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    })
  })

  it('that is missing in the store is answered 500, before the first byte', async () => {
    const made = await create(world(), noteOf('Lost', { fileContent: base64('will be lost') }))
    const [row] = await world().query(`select file_hash from document where document_id = '${made.id}'`)
    await world().application.service.files.remove('EN', String(row?.file_hash))
    for (const headers of [{}, { range: 'bytes=0-1' }] as Record<string, string>[]) {
      const answer = await get(headers, urlOf(made.id, '/content'))
      expect([answer.status, answer.json.code]).toEqual([500, 1000])
    }
  })
})
