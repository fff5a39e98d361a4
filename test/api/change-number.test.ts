// The change number of a collection, a count and a list: a copy of the answer and the changes after its number are
// together all there is. Records are created all the while, and judged by the numbers of their own creation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWithExternalTables } from '../support/external-tables.ts'
import { insertRows, objects } from '../support/object-records.ts'
import { documentBody, make, startRuled } from '../support/ruled-records.ts'
import { type Answer, onEachStore, type Sent, STORE_KINDS, type World } from '../support/world.ts'

const numberOf = ({ headers }: Answer) => Number(headers['x-erp-change-number'])
const madeBy = ({ headers }: Answer) => Number(String(headers.etag).replaceAll('"', ''))

/** The numbers by which records were created, by their keys, while `read` runs. */
async function writingWhile(
  create: (no: number) => Promise<readonly [key: string, number: number]>,
  read: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  let next = 1
  let isDone = false
  const write = async () => {
    while (!isDone) numbers.set(...(await create(next++)))
  }
  const writers = Promise.all([write(), write(), write()])
  await read().finally(() => {
    isDone = true
  })
  await writers
  return numbers
}

/** The keys in an answer of any format: each is a word with this start. */
const keysIn = ({ text }: Answer, start: string) => text.match(new RegExp(`\\b${start}\\w+`, 'g')) ?? []

const ROUNDS = 6
/** So many that some of the queries run in another process. */
const OLDER = 2_500
const NEW = "attributeId eq 'C1' and attributeValue ge 'W'"
const COSTLY = "attributeId eq 'C1' and contains(description, 'new')"

const older = (no: number) => ({
  company_id: 'EN',
  attribute_id: 'C1',
  attribute_value: `A${no}`,
  period_from: 0,
  period_to: 0,
  description: 'x'.repeat(100),
})

const LIMIT = 1_000
const LIMITED = ['a short list', 'a list that is searched for']

const FORMS: readonly (readonly [what: string, sent: Sent])[] = [
  ['a short list', { url: objects('attribute-values', { filter: NEW, limit: LIMIT }) }],
  ['a list that is searched for', { url: objects('attribute-values', { filter: COSTLY, limit: LIMIT }) }],
  ['a long list', { url: '/v1/attribute-values/C1?limit=50000' }],
  ['a list without a limit', { url: objects('attribute-values', { filter: COSTLY }) }],
  ['NDJSON', { url: '/v1/attribute-values/C1', headers: { accept: 'application/x-ndjson' } }],
  ['CSV', { url: objects('attribute-values', { filter: NEW }), headers: { accept: 'text/csv' } }],
  ['CSV for Excel', { url: objects('attribute-values', { select: 'attributeValue', format: 'excel' }) }],
  ['a count', { method: 'HEAD', url: objects('attribute-values', { filter: NEW }) }],
  ['a count that searches', { method: 'HEAD', url: `/v1/attribute-values/C1?filter=${COSTLY.slice(24)}` }],
]

onEachStore(
  'The number of the last change that an answer holds',
  (world) => {
    beforeAll(async () => {
      const [stored] = await world().query("select * from attribute_value where attribute_value = 'CC100'")
      const texts = Object.entries(stored ?? {}).map(([name, value]) => [
        name,
        value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
      ])
      const row = Object.fromEntries(texts)
      const rows = Array.from({ length: OLDER }, (_, no) => ({ ...row, ...older(no) }))
      for (let at = 0; at < OLDER; at += 500) {
        await insertRows(world(), 'attribute_value', rows.slice(at, at + 500))
      }
    })

    it('is that of the snapshot, in every form, while records are created', async () => {
      const answers: (readonly [what: string, Answer])[] = []
      const numbers = await writingWhile(
        async (no) => {
          const key = `W${String(no).padStart(6, '0')}`
          const body = { attributeId: 'C1', attributeValue: key, description: `new ${'y'.repeat(200)}` }
          return [key, madeBy(await make(world(), '/v1/attribute-values', body))]
        },
        async () => {
          // Until records were created in between, however late the machine comes to it.
          const seen = new Set<number>()
          for (let round = 0; round < ROUNDS || seen.size < 2; round++) {
            const asked = FORMS.map(
              async ([what, sent]) => [what, await world().send({ ...sent, as: 'admin' })] as const,
            )
            answers.push(...(await Promise.all(asked)))
            for (const [, answer] of answers) seen.add(numberOf(answer))
          }
        },
      )
      for (const [what, answer] of answers) {
        // A slow machine makes more records than a limited answer has.
        const limit = LIMITED.includes(what) ? LIMIT : Number.POSITIVE_INFINITY
        const expected = keysUpTo(numbers, numberOf(answer)).slice(0, limit)
        const found = what.startsWith('a count')
          ? Number(answer.headers['x-erp-total-count'])
          : keysIn(answer, 'W0').sort()
        expect([what, answer.status, found]).toEqual([
          what,
          200,
          typeof found === 'number' ? expected.length : expected,
        ])
      }
    })

    it('is that of the statement which finds a page of documents', async () => {
      const pages: Answer[] = []
      const numbers = await writingWhile(
        async (no) => {
          const title = `D0${no}x`
          return [
            title,
            madeBy(await make(world(), '/v1/documents', { ...documentBody('NOTE', title), fileName: 'a.txt' })),
          ]
        },
        async () => {
          for (let round = 0; round < 3 * ROUNDS; round++) {
            pages.push(await world().send({ as: 'admin', url: '/v1/documents?limit=50000' }))
          }
        },
      )
      for (const page of pages) {
        const titles = page.json.items.map(({ title }: { title: string }) => title)
        expect(titles.filter((title: string) => title.startsWith('D0')).sort()).toEqual(
          keysUpTo(numbers, numberOf(page)),
        )
      }
    })

    it('is in a list of documents whatever its form, also an empty one', async () => {
      const queries = [
        'limit=1',
        'limit=0',
        'search=;',
        'id=00000000-0000-4000-8000-000000000000',
        'withFileContent=true',
      ]
      for (const query of queries) {
        const last = await lastNumber(world())
        const answer = await world().send({ as: 'admin', url: `/v1/documents?${query}` })
        expect([query, answer.status, numberOf(answer)]).toEqual([query, 200, last])
      }
    })

    it('is the newest with a 304, because nothing of the answer has changed up to there', async () => {
      const url = objects('customers')
      const first = await world().send({ as: 'admin', url })
      const headers = { 'if-none-match': String(first.headers.etag) }
      const ask = () => world().send({ as: 'admin', url, headers })
      const unchanged = await ask()
      expect([unchanged.status, numberOf(unchanged)]).toEqual([304, numberOf(first)])
      // This changes other records.
      await make(world(), '/v1/documents', documentBody('NOTE', 'between'))
      const last = await lastNumber(world())
      expect(last).toBeGreaterThan(numberOf(first))
      for (let time = 0; time < 3; time++) {
        const again = await ask()
        expect([again.status, numberOf(again)]).toEqual([304, last])
      }
      await world().send({ as: 'admin', method: 'DELETE', url: '/v1/customers/1001' })
      const changed = await ask()
      expect([changed.status, numberOf(changed)]).toEqual([200, await lastNumber(world())])
      expect(numberOf(changed)).toBeGreaterThan(last)
    })

    it('is the newest with a cached answer, so that who starts over does not start from an old change', async () => {
      const formats: Record<string, string>[] = [
        {},
        { accept: 'text/csv' },
        { accept: 'text/csv', 'accept-encoding': 'gzip' },
      ]
      const urls = [
        objects('customers', { select: 'customerId' }),
        objects('audit-entries', { filter: 'entryNo le 9' }),
      ]
      const sent = urls.flatMap((url) => formats.map((headers) => ({ as: 'admin', url, headers })))
      for (let change = 0; change < 3; change++) {
        const last = await lastNumber(world())
        for (let time = 0; time < 4; time++) {
          for (const one of sent) expect([one, numberOf(await world().send(one))]).toEqual([one, last])
        }
        await make(world(), '/v1/documents', documentBody('NOTE', `beside ${change}`))
      }
    })

    it('is not told with a schema, which is of no record', async () => {
      const headers = { accept: 'application/schema+json' }
      const answer = await world().send({ as: 'admin', url: objects('customers'), headers })
      expect([answer.status, answer.headers['x-erp-change-number']]).toEqual([200, undefined])
    })
  },
  startRuled,
)

function keysUpTo(numbers: ReadonlyMap<string, number>, last: number): string[] {
  return [...numbers]
    .filter(([, number]) => number <= last)
    .map(([key]) => key)
    .sort()
}

async function lastNumber(world: World): Promise<number> {
  // The texts of documents are found in the background, with numbers of their own.
  await world.application.texts.settle()
  const [row] = await world.query("select last_entry from journal_counter where company_id = 'EN'")
  return Number(row?.last_entry)
}

describe.each(STORE_KINDS)('Records that other programs write on %s', (kind) => {
  let world: Awaited<ReturnType<typeof startWithExternalTables>>
  beforeAll(async () => {
    world = await startWithExternalTables(kind)
  })
  afterAll(() => world.stop())

  it('have no number of a last change, because their changes are not recorded', async () => {
    for (const sent of [{}, { method: 'HEAD' }, { headers: { accept: 'text/csv' } }] as const) {
      const answer = await world.send({ as: 'integration', url: objects('jobs'), ...sent })
      expect([answer.status, answer.headers['x-erp-change-number']]).toEqual([200, undefined])
    }
  })
})
