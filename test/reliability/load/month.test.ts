// L8: a month of administration in fast motion beside steady traffic: nightly loads, new rules, new secrets and keys,
// backups, and clients that go. No request is refused, what changes is in force in every process as soon as its command
// has ended, and the change log grows by what has changed and nothing else.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataLocation, emptyLocation } from '../../support/data-location.ts'
import { kill, linesOf, run, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { SteadyTraffic, type TrafficClient } from '../../support/steady-traffic.ts'
import { eventually } from '../../support/uploads.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../../support/world.ts'
import { type Rules, setupOf } from './month-rules.ts'

const NIGHTS = triesOf({ long: 1, full: 30 })
const CUSTOMERS = IS_FULL ? 10_000 : 200
const CHANGED_A_NIGHT = 10
/** So many that each process gets some. */
const CONNECTIONS = 24
const PLACE = '/v1/attribute-values/C1/CC100/0'
const SECRETS = ['the secret of spring', 'the secret of summer', 'the secret of autumn'] as const
const environment = Object.fromEntries(SECRETS.map((secret, at) => [`TEST_SECRET_${at}`, secret]))
/** A new customer has its own, that of its value and that of its relation. A changed alias is one entry. */
const ENTRIES_OF_NEW = 3

const bodyOf = (customerId: string, countryCode = 'NO') => ({
  customerId,
  customerName: `Customer ${customerId}`,
  customerGroupId: 'A',
  countryCode,
  contactPoints: [{ contactPointType: '1' }],
  relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
})

describe.each(FEWER_KINDS)('L8 a month on %s', (kind) => {
  const folder = temporaryFolder()
  const aliases = Array.from({ length: CUSTOMERS }, (_, at) => `Alias ${at}`)
  let location: DataLocation
  let service: Serving
  let rules: Rules = { codes: [], secrets: '{ env: TEST_SECRET_0 }', leaver: 'active', former: 'active' }
  /** The secret that the client `renewed` uses, by its number. */
  let secret = 0
  /** What the commands of the administrator and the test itself have changed, by company. */
  const changed = { EN: 0, '': 0 }
  let traffic: SteadyTraffic | undefined

  beforeAll(async () => {
    location = await emptyLocation(kind, join(folder.path, 'data'))
    const more = ['--workers', '2', '--trust-proxy', 'loopback']
    service = await serve([...location.flags, '--setup', write('setup.yaml', setupOf(rules)), ...more], { environment })
  })
  afterAll(async () => {
    await traffic?.stop()
    await kill(service)
    folder.remove()
  })

  function write(name: string, text: string): string {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }

  /** Runs a command beside the service; returns its output. */
  async function command(...args: string[]): Promise<string> {
    const ended = await run([...args, ...location.flags], { environment })
    expect(ended).toEqual({ code: 0, signal: null, stdout: ended.stdout, stderr: '' })
    return ended.stdout
  }

  async function apply(changes: Partial<Rules>, ...more: string[]): Promise<void> {
    rules = { ...rules, ...changes }
    await command('setup', write('setup.yaml', setupOf(rules)), ...more)
  }

  const basic = (id: string, word: string) => `Basic ${Buffer.from(`${id}:${word}`).toString('base64')}`

  async function tokenOf(id: string, word = CLIENT_SECRET): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: word })
    const headers = { connection: 'close' }
    const answer = await fetch(`${service.address}/oauth/token`, { method: 'POST', body, headers })
    if (!answer.ok) throw new Error(`no token for ${id}: ${answer.status} ${await answer.text()}`)
    return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
  }

  /** The distinct statuses of a request on connections of their own, one after the other. */
  async function statusesWith(authorization: string, path = PLACE, body?: () => object): Promise<number[]> {
    const statuses = new Set<number>()
    for (let time = 0; time < CONNECTIONS; time++) {
      // An ended secret, or a client that is gone, is shown more often than one address may do.
      const address = { 'x-forwarded-for': `10.0.${time >> 8}.${time & 255}` }
      const headers = { ...address, authorization, connection: 'close', 'content-type': 'application/json' }
      const sent = body ? { method: 'POST', body: JSON.stringify(body()), headers } : { headers }
      statuses.add((await fetch(service.address + path, sent)).status)
    }
    return [...statuses]
  }

  async function load(): Promise<string> {
    const rows = aliases.map((aliasName, at) => JSON.stringify({ ...bodyOf(`N${at}`), aliasName }))
    const file = write('customers.ndjson', `${rows.join('\n')}\n`)
    return command('import', 'customers', file, '--company', 'EN', '--update')
  }

  async function oneNight(night: number): Promise<void> {
    for (let one = 0; one < CHANGED_A_NIGHT; one++) {
      const at = (night * CHANGED_A_NIGHT + one) % CUSTOMERS
      aliases[at] = `Alias ${at} of night ${night}`
    }
    const unchanged = (CUSTOMERS - CHANGED_A_NIGHT).toLocaleString('en')
    expect(await load()).toMatch(new RegExp(`^${CHANGED_A_NIGHT} rows imported, ${unchanged} unchanged, 0 rejected`))
    changed.EN += CHANGED_A_NIGHT
  }

  /** A code of a list is accepted in every process as soon as the command has ended. */
  async function addCode(): Promise<void> {
    const code = `X${rules.codes.length}`
    const authorization = await tokenOf('both')
    let number = 0
    const body = () => bodyOf(`${code}-${number++}`, code)
    expect(await statusesWith(authorization, '/v1/customers', body)).toEqual([422])
    await apply({ codes: [...rules.codes, code] })
    expect(await statusesWith(authorization, '/v1/customers', body)).toEqual([201])
    changed.EN += 1 + CONNECTIONS * ENTRIES_OF_NEW
  }

  async function addSecret(): Promise<void> {
    const next = secret + 1
    await apply({ secrets: `{ env: TEST_SECRET_${secret}, until: 2999-12-31 }, { env: TEST_SECRET_${next} }` })
    for (const at of [secret, next]) {
      expect(await statusesWith(basic('renewed', SECRETS[at] ?? ''))).toEqual([200])
    }
    changed[''] += 1
  }

  /** The clients go over to the second secret, and the first one ends. */
  async function endSecret(): Promise<void> {
    secret += 1
    await traffic?.turn()
    await apply({ secrets: `{ env: TEST_SECRET_${secret - 1}, until: 2026-01-01 }, { env: TEST_SECRET_${secret} }` })
    expect(await statusesWith(basic('renewed', SECRETS[secret - 1] ?? ''))).toEqual([401])
    expect(await statusesWith(basic('renewed', SECRETS[secret] ?? ''))).toEqual([200])
    changed[''] += 1
  }

  /** A client goes: with the token and the secret that every process knows, and for answers that each has given. */
  async function takeOut(client: 'leaver' | 'former', presence: 'disabled' | 'gone', ...more: string[]): Promise<void> {
    const known = [await tokenOf(client), basic(client, CLIENT_SECRET)]
    for (const authorization of known) expect(await statusesWith(authorization)).toEqual([200])
    await apply({ [client]: presence }, ...more)
    for (const authorization of known) expect(await statusesWith(authorization)).toEqual([401])
    changed[''] += 1
  }

  async function rotateKeys(): Promise<void> {
    const before = await tokenOf('both')
    const { stdout } = await run(['keys', 'rotate', '--data', location.data])
    const [, added] = /with the key (\S+);/.exec(stdout) ?? []
    const keyOf = (token: string) => {
      return JSON.parse(Buffer.from(token.split(/[ .]/)[1] ?? '', 'base64url').toString()).kid as string
    }
    const signers = async () => {
      return new Set((await Promise.all(Array.from({ length: CONNECTIONS }, () => tokenOf('both')))).map(keyOf))
    }
    await eventually(async () => {
      const keys = await signers()
      return keys.size === 1 && keys.has(added ?? '')
    })
    for (const token of [before, await tokenOf('both')]) expect(await statusesWith(token)).toEqual([200])
  }

  async function backUp(): Promise<void> {
    const target = join(folder.path, 'backup')
    mkdirSync(target, { recursive: true })
    await command('backup', target)
    expect(await run(['verify', target])).toMatchObject({ code: 0, stderr: '' })
  }

  /** Spread over the nights, after the load of each. */
  const events = [
    backUp,
    addCode,
    addSecret,
    addCode,
    endSecret,
    () => takeOut('leaver', 'disabled'),
    rotateKeys,
    backUp,
    addSecret,
    addCode,
    endSecret,
    () => takeOut('former', 'gone', '--prune', 'clients'),
    backUp,
  ]
  const nightOf = (event: number) => Math.floor((event * NIGHTS) / events.length)

  async function clients(): Promise<TrafficClient[]> {
    const old = await tokenOf('both')
    let token = old
    const read = (path: string, authorization: () => string): TrafficClient => {
      return () => ({ method: 'GET', path, authorization: authorization() })
    }
    return [
      read(PLACE, () => basic('renewed', SECRETS[secret] ?? '')),
      read('/v1/customers/N7', () => basic('renewed', SECRETS[secret] ?? '')),
      read(PLACE, () => basic('reader', CLIENT_SECRET)),
      read('/v1/customers/N150', () => old),
      read('/v1/objects/customers?$top=5&$filter=countryCode%20eq%20%27NO%27', () => old),
      async (at) => {
        if (at % 10 === 0) token = await tokenOf('both')
        return { method: 'GET', path: PLACE, authorization: token }
      },
      (at) => {
        const body = { attributeId: 'C6', attributeValue: `T${at}`, description: 'steady' }
        return { method: 'POST', path: '/v1/attribute-values', body, authorization: old }
      },
      (at) => {
        const body = [{ op: 'replace', path: '/aliasName', value: `Steady ${at}` }]
        return { method: 'PATCH', path: '/v1/customers/STEADY', body, authorization: basic('both', CLIENT_SECRET) }
      },
    ]
  }

  /** Entries and their bytes by company. */
  async function journal(): Promise<Record<string, { entries: number; bytes: number }>> {
    const rows = await location.query(
      'select company_id, count(*) as entries, sum(length(record_key) + length(before) + length(after)) as bytes from journal_entry group by company_id',
    )
    return Object.fromEntries(
      rows.map((row) => [String(row.company_id), { entries: Number(row.entries), bytes: Number(row.bytes) }]),
    )
  }

  it(
    'L8 refuses no request of the steady traffic, and the change log grows by exactly what has changed',
    async () => {
      await reliabilityTest('L8', `${NIGHTS} nights of administration on ${kind}`, async () => {
        const begun = performance.now()
        expect(await load()).toMatch(new RegExp(`^${CUSTOMERS.toLocaleString('en')} rows imported, 0 rejected`))
        const post = { method: 'POST', body: JSON.stringify(bodyOf('STEADY')) }
        const headers = { authorization: await tokenOf('both'), 'content-type': 'application/json' }
        expect((await fetch(`${service.address}/v1/customers`, { ...post, headers })).status).toBe(201)
        const before = await journal()
        traffic = new SteadyTraffic(service.address, await clients())
        for (let night = 0; night < NIGHTS; night++) {
          await oneNight(night)
          for (const [at, event] of events.entries()) if (nightOf(at) === night) await event()
        }
        await traffic.stop()
        expect(traffic.failed).toEqual([])
        const after = await journal()
        const grown = (company: '' | 'EN') => (after[company]?.entries ?? 0) - (before[company]?.entries ?? 0)
        expect({ EN: grown('EN'), '': grown('') }).toEqual({ EN: changed.EN + traffic.writes, '': changed[''] })
        expect(linesOf(await command('audit', 'verify'))).toEqual([
          expect.stringMatching(/: (\d+) of \1 chains are whole/),
        ])
        const bytes = (after.EN?.bytes ?? 0) - (before.EN?.bytes ?? 0)
        return (
          `${CUSTOMERS} customers, ${traffic.requests} requests, none refused, ${traffic.writes} of them writes; ` +
          `${grown('EN') + grown('')} entries, ${Math.round(bytes / grown('EN'))} bytes each; ` +
          `${Math.round((performance.now() - begun) / 1000)} s`
        )
      })
    },
    600_000 + NIGHTS * 60_000,
  )
})
