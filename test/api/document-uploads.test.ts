// Uploads over a real socket: in any spelling of JSON, in chunks, too large, too many, and cut off.
import { describe, expect, it } from 'vitest'
import {
  base64,
  create,
  DOCUMENTS,
  information,
  NOT_BASE64,
  noteOf,
  onEachArchive,
  urlOf,
} from '../support/documents.ts'
import { longIt } from '../support/reliability-test.ts'
import { connectTo, eventually, listen, type RawConnection, stagedIn } from '../support/uploads.ts'
import { type Answer, FEWER_KINDS } from '../support/world.ts'

const LIMIT = 50 * 1024 * 1024
const LARGEST_BODY = 140_858_712
const CONTENT = Buffer.from(Array.from({ length: 256 }, (_one, at) => at))
const TEXT = base64(CONTENT)

onEachArchive(
  'An upload',
  (world) => {
    const authorization = async () => `Bearer ${await world().token('integration')}`

    async function send(body: string | Uint8Array<ArrayBuffer> | ReadableStream, more: Record<string, string> = {}) {
      const headers = { authorization: await authorization(), 'content-type': 'application/json', ...more }
      const url = (await listen(world())) + DOCUMENTS
      // Only streams need the member; types of fetch do not know it.
      const answer = await fetch(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
      return { status: answer.status, json: (await answer.json()) as Answer['json'] }
    }

    const others = '"docType":"NOTE","title":"In any writing","fileName":"a.bin"'

    describe('in JSON', () => {
      it.each([
        ['before the other members', `{"fileContent":"${TEXT}",${others}}`],
        ['behind them', `{${others},"fileContent":"${TEXT}"}`],
        ['between them', `{"description":"\\"fileContent\\":\\"",\n "fileContent" :\t"${TEXT}" , ${others} }`],
        ['beside another of its name further in', `{"x":{"fileContent":"!"},"fileContent":"${TEXT}",${others}}`],
        ['under a name with escapes', `{"\\u0066ile\\u0043ontent":"${TEXT}",${others}}`],
        ['in PascalCase', `{"FileContent":"${TEXT}",${others}}`],
        ['with escaped slashes', `{"fileContent":"${TEXT.replaceAll('/', '\\/')}",${others}}`],
        ['with all signs escaped', `{"fileContent":"${escapedSigns(TEXT)}",${others}}`],
        ['behind a byte order mark', `\ufeff{"fileContent":"${TEXT}",${others}}`],
      ])('has its content %s', async (_name, body) => {
        const whole = await send(body)
        expect([whole.status, whole.json.fileContent]).toEqual([201, TEXT])
        for (const length of [1, 3, 4, 7, 64, 65]) {
          const cut = await send(piecesOf(Buffer.from(body), length))
          expect([cut.status, cut.json.fileContent]).toEqual([201, TEXT])
        }
      })

      it.each([
        ['a number', '5', { code: 1010, message: 'The field fileContent must be a string.' }],
        ['null', 'null', { code: 1010, message: 'The FileContent field is required.' }],
        ['blanks alone', '" \\r\\n\\t"', { code: 1010, message: 'The FileContent field is required.' }],
        ['true', 'true', { code: 1010, message: 'The field fileContent must be a string.' }],
        ['a list', `["${TEXT}"]`, { code: 1010, message: 'The field fileContent must be a string.' }],
        ['an object', `{"fileContent":"${TEXT}"}`, { code: 1010, message: 'The field fileContent must be a string.' }],
        ['a text with a quote', '"YWJj\\"YWJj"', information(NOT_BASE64)],
        ['a text with another escape', '"YWJj\\u00e9"', information(NOT_BASE64)],
        [
          'cut off by its padding',
          '"YQ=="YQ==',
          { code: 1010, message: expect.stringMatching(/^Malformed JSON at pos/) },
        ],
      ])('is refused with a content that is %s', async (_name, content, json) => {
        const before = await world().dump()
        const answer = await send(`{${others},"fileContent":${content}}`)
        expect([answer.status, answer.json]).toEqual([400, json])
        expect(await world().changesSince(before)).toEqual([])
        expect(stagedIn(world())).toEqual([])
      })

      it('is refused when it ends too soon, wherever', async () => {
        const body = `{${others},"fileContent":"${TEXT}","description":"x"}`
        const before = await world().dump()
        for (let length = 0; length < body.length; length += 11) {
          const answer = await send(body.slice(0, length))
          expect([length, answer.status, answer.json.code]).toEqual([length, 400, 1010])
          expect(answer.json.message).toMatch(/^Malformed JSON at position/)
        }
        expect(await world().changesSince(before)).toEqual([])
        expect(stagedIn(world())).toEqual([])
      })
    })

    describe('too large', () => {
      const tooLong = `The content of the file is larger than the limit of ${LIMIT} bytes.`
      const bodyOf = (sizeBytes: number) => `{${others},"fileContent":"${base64(Buffer.alloc(sizeBytes, 'x'))}"}`

      longIt('is refused one byte above the limit, with a length and in chunks (413)', async () => {
        const before = await world().dump()
        const body = Buffer.from(bodyOf(LIMIT + 1))
        for (const given of [body, piecesOf(body, 1024 * 1024)]) {
          const answer = await send(given)
          expect([answer.status, answer.json]).toEqual([413, { code: 1010, message: tooLong }])
        }
        expect(await world().changesSince(before)).toEqual([])
        expect(stagedIn(world())).toEqual([])
      })

      it('is refused by its declared length, before anything is sent (413)', async () => {
        const connection = await connectTo(await listen(world()))
        connection.socket.write(await headOf(LARGEST_BODY + 1))
        const answer = await connection.until(/\}$/)
        expect(answer).toMatch(/^HTTP\/1\.1 413 /)
        expect(answer).toContain(`"The request body is larger than the limit of ${LARGEST_BODY} bytes."`)
        connection.socket.destroy()
      })

      it('is refused when all that is no content is too large (413)', async () => {
        const long = 'x'.repeat(1024 * 1024)
        for (const body of [
          `{${others},"description":"${long}","fileContent":"YQ=="}`,
          `{"fileContent":"YQ==","x":"${long}"}`,
        ]) {
          const answer = await send(body)
          const message = 'The request body is larger than the limit of 1048576 bytes.'
          expect([answer.status, answer.json]).toEqual([413, { code: 1010, message }])
        }
        expect(stagedIn(world())).toEqual([])
      })

      it('is refused when what is no base64 does not end (413)', async () => {
        const answer = await send(endless(`{${others},"fileContent":"!`))
        const message = `The request body is larger than the limit of ${LARGEST_BODY} bytes.`
        expect([answer.status, answer.json]).toEqual([413, { code: 1010, message }])
        expect(stagedIn(world())).toEqual([])
      })

      longIt('is accepted at the limit, and returned unchanged', async () => {
        const { status, json } = await send(bodyOf(LIMIT))
        expect([status, json.docSize]).toEqual([201, LIMIT])
        expect(json.fileContent === base64(Buffer.alloc(LIMIT, 'x'))).toBe(true)
        const url = (await listen(world())) + urlOf(json.id, '/content')
        const answer = await fetch(url, { headers: { authorization: await authorization() } })
        expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.alloc(LIMIT, 'x'))).toBe(true)
        const head = await fetch(url, { method: 'HEAD', headers: { authorization: await authorization() } })
        expect([head.status, head.headers.get('content-length')]).toEqual([200, String(LIMIT)])
      })
    })

    describe('of a caller who disconnects', () => {
      const body = Buffer.from(`{${others},"fileContent":"${base64(Buffer.alloc(300_000, 'y'))}"}`)

      it('in the middle leaves nothing, and is not logged as an error', async () => {
        const before = await world().dump()
        const seen = world().observed.length
        for (const length of [0, 20, body.length / 2, body.length - 1]) {
          const { socket } = await connectTo(await listen(world()))
          socket.write(await headOf(body.length))
          socket.write(body.subarray(0, length))
          if (length > 1_000) await eventually(() => stagedIn(world()).length > 0)
          socket.destroy()
          await eventually(() => stagedIn(world()).length === 0)
        }
        expect(await world().changesSince(before)).toEqual([])
        const kinds = world()
          .observed.slice(seen)
          .map(({ kind }) => kind)
        expect(kinds.filter((kind) => kind !== 'request-refused')).toEqual([])
      })

      it('in the middle of a form leaves nothing', async () => {
        const before = await world().dump()
        for (const length of [10, 100_000]) {
          const { socket } = await connectTo(await listen(world()))
          const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
          socket.write(await headOf(1_000_000, 'multipart/form-data; boundary=B'))
          socket.write(head + 'z'.repeat(length))
          await eventually(() => stagedIn(world()).length > 0)
          socket.destroy()
          await eventually(() => stagedIn(world()).length === 0)
        }
        expect(await world().changesSince(before)).toEqual([])
      })

      longIt('before the answer, repeatedly, leaks no memory', async () => {
        for (let round = 0; round < 80; round++) {
          const { socket } = await connectTo(await listen(world()))
          socket.write(await headOf(body.length))
          socket.end(body)
          socket.destroySoon()
          socket.resetAndDestroy()
        }
        await eventually(() => stagedIn(world()).length === 0)
        // More at once than would fit if the others had retained their memory.
        const all = await Promise.all(
          Array.from({ length: 40 }, (_one, at) => send(JSON.stringify(noteOf(`After ${at}`)))),
        )
        expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]))
        expect(stagedIn(world())).toEqual([])
      })

      longIt('in the middle of an answer, repeatedly, leaks no memory', async () => {
        const { id } = await create(world(), noteOf('Large', { fileContent: base64(Buffer.alloc(4_000_000, 'w')) }))
        const head = `Host: x\r\nAuthorization: ${await authorization()}\r\n\r\n`
        for (let round = 0; round < 140; round++) {
          const connection = await connectTo(await listen(world()))
          connection.socket.write(`GET ${urlOf(id, round % 2 === 0 ? '' : '/content')} HTTP/1.1\r\n${head}`)
          if (round % 3 !== 0) await connection.until(/^HTTP\/1\.1 200/)
          connection.socket.destroy()
        }
        // Once the service has noticed the disconnects.
        await eventually(() => world().application.service.budget.used === 0)
        // More at once than would ever fit if the others had retained their memory. On a busy machine some wait too long.
        const read = () => world().send({ as: 'integration', url: urlOf(id, '/content') })
        await Promise.all(Array.from({ length: 40 }, () => eventually(async () => (await read()).status === 200)))
      })
    })

    longIt('among too many at once is told to retry, or accepted; none is lost or duplicated', async () => {
      const bodies = Array.from({ length: 70 }, (_one, at) => Buffer.from(JSON.stringify(noteOf(`LoadClient ${at}`))))
      const crowd: RawConnection[] = []
      for (const body of bodies) {
        const connection = await connectTo(await listen(world()))
        connection.socket.write(await headOf(body.length))
        connection.socket.write(body.subarray(0, 20))
        crowd.push(connection)
      }
      await eventually(() => crowd.some((one) => one.received() !== ''))
      for (const [at, { socket }] of crowd.entries()) socket.write(bodies[at]!.subarray(20))
      const answers = await Promise.all(crowd.map((one) => one.until(/\r\n\r\n.*\}$/s)))
      for (const { socket } of crowd) socket.destroy()
      const made = answers.filter((answer) => answer.startsWith('HTTP/1.1 201 '))
      const told = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '))
      expect([made.length + told.length, told.length > 0, made.length > 0]).toEqual([70, true, true])
      for (const answer of told) expect(answer.toLowerCase()).toMatch(/\r\nretry-after: \d+\r\n/)
      const listed = await world().send({ as: 'integration', url: `${DOCUMENTS}?title=LoadClient&limit=0` })
      expect(listed.json.total).toBe(made.length)
      expect(stagedIn(world())).toEqual([])
      expect((await send(JSON.stringify(noteOf('After the crowd')))).status).toBe(201)
    })

    async function headOf(length: number, type = 'application/json'): Promise<string> {
      const fields = { Host: 'x', Authorization: await authorization(), 'Content-Type': type, 'Content-Length': length }
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
      return `POST ${DOCUMENTS} HTTP/1.1\r\n${lines.join('')}\r\n`
    }
  },
  {},
  FEWER_KINDS,
)

function escapedSigns(text: string): string {
  return text.replace(/[+/=]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A body that is sent in chunks. */
function piecesOf(body: Buffer, length: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) controller.close()
      else controller.enqueue(new Uint8Array(body.subarray(at, at + length)))
      at += length
    },
  })
}

function endless(opening: string): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(256 * 1024).fill(0x21)
  let isFirst = true
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(isFirst ? new Uint8Array(Buffer.from(opening)) : piece)
      isFirst = false
    },
  })
}
