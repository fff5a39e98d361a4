// ETags of collections and counts: a repeated read is answered from the cache only while nothing that it shows
// has changed, and only for callers with the same access and the same media type. Decision 5, ETag.
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startWithExternalTables } from '../support/external-tables.ts'
import { ledger, objects } from '../support/object-records.ts'
import { make, startRuled } from '../support/ruled-records.ts'
import { type Answer, onEachStore, type Sent, STORE_KINDS, startWorld, type World } from '../support/world.ts'

const C1 = '/v1/attribute-values/C1'
const described = objects('attribute-relations', { filter: "relationValue eq 'P1'", select: 'relationValue[C;T]' })

/** The number of equal requests; the last ones are answered from the cache, if any are. */
const TIMES = 4

async function askedAgain(world: World, sent: Sent): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let time = 0; time < TIMES; time++) answers.push(await world.send(sent))
  return answers
}

const tagOf = async (world: World, sent: Sent) => String((await world.send(sent)).headers.etag)

const describeValue = (world: World, attributeId: string, value: string, text: string) =>
  world.send({
    as: 'admin',
    method: 'PATCH',
    url: `/v1/attribute-values/${attributeId}/${value}/0`,
    body: [{ op: 'replace', path: '/description', value: text }],
  })

async function repeatsCounted(world: World): Promise<number> {
  const { text } = await world.send({ url: '/metrics' })
  const counts = [...text.matchAll(/^tabularium_answers_repeated_total\{status="\d+"\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

const COLLECTIONS: readonly Sent[] = [
  { url: C1 },
  { url: C1, method: 'HEAD' },
  { url: objects('customers') },
  { url: objects('customers', { filter: "countryCode eq 'NO'" }), method: 'HEAD' },
  { url: objects('customers'), headers: { accept: 'application/x-ndjson' } },
  { url: objects('customers'), headers: { accept: 'text/csv' } },
  { url: objects('work-orders') },
  { url: objects('audit-entries') },
]

onEachStore(
  'A repeated read',
  (world) => {
    it.each(COLLECTIONS)('has a tag that answers 304 until something changes: $method $url $headers', async (sent) => {
      const asked = { ...sent, as: 'admin' }
      const [first, ...others] = await askedAgain(world(), asked)
      const etag = String(first?.headers.etag)
      expect(first?.status).toBe(200)
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
      expect(first?.headers.vary).toContain('accept-language')
      for (const other of others) {
        expect([other.status, other.text, other.headers.etag]).toEqual([200, first?.text, etag])
        expect(other.headers['x-erp-total-count']).toBe(first?.headers['x-erp-total-count'])
        expect(other.headers['content-type']).toBe(first?.headers['content-type'])
      }
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        for (let time = 0; time < 2; time++) {
          const unchanged = await world().send({ ...asked, headers: { ...sent.headers, 'if-none-match': known } })
          expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag])
        }
      }
      const other = await world().send({ ...asked, headers: { ...sent.headers, 'if-none-match': 'W/"other"' } })
      expect([other.status, other.headers.etag]).toEqual([200, etag])
    })

    it('is answered from the cache, and with the new state after every change', async () => {
      const asked = { as: 'admin', url: C1 }
      for (let change = 0; change < 3; change++) {
        const text = `Head office ${change}`
        expect((await describeValue(world(), 'C1', 'CC100', text)).status).toBe(200)
        const before = await repeatsCounted(world())
        for (const answer of await askedAgain(world(), asked)) expect(answer.json[0].description).toBe(text)
        expect(await repeatsCounted(world())).toBeGreaterThan(before)
      }
    })

    it('follows the documents that the query names, and no others', async () => {
      const asked = { as: 'admin', url: described }
      const tag = await tagOf(world(), asked)
      await make(world(), '/v1/documents', { docType: 'NOTE', title: 'x', fileName: 'x.txt', fileContent: 'eA==' })
      expect(await tagOf(world(), asked)).toBe(tag)
      await askedAgain(world(), asked)
      await describeValue(world(), 'C3', 'P1', 'Harbour')
      const [answer] = await askedAgain(world(), asked)
      expect(answer?.headers.etag).not.toBe(tag)
      expect(answer?.json[0]['relationValue(description)']).toBe('Harbour')
      const plain = { as: 'admin', url: objects('attribute-relations', { select: 'relationValue' }) }
      const plainTag = await tagOf(world(), plain)
      await describeValue(world(), 'C3', 'P1', 'Quay')
      expect(await tagOf(world(), plain)).toBe(plainTag)
    })

    it('follows the records that an association leads to', async () => {
      const asked = { as: 'admin', url: ledger({ select: 'transactionNumber,customer(customerName)' }) }
      const [, , , before] = await askedAgain(world(), asked)
      const body = [{ op: 'replace', path: '/customerName', value: 'Renamed' }]
      expect((await world().send({ as: 'admin', method: 'PATCH', url: '/v1/customers/1001', body })).status).toBe(200)
      const [after] = await askedAgain(world(), asked)
      expect(after?.headers.etag).not.toBe(before?.headers.etag)
      expect(after?.text).toContain('Renamed')
    })

    it('follows the records that a row rule depends on', async () => {
      const url = '/v1/customers/1002'
      expect((await askedAgain(world(), { as: 'swedish', url })).map(({ status }) => status)).toEqual([
        200, 200, 200, 200,
      ])
      const move = (countryCode: string) =>
        world().send({
          as: 'admin',
          method: 'PATCH',
          url,
          body: [{ op: 'replace', path: '/countryCode', value: countryCode }],
        })
      expect((await move('NO')).status).toBe(200)
      expect((await world().send({ as: 'swedish', url })).status).toBe(404)
      expect((await askedAgain(world(), { as: 'norwegian', url })).at(-1)?.status).toBe(200)
      await move('SE')
      expect((await world().send({ as: 'norwegian', url })).status).toBe(404)
      expect((await world().send({ as: 'swedish', url })).status).toBe(200)
    })

    it.each(['/v1/customers/1001', `${C1}/CC100/0`, '/v1/attribute-relations/C1/CC100/C3/P1'])(
      'is cached for a single record too: %s',
      async (url) => {
        const [first, ...others] = await askedAgain(world(), { as: 'admin', url })
        const before = await repeatsCounted(world())
        for (const other of others) {
          expect([other.text, other.headers.etag]).toEqual([first?.text, first?.headers.etag])
        }
        const headers = { 'if-none-match': String(first?.headers.etag) }
        expect((await world().send({ as: 'admin', url, headers })).status).toBe(304)
        expect(await repeatsCounted(world())).toBe(before + 1)
      },
    )

    it('is never shared by callers with other access, nor by media types and languages', async () => {
      const url = objects('customers', { orderby: 'customerId' })
      const callers = ['admin', 'rows', 'fields', 'swedish', 'norwegian', 'nordic', 'mixed']
      const forms: Record<string, string>[] = [{}, { accept: 'text/csv' }, { accept: 'application/x-ndjson' }]
      const asked = callers.flatMap((as) => forms.map((headers) => ({ as, url, headers })))
      const fresh = new Map<Sent, Answer>()
      for (const one of asked) fresh.set(one, await world().send(one))
      for (let time = 0; time < TIMES; time++) {
        for (const one of asked) expect((await world().send(one)).text).toBe(fresh.get(one)?.text)
      }
      const tags = [...fresh.values()].filter(({ status }) => status === 200).map(({ headers }) => headers.etag)
      expect(new Set(tags).size).toBe(tags.length)
      const tag = String(fresh.get(asked[0] as Sent)?.headers.etag)
      const stranger = await world().send({ as: 'rows', url, headers: { 'if-none-match': tag } })
      expect(stranger.status).toBe(200)
    })

    it('is rejected without permission, even when it is cached for another caller', async () => {
      const url = objects('audit-entries')
      await askedAgain(world(), { as: 'admin', url })
      expect((await world().send({ as: 'mixed', url })).status).toBe(403)
      expect((await world().send({ url })).status).toBe(401)
    })

    it('is unchanged after a validation-only write and after a rejected write', async () => {
      const asked = { as: 'admin', url: C1 }
      const tag = await tagOf(world(), asked)
      const body = { attributeId: 'C1', attributeValue: 'CC900', description: 'tried' }
      const url = '/v1/attribute-values?validateOnly=true'
      expect((await world().send({ as: 'admin', method: 'POST', url, body })).status).toBe(200)
      const taken = { ...body, attributeValue: 'CC100' }
      expect(
        (await world().send({ as: 'admin', method: 'POST', url: '/v1/attribute-values', body: taken })).status,
      ).toBe(409)
      expect(await tagOf(world(), asked)).toBe(tag)
    })

    it('is compressed for clients that accept it', async () => {
      const url = objects('audit-entries', { select: 'before,after' })
      const accept = 'text/csv'
      const plain = await world().send({ as: 'admin', url, headers: { accept } })
      expect(plain.bytes.length).toBeGreaterThan(2_000)
      for (const accepted of ['gzip', 'gzip, deflate', 'deflate', 'br']) {
        for (let time = 0; time < TIMES; time++) {
          const { headers, bytes } = await world().send({
            as: 'admin',
            url,
            headers: { accept, 'accept-encoding': accepted },
          })
          const isZipped = headers['content-encoding'] === 'gzip'
          expect(isZipped).toBe(accepted.startsWith('gzip'))
          if (isZipped) expect(gunzipSync(bytes).toString()).toBe(plain.text)
          if (accepted === 'br') expect(bytes.toString()).toBe(plain.text)
          expect(headers.vary).toContain('accept-encoding')
        }
      }
    })
  },
  startRuled,
)

describe.each(STORE_KINDS)('Records of external tables on %s', (kind) => {
  it('have no tag, and are read each time', async () => {
    const world = await startWithExternalTables(kind)
    try {
      const found = await world.send({ as: 'integration', url: objects('jobs') })
      expect([found.status, found.headers.etag]).toEqual([200, undefined])
    } finally {
      await world.stop()
    }
  })
})

describe.each(STORE_KINDS)('An answer that depends on the day on %s', (kind) => {
  it('is not reused on another day', async () => {
    let now = new Date('2026-03-31T12:00:00Z')
    const world = await startWorld(kind, 'test/fixtures/rules.yaml', '', { clock: () => now })
    try {
      const asked = { as: 'admin', url: objects('companies') }
      const periodOf = ({ json }: Answer) => json[0].currentAccountingPeriod
      const before = await askedAgain(world, asked)
      expect(before.map(periodOf)).toEqual([202603, 202603, 202603, 202603])
      now = new Date('2026-03-31T12:30:00Z')
      expect(await tagOf(world, asked)).toBe(before[0]?.headers.etag)
      now = new Date('2026-04-01T12:00:00Z')
      const authorization = `Bearer ${await world.application.tokens.issue('admin')}`
      const headers = { authorization, 'if-none-match': String(before[0]?.headers.etag) }
      const after = await world.send({ url: asked.url, headers })
      expect([after.status, after.status === 200 ? periodOf(after) : 0]).toEqual([200, 202604])
    } finally {
      await world.stop()
    }
  })
})
