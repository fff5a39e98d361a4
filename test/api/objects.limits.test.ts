// Limits: the row cap and export (decision 6, limit and export), the limits of a query, its time limit, and
// callers who disconnect.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { insertManyLines, insertRows, ledger, objects, startObjects } from '../support/object-records.ts'
import { readParquet } from '../support/parquet-file.ts'
import { longIt } from '../support/reliability-test.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore, type World } from '../support/world.ts'

const filtered = (filter: string) => ({ url: objects('customers', { select: 'customerId', filter }) })
const wrong = (message: string) => ({ status: 400, json: { code: 1020, message } })
const repeated = (text: string, times: number, between: string) =>
  Array.from({ length: times }, () => text).join(between)

/** A filter of exactly so many characters, which leaves customer 1001. */
const ofLength = (length: number) => "customerId eq '1001'".padEnd(length - 13) + " or 1 eq '2'".padEnd(13)

/** The contact points of a customer with each other: so many items to the power of the depth. */
function nested(depth: number): string {
  const variables = Array.from({ length: depth }, (_, at) => `v${at}`)
  const body = `(${variables.map((name) => `${name}/contactPointType eq 'zz'`).join(' or ')})`
  const all = variables.reduceRight((inside, name) => `contactPoints/any(${name}:${inside})`, body)
  return `customerId eq '1001' and ${all}`
}

const bounds: Scenario[] = [
  {
    name: 'takes a filter of 8,000 characters (decision 6, bounds)',
    ...filtered(ofLength(8_000)),
    status: 200,
  },
  {
    name: 'refuses a filter of 8,001 characters (decision 6, bounds)',
    ...filtered(ofLength(8_001)),
    ...wrong('Syntax error at position 8000: the text is longer than 8000 characters ($filter)'),
  },
  {
    name: 'refuses a select of 8,001 characters',
    url: objects('customers', { select: 'customerId,'.padEnd(8_001, 'x') }),
    ...wrong('Syntax error at position 8000: the text is longer than 8000 characters ($select)'),
  },
  {
    name: 'refuses an orderBy of 8,001 characters',
    url: objects('customers', { orderBy: 'x'.repeat(8_001) }),
    ...wrong('Syntax error at position 8000: the text is longer than 8000 characters ($orderby)'),
  },
  {
    name: 'takes brackets 64 deep (decision 6, bounds)',
    ...filtered(`${'('.repeat(64)}customerId eq 1001${')'.repeat(64)}`),
    status: 200,
    json: [{ customerId: '1001' }],
  },
  {
    name: 'refuses brackets 65 deep (decision 6, bounds)',
    ...filtered(`${'('.repeat(65)}customerId eq 1001${')'.repeat(65)}`),
    ...wrong('Syntax error at position 64: nesting is deeper than 64 levels ($filter)'),
  },
  {
    name: 'takes not 64 deep (decision 6, bounds)',
    ...filtered(`${'not '.repeat(64)}customerId eq 1001`),
    status: 200,
    json: [{ customerId: '1001' }],
  },
  {
    name: 'refuses not 65 deep (decision 6, bounds)',
    ...filtered(`${'not '.repeat(65)}customerId eq 1001`),
    ...wrong('Syntax error at position 256: nesting is deeper than 64 levels ($filter)'),
  },
  {
    name: 'refuses functions 65 deep',
    ...filtered(`${'trim('.repeat(65)}customerId${')'.repeat(65)} eq '1'`),
    status: 400,
    code: 1020,
  },
  {
    name: 'takes 166 comparisons in a row: 3 nodes each and one for all are 499 (decision 6, bounds)',
    ...filtered(repeated('customerId eq 1001', 166, ' or ')),
    status: 200,
    json: [{ customerId: '1001' }],
  },
  {
    name: 'takes a filter of 500 nodes (decision 6, bounds)',
    ...filtered(`${repeated('customerId eq 1001', 165, ' or ')} or not customerId eq 0`),
    status: 200,
  },
  {
    name: 'refuses a filter of 501 nodes (decision 6, bounds)',
    ...filtered(`${repeated('customerId eq 1001', 165, ' or ')} or not not customerId eq 0`),
    status: 400,
    code: 1020,
  },
  {
    name: 'takes 1,000 values of in, which are no nodes (decision 6, bounds)',
    ...filtered(`customerId in (${repeated('1', 999, ',')},1001)`),
    status: 200,
    json: [{ customerId: '1001' }],
  },
  {
    name: 'refuses 1,001 values of in (decision 6, bounds)',
    ...filtered(`customerId in (${repeated('1', 1_001, ',')})`),
    ...wrong('Syntax error at position 2015: a list of more than 1000 values ($filter)'),
  },
  {
    name: 'takes any and all two deep, of two lists (bounds of any and all)',
    ...filtered(
      "contactPoints/any(c: relatedValues/all(r: r/relationId ne c/contactPointType)) and customerId eq '1001'",
    ),
    status: 200,
    json: [{ customerId: '1001' }],
  },
  {
    name: 'refuses any and all three deep (bounds of any and all)',
    ...filtered('contactPoints/any(c: relatedValues/any(r: contactPoints/any()))'),
    ...wrong('Syntax error at position 42: any and all are nested deeper than 2 levels ($filter)'),
  },
  {
    name: 'refuses a list inside itself (bounds of any and all)',
    ...filtered('contactPoints/any(c: contactPoints/any(d: d/sortOrder gt c/sortOrder))'),
    ...wrong("'contactPoints' is asked inside itself at position 21 of $filter"),
  },
  {
    name: 'refuses a list along an association inside itself (bounds of any and all)',
    url: ledger({ filter: 'customer/contactPoints/all(c: customer/contactPoints/all())' }),
    ...wrong("'customer/contactPoints' is asked inside itself at position 30 of $filter"),
  },
  {
    name: 'takes 20 any and all (bounds of any and all)',
    ...filtered(repeated('contactPoints/any(c: c/sortOrder eq 2)', 20, ' or ')),
    status: 200,
    json: [{ customerId: '1001' }],
  },
  {
    name: 'refuses 21 any and all (bounds of any and all)',
    ...filtered(repeated('contactPoints/any()', 21, ' or ')),
    ...wrong('Syntax error at position 460: the filter has more than 20 any, all and $count ($filter)'),
  },
  ...[8, 11, 16, 28].map((depth) => ({
    name: `refuses a list of customers inside itself ${depth} deep, whatever its key (bounds of any and all)`,
    ...filtered(nested(depth)),
    status: 400,
    code: 1020,
  })),
]

/** A comparison that reads every line of the ledger many times. */
const SLOW = Array.from({ length: 90 }, (_, at) => `contains(tolower(description),'${at}x')`).join(' or ')
const SLOW_MS = 500

async function time<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
  const start = performance.now()
  return [await work(), performance.now() - start]
}

const ask = (world: World, as: string, accept: string, url: string, method: 'GET' | 'HEAD' = 'GET') =>
  world.send({ as, method, url, headers: { accept } })

onEachStore('Bounds on a query of the object endpoints', (world) => runScenarios(world, bounds), startObjects)

onEachStore(
  'The cap of the object endpoints',
  (world) => {
    const url = ledger({ select: 'transactionNumber', historical: 'false', registered: 'false' })
    const cut = (answer: { headers: Record<string, unknown> }) => [
      answer.headers['x-erp-truncated'],
      answer.headers.link,
    ]
    const rows = (text: string) => text.trimEnd().split('\n').length

    it('answers exactly 50,000 records completely, and reports no more (decision 6, limit)', async () => {
      await world().query("delete from ledger_transaction where company_id = 'EN'")
      await insertManyLines(world(), 50_000)
      const answer = await ask(world(), 'integration', 'application/json', url)
      expect([answer.status, answer.json.length]).toEqual([200, 50_000])
      expect(cut(answer)).toEqual([undefined, undefined])
    })

    it('cuts 50,001 records without a limit, and says so and where the rest is (decision 6, limit)', async () => {
      await insertManyLines(world(), 1, 'posted', 900_000)
      const options = { select: 'transactionNumber', companyId: 'en', filter: 'period eq 0 and sequenceNumber eq 1' }
      const answer = await ask(world(), 'integration', 'application/json', ledger(options))
      expect([answer.json.length, answer.headers['x-erp-truncated']]).toEqual([50_000, 'true'])
      const next = /^<(\/v1\/objects\/.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1] ?? ''
      const rest = await ask(world(), 'integration', 'application/json', next)
      expect(rest.json).toEqual([{ transactionNumber: 900_001 }])
      expect(cut(rest)).toEqual([undefined, undefined])
    })

    it('cuts from an offset too, and gives the next offset behind it', async () => {
      const from1 = await ask(world(), 'integration', 'application/json', `${url}&offset=1`)
      expect([from1.json.length, ...cut(from1)]).toEqual([50_000, undefined, undefined])
      await insertManyLines(world(), 1, 'posted', 900_001)
      const cutOff = await ask(world(), 'integration', 'application/json', `${url}&$skip=1`)
      expect(cutOff.headers.link).toMatch(/offset=50001>; rel="next"$/)
      expect(cutOff.headers.link).not.toContain('skip')
    })

    it('says nothing of more where a limit was sent (decision 6, limit)', async () => {
      const answer = await ask(world(), 'integration', 'application/json', `${url}&limit=50000`)
      expect([answer.json.length, ...cut(answer)]).toEqual([50_000, undefined, undefined])
    })

    it('cuts NDJSON and CSV without the operation export, and answers all with it (decision 6, export)', async () => {
      for (const [accept, names] of [
        ['application/x-ndjson', 0],
        ['text/csv', 1],
      ] as const) {
        const capped = await ask(world(), 'integration', accept, url)
        expect([rows(capped.text) - names, capped.headers['x-erp-truncated']]).toEqual([50_000, 'true'])
        const whole = await ask(world(), 'exporter', accept, url)
        expect([rows(whole.text) - names, ...cut(whole)]).toEqual([50_002, undefined, undefined])
        const asked = await ask(world(), 'exporter', accept, `${url}&limit=10`)
        expect(rows(asked.text) - names).toBe(10)
      }
    })

    it('cuts Parquet without the operation export, and says so in its metadata and to HEAD (decision 6, export)', async () => {
      const parquet = 'application/vnd.apache.parquet'
      const capped = await ask(world(), 'integration', parquet, url)
      const { rows: kept, about } = await readParquet(capped.bytes)
      expect([kept.length, capped.headers['x-erp-truncated'], about['tabularium.truncated']]).toEqual([
        50_000,
        'true',
        'true',
      ])
      const head = await ask(world(), 'integration', parquet, url, 'HEAD')
      expect([head.status, head.headers['x-erp-truncated'], head.headers['x-erp-total-count']]).toEqual([
        200,
        'true',
        undefined,
      ])
      const whole = await ask(world(), 'exporter', parquet, url)
      const all = await readParquet(whole.bytes)
      expect([all.rows.length, all.groups, ...cut(whole)]).toEqual([50_002, [1_000, 49_002], undefined, undefined])
      expect((await ask(world(), 'exporter', parquet, url, 'HEAD')).headers['x-erp-total-count']).toBe('50002')
    })

    it('cuts JSON also with the operation export, and where export is allowed for other documents (decision 6)', async () => {
      const json = await ask(world(), 'exporter', 'application/json', url)
      expect([json.json.length, json.headers['x-erp-truncated']]).toEqual([50_000, 'true'])
      const split = await ask(world(), 'split', 'application/x-ndjson', url)
      expect([rows(split.text), split.headers['x-erp-truncated']]).toEqual([50_000, 'true'])
    })

    it('counts beyond the cap (decision 6, HEAD)', async () => {
      const answer = await ask(world(), 'integration', '*/*', url, 'HEAD')
      expect(answer.headers['x-erp-total-count']).toBe('50002')
    })

    longIt(
      'goes on working when clients leave in the middle of large answers (a real server)',
      {
        timeout: 600_000,
      },
      async () => {
        const { server } = world().application
        await server.listen({ host: '127.0.0.1', port: 0 })
        const { port } = server.server.address() as AddressInfo
        const headers = {
          authorization: `Bearer ${await world().token('exporter')}`,
          accept: 'application/x-ndjson',
        }
        const whole = ledger({ select: '*' })
        for (let round = 0; round < 8; round++) {
          const leaving = request({ host: '127.0.0.1', port, path: whole, headers }).end()
          const [answer] = await once(leaving, 'response')
          await once(answer, 'data')
          leaving.destroy()
        }
        const answer = await fetch(`http://127.0.0.1:${port}${whole}`, { headers })
        expect(rows(await answer.text())).toBe(50_002)
        const broken = world().observed.filter(({ kind }) => kind === 'request-failed')
        expect(broken).toEqual([])
      },
    )
  },
  startObjects,
)

onEachStore(
  'The time limit of a query',
  (world) => {
    const slow = ledger({ select: 'description', filter: SLOW, limit: 10 })
    const quick = objects('companies', { select: 'companyId' })

    /** The limit holds for quick queries too, which a busy machine may keep from being quick: false then. */
    const isAnswered = async (accept: string, url: string, text: string): Promise<boolean> => {
      const answer = await ask(world(), 'integration', accept, url)
      if (answer.status === 503) return false
      expect([answer.status, answer.text]).toEqual([200, text])
      return true
    }

    it('stops a query at the limit with 503 and Retry-After, and answers others meanwhile (decision 1, overload)', async () => {
      await insertManyLines(world(), 135_000)
      // Starts readers and sessions before the time is measured.
      await ask(world(), 'integration', '*/*', ledger({ filter: "contains(description,'none')", limit: 1 }))
      let others = 0
      // A busy machine may come to nothing else in half a second.
      while (others === 0) {
        let waiting = true
        const stopped = time(() => ask(world(), 'integration', 'application/json', slow)).finally(() => {
          waiting = false
        })
        // The first may have been sent before the slow one started.
        for (let at = 0; waiting; at++) {
          const isMeanwhile = (await isAnswered('*/*', quick, '[{"companyId":"EN"}]')) && waiting
          if (isMeanwhile && at > 0) others += 1
          await new Promise((resume) => setTimeout(resume, 10))
        }
        const [answer, milliseconds] = await stopped
        expect([answer.status, answer.json.code]).toEqual([503, 1020])
        expect(answer.json.message).toContain('The query took longer than 0.5 s and was stopped')
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        expect(milliseconds).toBeGreaterThan(SLOW_MS - 50)
      }
    })

    longIt('answers the next query, in every format and as a count (the reader is replaced)', async () => {
      const url = ledger({
        select: 'transactionNumber',
        filter: "transactionNumber gt 177000 and contains(description,'77777')",
        limit: 5,
      })
      for (let round = 0; round < 2; round++) {
        expect((await ask(world(), 'integration', '*/*', slow)).status).toBe(503)
        await expect.poll(() => isAnswered('application/json', url, '[{"transactionNumber":177777}]')).toBe(true)
        await expect.poll(() => isAnswered('text/csv', url, 'transactionNumber\r\n177777\r\n')).toBe(true)
      }
    })

    it('stops slow counts, slow CSV and slow NDJSON the same way', async () => {
      for (const [accept, method] of [
        ['*/*', 'HEAD'],
        ['text/csv', 'GET'],
        ['application/x-ndjson', 'GET'],
      ] as const) {
        const url = ledger({ filter: SLOW })
        const answer = await ask(world(), 'exporter', accept, url, method)
        expect([accept, answer.status, answer.headers['retry-after']]).toEqual([accept, 503, '30'])
      }
    })

    longIt('stops many slow queries at once, and serves the queued ones or tells them to retry', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => ask(world(), 'integration', 'application/json', slow)),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      await insertRows(world(), 'own_work_orders', [{ company_id: 'EN', work_order_id: 'after' }])
      expect((await ask(world(), 'integration', '*/*', objects('work-orders'))).json).toHaveLength(1)
    })
  },
  (kind) => startObjects(kind, { queryTimeoutMs: SLOW_MS }),
)
