// GET /v1/documents, in pages and completely: order, stability, large answers (specification, documents 5; decision 4).
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { base64, create, noteOf, onEachArchive, replace, revise, urlOf } from '../support/documents.ts'
import { injectInto } from '../support/inject.ts'
import { idOf, numberedIds } from '../support/numbered-ids.ts'

/** More than twice the batch that the service reads, and answers that are larger than a chunk. */
const DOCUMENTS = 450
const AT_ONCE = 30

const ids = numberedIds()
/** Stands still while several documents are created: then the ids decide. */
const clock = { at: Date.now() }

interface Item {
  readonly id: string
  readonly title: string
  readonly fileContent?: string
  readonly lastUpdate: { readonly updatedAt: string }
}

interface Page {
  readonly start: number
  readonly limit: number
  readonly count: number
  readonly total: number
  readonly items: readonly Item[]
}

onEachArchive(
  'GET /v1/documents, pages of many,',
  (world) => {
    const send = (query: string) => world().send({ as: 'integration', url: `/v1/documents?${query}` })
    const get = async (query: string): Promise<Page> => {
      const { status, json } = await send(query)
      expect([query, status]).toEqual([query, 200])
      return json
    }
    const contentOf = (n: number) => `Content of ${n} ${'x'.repeat(n)}`

    beforeAll(async () => {
      ids.restart()
      for (let from = 0; from < DOCUMENTS; from += AT_ONCE) {
        clock.at += 1
        const some = Array.from({ length: AT_ONCE }, (_, n) => from + n)
        const description = 'Ä "quoted" \\ \u{1f600} '.repeat(10)
        await Promise.all(
          some.map((n) => create(world(), noteOf(`${n}`, { description, fileContent: base64(contentOf(n)) }))),
        )
      }
    })

    it('rule 5: the newest first, then by id, with every document once', async () => {
      const { items, count, total } = await get(`limit=${DOCUMENTS}`)
      expect([count, total, items.length]).toEqual([DOCUMENTS, DOCUMENTS, DOCUMENTS])
      const keys = items.map(({ id, lastUpdate }) => ({ id, at: lastUpdate.updatedAt }))
      const sorted = keys.toSorted((one, other) =>
        one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at > other.at ? -1 : 1,
      )
      expect(keys).toEqual(sorted)
      expect(new Set(keys.map(({ at }) => at)).size).toBeLessThan(DOCUMENTS / 10)
      expect(new Set(keys.map(({ id }) => id)).size).toBe(DOCUMENTS)
    })

    it('pages of any size put together are the whole, and the order never changes by itself (habits)', async () => {
      const whole = (await get('limit=50000')).items
      for (const limit of [7, 100, 200, 201, 449]) {
        const walked: Item[] = []
        for (;;) {
          const page = await get(`start=${walked.length}&limit=${limit}`)
          expect(page).toMatchObject({ start: walked.length, limit, count: page.items.length, total: DOCUMENTS })
          walked.push(...page.items)
          expect(page.count).toBe(Math.min(limit, DOCUMENTS - page.start))
          // Some clients go on until a page is empty.
          if (page.count === 0) break
        }
        expect(walked).toEqual(whole)
      }
    })

    it('pages whose size changes on the way are the whole, too (habits)', async () => {
      const walked: Item[] = []
      for (let size = 1; walked.length < DOCUMENTS; size = (size * 3) % 101) {
        walked.push(...(await get(`start=${walked.length}&limit=${size}`)).items)
      }
      expect(walked).toEqual((await get(`limit=${DOCUMENTS}`)).items)
    })

    it('a large answer is streamed and is the same text as a small one', async () => {
      const whole = await send(`limit=${DOCUMENTS}`)
      expect(whole.headers['content-length']).toBeUndefined()
      const halves = await Promise.all(
        [0, 150, 300].map(async (start) => {
          const { text } = await send(`limit=150&start=${start}`)
          return text.slice(text.indexOf('[') + 1, -2)
        }),
      )
      expect(whole.text).toBe(
        `{"start":0,"limit":${DOCUMENTS},"count":${DOCUMENTS},"total":${DOCUMENTS},"items":[${halves.join(',')}]}`,
      )
    })

    it('a large answer can be compressed', async () => {
      const plain = await send(`limit=${DOCUMENTS}`)
      const { headers, rawPayload } = await injectInto(world().application.server, {
        url: `/v1/documents?limit=${DOCUMENTS}`,
        headers: { authorization: `Bearer ${await world().token('integration')}`, 'accept-encoding': 'gzip' },
      })
      expect(headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(rawPayload).toString()).toBe(plain.text)
      expect(rawPayload.length).toBeLessThan(plain.bytes.length / 4)
    })

    it('withFileContent gives every one of many its own content', async () => {
      const { items } = await get(`limit=${DOCUMENTS}&withFileContent=true`)
      expect(items).toHaveLength(DOCUMENTS)
      for (const { title, fileContent } of items) expect(fileContent).toBe(base64(contentOf(Number(title))))
      const bare = (await get(`limit=${DOCUMENTS}`)).items
      expect(items.map(({ fileContent: _, ...item }) => item)).toEqual(bare)
    })

    it('several large answers at once are all complete', async () => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => send(`limit=${DOCUMENTS}&withFileContent=${n % 2 === 0}`)),
      )
      expect(answers.map(({ json }) => json.items.length)).toEqual(Array(6).fill(DOCUMENTS))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(2)
    })

    it('a page that is read again later is the same although others were added with another title', async () => {
      const before = await get('title=1&limit=50&start=20')
      clock.at += 1
      await create(world(), noteOf('Later'))
      expect(await get('title=1&limit=50&start=20')).toEqual(before)
      expect(before.total).toBe(1 + 10 + 100)
    })

    describe('what was changed last', () => {
      const first = async (query = '') => (await get(`limit=1&${query}`)).items[0]?.id

      it.each([
        [
          'a patch',
          (id: string) =>
            world().send({ as: 'integration', method: 'PATCH', url: urlOf(id), body: [replace('/title', '7')] }),
        ],
        ['a revision', (id: string) => revise(world(), id)],
      ])('by %s comes first', async (name, change) => {
        const id = name === 'a patch' ? idOf(3) : idOf(4)
        expect(await first()).not.toBe(id)
        clock.at += 1
        await change(id)
        expect(await first()).toBe(id)
        expect((await get('limit=0')).total).toBe(DOCUMENTS + 1)
      })
    })
  },
  { newId: ids.next, clock: () => new Date(clock.at) },
)
