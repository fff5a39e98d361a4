// GET /v1/changes: its options, its formats, its cursors, and when a reader has to start over.
import { describe, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { type Answer, onEachStore, type Sent, type World } from '../support/world.ts'

const CHANGES = '/v1/changes'

const SINCE =
  "The query option since must be 'now', a change number (of the header X-ERP-Change-Number), or the cursor 'next' of an answer to the same request."
const GONE =
  'The changes after this position are no longer kept, or your rights have changed since: load the records again, then go on from the X-ERP-Change-Number of that answer.'

const changesUrl = (options: Readonly<Record<string, string>>) => `${CHANGES}?${new URLSearchParams(options)}`

const read = (world: World, options: Readonly<Record<string, string>>, sent: Partial<Sent> = {}): Promise<Answer> =>
  world.send({ as: 'integration', url: changesUrl(options), ...sent })

async function cursorNow(world: World, options: Readonly<Record<string, string>> = {}, as = 'integration') {
  const answer = await read(world, { since: 'now', ...options }, { as })
  expect([answer.status, answer.json?.changes]).toEqual([200, []])
  return String(answer.json.next)
}

async function makeValue(world: World, attributeValue: string, sent: Partial<Sent> = {}): Promise<void> {
  const body = { attributeId: 'C6', attributeValue, description: `the value ${attributeValue}` }
  const { status, text } = await world.send({
    as: 'integration',
    method: 'POST',
    url: '/v1/attribute-values',
    body,
    ...sent,
  })
  expect([status, status === 201 ? '' : text]).toEqual([201, ''])
}

const wrong = (
  name: string,
  options: Readonly<Record<string, string>>,
  message: string,
  sent: Partial<Scenario> = {},
): Scenario => ({ name, url: changesUrl(options), status: 400, code: 1020, message, ...sent })

const REFUSED: readonly Scenario[] = [
  wrong('refuses a request that does not name where to begin', {}, SINCE),
  wrong('refuses a blank place', { since: ' ' }, SINCE),
  wrong('refuses a place that is none', { since: 'yesterday' }, SINCE),
  wrong('refuses a negative change number', { since: '-1' }, SINCE),
  wrong('refuses a change number beyond any', { since: '9'.repeat(16) }, SINCE),
  wrong('refuses a long place without repeating it', { since: 'A'.repeat(5_000) }, SINCE),
  wrong('refuses an event id that is no cursor', { since: 'now' }, SINCE, {
    headers: { 'last-event-id': 'yesterday', accept: 'text/event-stream' },
  }),
  wrong(
    'refuses a limit of none',
    { since: 'now', limit: '0' },
    "The value '0' is not valid for limit: it must be a whole number from 1 to 1000.",
  ),
  wrong(
    'refuses more changes than a page has, also as $top',
    { since: 'now', $top: '1001' },
    "The value '1001' is not valid for limit: it must be a whole number from 1 to 1000.",
  ),
  wrong(
    'refuses to wait longer than a proxy does',
    { since: 'now', wait: '56' },
    "The value '56' is not valid for wait: it must be a whole number from 0 to 55.",
  ),
  wrong(
    'refuses a wait that is no number of seconds',
    { since: 'now', wait: '1.5' },
    "The value '1.5' is not valid for wait: it must be a whole number from 0 to 55.",
  ),
  wrong(
    'refuses all that is wrong at once',
    { since: 'now', limit: '0', latest: 'perhaps' },
    "The value '0' is not valid for limit: it must be a whole number from 1 to 1000. " +
      "The value 'perhaps' is not valid for latest: it must be true or false.",
  ),
  wrong(
    'refuses a flag that is none',
    { since: 'now', latest: 'perhaps' },
    "The value 'perhaps' is not valid for latest: it must be true or false.",
  ),
  wrong(
    'refuses an entity without a name',
    { since: 'now', entities: 'attribute-values,,customers' },
    'The query option entities has an empty name.',
  ),
  wrong(
    'refuses an option that is given twice, also in other spellings',
    { since: 'now', Wait: '1', $wait: '2' },
    "The query option 'wait' is given more than once.",
  ),
  wrong(
    'refuses a misspelt option with a $, and names the nearest',
    { since: 'now', $entites: 'customers' },
    "Unknown query option '$entites'; did you mean '$entities'?",
  ),
  wrong(
    'refuses an order: that of the log is the only one',
    { since: 'now', $orderby: 'time' },
    "Unknown query option '$orderby'.",
  ),
  {
    name: 'refuses a caller who may not read documents',
    as: 'reader',
    url: changesUrl({ since: 'now' }),
    status: 403,
    code: 2030,
  },
  {
    name: 'refuses a company of others as one that does not exist',
    url: changesUrl({ since: 'now', companyId: 'SV' }),
    status: 403,
    code: 2030,
    message: 'User is not authorised.',
  },
  {
    name: 'answers a number beyond the log with 410 and where to start over',
    url: changesUrl({ since: '999999999', entities: 'attribute-values' }),
    status: 410,
    code: 1020,
    message: GONE,
    answerHeaders: { link: '</v1/objects/attribute-values?companyId=EN>; rel="resync"' },
  },
  { name: 'answers HEAD as GET, and counts nothing', method: 'HEAD', url: CHANGES, status: 400 },
]

onEachStore('The feed of changes', (world) => {
  runScenarios(world, REFUSED)

  it('tells a change with its record as GET answers it, and goes on from its cursor', async () => {
    const since = await cursorNow(world())
    await makeValue(world(), 'TOLD')
    const told = await read(world(), { since })
    const record = await world().send({ as: 'integration', url: '/v1/attribute-values/C6/TOLD/0' })
    expect(told.status).toBe(200)
    expect(told.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(told.json.changes).toHaveLength(1)
    const { id, number, time, ...change } = told.json.changes[0]
    expect(change).toEqual({
      entity: 'attribute-values',
      key: { attributeId: 'C6', attributeValue: 'TOLD', periodFrom: 0 },
      operation: 'created',
      etag: record.headers.etag,
      record: record.json,
    })
    expect(id).toBe(`EN-${number}`)
    expect(Date.parse(time)).toBeGreaterThan(0)
    expect(told.json).toMatchObject({ companyId: 'EN', upToDate: true, pending: 0 })
    const next = await read(world(), { since: told.json.next })
    expect(next.json.changes).toEqual([])
    const fromNumber = await read(world(), { since: String(number - 1) })
    expect(fromNumber.json.changes).toEqual(told.json.changes)
  })

  it('reads in pages without gaps and doubles, and says how much is left', async () => {
    let since = await cursorNow(world())
    for (let at = 0; at < 5; at++) await makeValue(world(), `PAGE${at}`)
    const keys: string[] = []
    const left: unknown[] = []
    for (let pages = 0; pages < 3; pages++) {
      const { json } = await read(world(), { $Since: since, LIMIT: '2' })
      keys.push(...json.changes.map(({ key }: { key: { attributeValue: string } }) => key.attributeValue))
      left.push([json.upToDate, json.pending])
      since = json.next
    }
    expect(keys).toEqual(['PAGE0', 'PAGE1', 'PAGE2', 'PAGE3', 'PAGE4'])
    expect(left).toEqual([
      [false, 3],
      [false, 1],
      [true, 0],
    ])
  })

  it('answers the same as lines, between what the answer covers and where it goes on', async () => {
    const since = await cursorNow(world())
    await makeValue(world(), 'LINE1')
    await makeValue(world(), 'LINE2')
    const { json } = await read(world(), { since })
    const lines = await read(world(), { since }, { headers: { accept: 'application/x-ndjson' } })
    expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(lines.text.endsWith('\n')).toBe(true)
    const [head, one, two, end, ...more] = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(more).toEqual([])
    expect([one, two]).toEqual(json.changes)
    expect({ ...head, changes: [one, two], ...end }).toEqual(json)
    expect(Object.keys(end)).toEqual(['next', 'upToDate', 'pending'])
  })

  it('filters and selects in the language of the object endpoints', async () => {
    const question = { entities: 'attribute-values', filter: "description eq 'the value F1'", select: 'attributeValue' }
    const since = await cursorNow(world(), question)
    await makeValue(world(), 'F1')
    await makeValue(world(), 'F2')
    const { json } = await read(world(), { since, ...question })
    expect(json.covers).toEqual(['attribute-values'])
    expect(json.changes.map(({ record }: { record: unknown }) => record)).toEqual([{ attributeValue: 'F1' }])
  })

  it('tells only the newest state of a record with latest', async () => {
    const since = await cursorNow(world(), { latest: 'true' })
    await makeValue(world(), 'NEWEST')
    const body = [{ op: 'replace', path: '/description', value: 'changed' }]
    await world().send({ as: 'integration', method: 'PATCH', url: '/v1/attribute-values/C6/NEWEST/0', body })
    const { json } = await read(world(), { since, latest: 'true' })
    expect(
      json.changes.map(({ operation, record }: { operation: string; record: { description: string } }) => [
        operation,
        record.description,
      ]),
    ).toEqual([['created', 'changed']])
  })

  it('never tells a company of the other, and reads each by itself', async () => {
    const [en, sv] = [await cursorNow(world(), {}, 'both'), await cursorNow(world(), { companyId: 'SV' }, 'both')]
    await makeValue(world(), 'MINE')
    const inSv = { attributeId: 'C1', attributeValue: 'THEIRS', companyId: 'SV' }
    await world().send({ as: 'sv', method: 'POST', url: '/v1/attribute-values', body: inSv })
    const keysOf = async (options: Readonly<Record<string, string>>) => {
      const { json } = await read(world(), options, { as: 'both' })
      return json.changes.map(({ key }: { key: { attributeValue: string } }) => key.attributeValue)
    }
    expect(await keysOf({ since: en })).toEqual(['MINE'])
    expect(await keysOf({ since: sv, companyId: 'SV' })).toEqual(['THEIRS'])
  })

  describe('A cursor', () => {
    const question = { entities: 'attribute-values', filter: "attributeId eq 'C6'", select: '*' }

    it.each<readonly [string, Readonly<Record<string, string>>, string]>([
      ['another caller', question, 'both'],
      ['other entities', { ...question, entities: 'attribute-relations' }, 'integration'],
      ['another filter', { ...question, filter: "attributeId eq 'C1'" }, 'integration'],
      ['another selection', { ...question, select: 'attributeValue' }, 'integration'],
      ['the newest states', { ...question, latest: 'true' }, 'integration'],
    ])('is refused for %s', async (_name, asked, as) => {
      const since = await cursorNow(world(), question)
      const answer = await read(world(), { ...asked, since }, { as })
      expect([answer.status, answer.json]).toEqual([400, { code: 1020, message: SINCE }])
      expect((await read(world(), { ...question, since })).status).toBe(200)
    })

    it('is refused for another company', async () => {
      const since = await cursorNow(world(), {}, 'both')
      expect((await read(world(), { since, companyId: 'SV' }, { as: 'both' })).json).toEqual({
        code: 1020,
        message: SINCE,
      })
    })

    it('is refused when any of its characters is another, or it is cut or longer', async () => {
      const since = await cursorNow(world())
      const other = (at: number) => since.slice(0, at) + (since[at] === 'A' ? 'B' : 'A') + since.slice(at + 1)
      const forged = [
        ...Array.from(since, (_character, at) => other(at)),
        since.slice(1),
        since.slice(0, -1),
        `${since}A`,
      ]
      for (const text of forged) {
        const { status, json } = await read(world(), { since: text })
        expect([text, status, json]).toEqual([text, 400, { code: 1020, message: SINCE }])
      }
    })

    it('survives a limit and a wait of another length, and any order of the entities', async () => {
      const both = { entities: 'attribute-relations,attribute-values' }
      const since = await cursorNow(world(), both)
      await makeValue(world(), 'ORDERED')
      const { json } = await read(world(), {
        since,
        entities: 'attribute-values, attribute-relations',
        limit: '7',
        wait: '1',
      })
      expect(json.changes).toHaveLength(1)
    })
  })
})
