// Fair sharing: no client, authenticated or not, may starve another. The tests do not depend on
// the clock: they count who was served before whom.
import { expect, it, vi } from 'vitest'
import { MAX_RENDITIONS } from '../../src/files/file-store.ts'
import { base64, create, noteOf, onEachArchive, pngOf, post, urlOf } from '../support/documents.ts'
import { injectInto } from '../support/inject.ts'
import { connectTo, eventually, listen, type RawConnection } from '../support/uploads.ts'
import { FEWER_KINDS } from '../support/world.ts'

/** The number of uploads that the memory for transfers allows. */
const UPLOADS = 64
const DOWNLOADS = 128

onEachArchive(
  'Fair shares',
  (world) => {
    /** Opens connections that send this text and read nothing. */
    async function connections(count: number, text: string): Promise<RawConnection[]> {
      const address = await listen(world())
      const made = await Promise.all(Array.from({ length: count }, () => connectTo(address)))
      for (const { socket } of made) socket.pause().write(text)
      return made
    }

    async function leave(all: readonly RawConnection[]): Promise<void> {
      for (const { socket } of all) socket.destroy()
      const { budget } = world().application.service
      await eventually(() => budget.used === 0 && budget.waiting === 0)
    }

    const headOf = async (client: string) => `Host: x\r\nAuthorization: Bearer ${await world().token(client)}\r\n`

    it('let an upload go on beside secrets that are being checked', async () => {
      let answered = 0
      const wrong = Array.from({ length: 30 }, (_, at) =>
        injectInto(world().application.server, {
          url: '/v1/documents',
          remoteAddress: `198.51.100.${at}`,
          headers: { authorization: `Basic ${btoa('reader:wrong')}` },
        }).then(({ statusCode }) => {
          answered += 1
          return statusCode
        }),
      )
      const { status } = await world().send({ as: 'integration', ...post(noteOf('Beside wrong secrets')) })
      const before = answered
      expect([status, before < 15]).toEqual([201, true])
      // Whoever waits too long on a slow machine is told so.
      for (const wrongStatus of await Promise.all(wrong)) expect([401, 503]).toContain(wrongStatus)
    })

    it('leave room for uploads of others, of the company and of another, beside slow ones of one client', async () => {
      const { budget } = world().application.service
      const head = await headOf('integration')
      const begun = `POST /v1/documents HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 60000000\r\n\r\n{`
      const slow = await connections(UPLOADS + 2, begun)
      await eventually(() => budget.waiting > 0)
      for (const as of ['both', 'sv']) {
        const { status } = await world().send({ as, ...post(noteOf(`Of ${as}`)) })
        expect([as, status]).toEqual([as, 201])
      }
      expect(slow.filter(({ socket }) => socket.closed)).toEqual([])
      await leave(slow)
    })

    it('leave room for downloads of others, beside those that one client requests and does not read', async () => {
      const { budget } = world().application.service
      const fileContent = base64(Buffer.alloc(8_000_000, 'w'))
      const { id } = await create(world(), noteOf('Large', { fileContent }))
      const other = await create(world(), noteOf('Of another'), 'sv')
      const slow = await connections(DOWNLOADS + 2, `GET ${urlOf(id)} HTTP/1.1\r\n${await headOf('integration')}\r\n`)
      await eventually(() => budget.waiting > 0)
      for (const path of ['', '/content']) {
        const { status } = await world().send({ as: 'sv', url: urlOf(other.id, path) })
        expect([path, status]).toEqual([path, 200])
      }
      await leave(slow)
    })

    /** Sends all requests, that of another company last; returns how many were answered before it. */
    async function answeredBefore(greedy: readonly string[], other: string, accept = '*/*'): Promise<number> {
      const answered: string[] = []
      const ask = async (as: string, url: string) => {
        const { status } = await world().send({ as, url, headers: { accept } })
        answered.push(as)
        expect([url, status]).toEqual([url, 200])
      }
      await Promise.all([...greedy.map((url) => ask('integration', url)), ask('sv', other)])
      return answered.indexOf('sv')
    }

    it('draw the thumbnail of one company while pictures of another take long', async () => {
      const { files } = world().application.service
      const picture = (side: number) => ({ fileName: 'a.png', fileContent: base64(pngOf(side, side)) })
      const made = Array.from({ length: 4 }, (_, at) => create(world(), noteOf(`Slow ${at}`, picture(40 + at))))
      const slow = await Promise.all(made)
      const other = await create(world(), noteOf('Quick', picture(30)), 'sv')
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      const whole = files.read
      const reading = vi.spyOn(files, 'read').mockImplementation(async (...given) => {
        if (given[0] === 'EN') await opened
        return whole(...given)
      })
      const answered: string[] = []
      const ask = async (as: string, id: string) => {
        const { status } = await world().send({ as, url: urlOf(id, '/thumbnail') })
        answered.push(`${as} ${status}`)
      }
      const all = slow.map(({ id }) => ask('integration', id))
      await eventually(() => reading.mock.calls.length === 2)
      const quick = ask('sv', other.id)
      await eventually(() => answered.length > 0).finally(open)
      expect(answered).toEqual(['sv 200'])
      await Promise.all([...all, quick])
      reading.mockRestore()
    })

    it('answer the query of one company before most of those that another asked earlier', async ({ skip }) => {
      skip(
        world().kind === 'sqlite',
        'answers so small a query in the service as it comes; readers have a test of their own',
      )
      for (const as of ['integration', 'sv']) await world().token(as)
      const urls = Array.from({ length: 60 }, (_, at) => `/v1/objects/attribute-values?limit=${at + 1}`)
      const before = await answeredBefore(urls, '/v1/objects/attribute-values', 'application/x-ndjson')
      expect(before).toBeLessThan(urls.length / 2)
    })

    it('open a content for so many sizes of its thumbnail, and draw further ones of these', async () => {
      const picture = { fileName: 'a.png', fileContent: base64(pngOf(300, 150)) }
      const { id } = await create(world(), noteOf('Of many sizes', picture))
      const sizeOf = async (width: number) => {
        const { json } = await world().send({
          as: 'integration',
          url: urlOf(id, `/thumbnail?width=${width}&height=2048`),
        })
        return [json.width, json.height]
      }
      for (let at = 0; at < MAX_RENDITIONS; at++) await sizeOf(40 + 10 * at)
      const read = vi.spyOn(world().application.service.files, 'read')
      expect([await sizeOf(100), await sizeOf(42), await sizeOf(7), await sizeOf(400)]).toEqual([
        [100, 50],
        [42, 21],
        [7, 4],
        [190, 95],
      ])
      expect(read).not.toHaveBeenCalled()
      read.mockRestore()
    })

    it('read the texts of one company while a file of another takes long', async () => {
      const { texts, service } = world().application
      await texts.settle()
      const from = world().observed.length
      const read = () =>
        world()
          .observed.slice(from)
          .flatMap((one) => (one.kind === 'text-read' ? [one.companyId] : []))
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      const whole = service.files.read
      const reading = vi.spyOn(service.files, 'read').mockImplementationOnce(async (...given) => {
        await opened
        return whole(...given)
      })
      await create(world(), noteOf('Text that takes long'))
      await eventually(() => reading.mock.calls.length > 0)
      for (let at = 0; at < 3; at++) await create(world(), noteOf(`Text ${at}`))
      for (let at = 0; at < 3; at++) await create(world(), noteOf(`Text ${at} of another`), 'sv')
      await eventually(() => read().length === 3)
      expect(read()).toEqual(['SV', 'SV', 'SV'])
      open()
      await texts.settle()
      expect(read().slice(3)).toEqual(['EN', 'EN', 'EN', 'EN'])
      reading.mockRestore()
    })

    it('do not log an error when a caller disconnects within a body', async () => {
      const { observed } = world()
      const from = observed.length
      const length = `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
      const head = await headOf('integration')
      const [cut] = await connections(1, `POST /v1/attribute-values HTTP/1.1\r\n${head}${length}`)
      await new Promise((resume) => setTimeout(resume, 50))
      cut?.socket.destroy()
      await eventually(() => observed.slice(from).some((one) => 'path' in one && one.path === '/v1/attribute-values'))
      expect(observed.slice(from).map(({ kind }) => kind)).not.toContain('request-failed')
    })
  },
  {},
  FEWER_KINDS,
)
