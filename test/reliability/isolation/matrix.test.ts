// T1: permissions of callers in companies, in every way to send a request. The operations come from the service's own
// description; records of other companies are answered byte by byte like missing ones, by the same statements.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, type CallerKind, callersOf } from '../../support/isolation/callers.ts'
import {
  clientWithOnly,
  ENTERPRISE_DOCUMENTS,
  GRANIT,
  JASPER,
  PERMISSIONS,
  UNKNOWN,
} from '../../support/isolation/companies.ts'
import {
  BODY_SPELLINGS,
  type CompanySpelling,
  PATCHES,
  QUERY_SPELLINGS,
} from '../../support/isolation/company-spellings.ts'
import { IsolationClient, requestLine } from '../../support/isolation/isolation-client.ts'
import { OF_BATCHES, OF_ODATA, OPEN, OPERATIONS, type Operation } from '../../support/isolation/operations.ts'
import { type Ids, idsOnlyOf, NOWHERE, SHARED, startIsolationWorld } from '../../support/isolation/records.ts'
import { IS_FULL, IS_LONG, longIt, reliabilityTest, SEED } from '../../support/reliability-test.ts'
import { SqlTap } from '../../support/sql-tap.ts'
import { type Sent, STORE_KINDS } from '../../support/world.ts'

const CLOCK = () => new Date('2026-05-04T10:00:00.000Z')

interface Row {
  readonly name: string
  readonly operation: Operation
  /** API and operation, as the description declares them. */
  readonly permission: string
}

/** The records that callers with a single permission ask for. */
const SINGLY: Ids = { ...SHARED, subscription: idsOnlyOf(JASPER.letter).subscription }

/**
 * In the short form a cell uses one in so many spellings, the next cell others: all are used with many callers and
 * operations.
 */
const SHARE = 8
let turn = SEED % SHARE
function waysOf<W>(ways: readonly W[], areAllAsked = IS_FULL): readonly W[] {
  if (areAllAsked) return ways
  turn += 1
  return ways.filter((_way, at) => (at + turn) % SHARE === 0)
}

type Status = readonly [status: number, ...others: number[]]

describe.each(STORE_KINDS)('T1 permission and companies on %s', (kind) => {
  let requester: IsolationClient
  let tap: SqlTap
  let callers: readonly CallerKind[]
  let rows: readonly Row[]
  let before: ReadonlySet<string>

  beforeAll(async () => {
    tap = new SqlTap()
    const world = await startIsolationWorld(kind, { clock: CLOCK })
    requester = new IsolationClient(world, tap)
    await requester.learnSecrets()
    // Only the client of a subscription may change it.
    const client = clientWithOnly('subscriptions:update')
    await world.query(
      `update subscription set client_id = '${client}' where subscription_id = '${SINGLY.subscription}'`,
    )
    callers = await callersOf(world)
    rows = rowsOf((await world.send({ url: '/openapi.json' })).json)
    before = await world.dump()
  })
  afterAll(async () => {
    tap?.stop()
    await requester?.world.stop()
  })

  it('has a row for every operation of the description, and an operation for every row', async () => {
    const described = (await requester.world.send({ url: '/openapi.json' })).json
    const names = operationsOf(described).map(({ name }) => name)
    expect([...Object.keys(OPERATIONS), ...OF_BATCHES, ...OF_ODATA, ...OPEN].sort()).toEqual(names.sort())
    const routed = requester.world.application.router.routes.map(({ method, path }) => `${method} ${path}`)
    // The history of a value is found in the wildcard of its path, and records of the setup in routes for any name.
    const ofSetup = names.filter((name) => name.includes(' /v1/work-orders'))
    const found = [...routed, 'GET /v1/attribute-values/:attributeId/*/history', ...ofSetup]
    const others = [...OPEN, ...OF_BATCHES.map((name) => name.replaceAll(/\{(\w+)\}/g, ':$1'))]
    expect(found.filter((name) => !others.includes(name))).toHaveLength(rows.length)
  })

  it('allows each operation to the one permission that it is declared with, in that company alone', async () => {
    await reliabilityTest('T1', `APIs x operations x companies x Enterprise Documents on ${kind}`, async () => {
      const from = requester.asked
      for (const row of rows) {
        for (const permission of PERMISSIONS)
          await askSingly(row, clientWithOnly(permission), permission === row.permission)
        for (const document of ENTERPRISE_DOCUMENTS) {
          const ofDocument = [`/v1/objects/${document}`, `/v1/mirror/${document}`]
          const paths = ['/v1/objects', '/v1/changes', '/v1/mirror', '/v1/search', ...ofDocument]
          await askSingly(row, clientWithOnly(document), paths.includes(row.operation.path(SHARED)))
        }
      }
      return `${rows.length} operations, ${requester.asked - from} requests`
    })
  })

  /** Sends the request in the company of the role, and in one where the caller has none. */
  async function askSingly(row: Row, client: string, mayHere: boolean): Promise<void> {
    const here = await requester.ask({ ...sentOf(row, SINGLY), as: client }, [JASPER])
    const wanted = mayHere ? 'allowed' : 'refused'
    expect(`${requestLine(sentOf(row, SINGLY))} by ${client}: ${here.status < 300 ? 'allowed' : 'refused'}`).toBe(
      `${requestLine(sentOf(row, SINGLY))} by ${client}: ${wanted}`,
    )
    if (!mayHere) expect(here.status).toBe(403)
    const there = await requester.ask({ ...sentOf(row, SHARED, `companyId=${GRANIT.id}`), as: client }, [JASPER])
    expect([403, 422]).toContain(there.status)
  }

  longIt('answers like a missing company, however another company is named in the query', async () => {
    await reliabilityTest('T1', `companies in the query on ${kind}`, () =>
      everyCell(async (row, caller) => {
        for (const way of waysOf(QUERY_SPELLINGS)) {
          const sent = (id: string): Sent => {
            const asked = sentOf(row, SHARED, way.query(id, caller.own.id))
            return { ...asked, ...as(caller, way.headers?.(id)) }
          }
          const status = await askWay(caller, way, sent)
          expect(statusOf(row, caller, way), `${requestLine(sent(caller.foreign.id))} (${way.name})`).toContain(status)
        }
      }),
    )
  })

  it('answers like a missing company, however another company is named in the body', async () => {
    await reliabilityTest('T1', `companies in the body on ${kind}`, () =>
      everyCell(async (row, caller) => {
        if (row.operation.method !== 'POST') return
        for (const way of waysOf(BODY_SPELLINGS)) {
          const sent = (id: string): Sent => {
            const asked = sentOf(row, SHARED, way.query?.(id, caller.own.id))
            return { ...asked, ...as(caller), body: { ...(asked.body as object), ...way.members(id, caller.own.id) } }
          }
          const status = await askWay(caller, way, sent)
          expect(statusOf(row, caller, way), `${requestLine(sent(caller.foreign.id))} (${way.name})`).toContain(status)
        }
      }),
    )
  })

  it('moves no record to a company by a patch', async () => {
    await reliabilityTest('T1', `companies in patches on ${kind}`, () =>
      everyCell(async (row, caller) => {
        if (row.operation.method !== 'PATCH') return
        for (const patch of PATCHES) {
          const sent = (id: string): Sent => ({ ...sentOf(row, SHARED), ...as(caller), body: patch(id) })
          const status = await askWay(caller, { spelled: (id) => id }, sent)
          expect([400, 401, 403, 422]).toContain(status)
        }
      }),
    )
  })

  it('answers a record of another company like a missing one, wherever its key stands in the path', async () => {
    await reliabilityTest('T1', `records in the path on ${kind}`, () =>
      everyCell(async (row, caller) => {
        if (row.operation.missing === undefined) return
        for (const [foreign, nowhere] of keysIn(row.operation, caller)) {
          for (const spell of [asItIs, ...waysOf(PATH_SPELLINGS, IS_LONG)]) {
            const sent = (ids: Ids): Sent => ({ ...spelledPath(sentOf(row, ids), spell), ...as(caller) })
            const status = await requester.requireAlike(
              sent(foreign),
              sent(nowhere),
              alikeIn(foreign, nowhere),
              caller.mine,
            )
            const isMalformed = status === 400 && spell !== asItIs
            const wanted = mayCall(row, caller, 'own') ? row.operation.missing : caller.isKnown ? 403 : 401
            if (!isMalformed) expect([wanted, 404], requestLine(sent(foreign))).toContain(status)
          }
        }
      }),
    )
  })

  it('finds nothing of another company by filter, order and selection', async () => {
    await reliabilityTest('T1', `records and companies in filter, orderby and select on ${kind}`, () =>
      everyCell(async (row, caller) => {
        const [foreign, nowhere] = [idsOnlyOf(caller.foreign.letter), idsOnlyOf(NOWHERE)]
        for (const asks of waysOf(row.operation.asks ?? [], IS_LONG)) {
          const sent = (ids: Ids, companyId: string): Sent => {
            const options = new URLSearchParams(asks(ids, companyId))
            return { ...sentOf(row, SHARED, options.toString()), ...as(caller) }
          }
          const alike = [...alikeIn(foreign, nowhere), ...alikeCompanies(caller, (id) => id)]
          const [one, other] = [sent(foreign, caller.foreign.id), sent(nowhere, UNKNOWN)]
          const status = await requester.requireAlike(one, other, alike, caller.mine)
          const wanted: Status = mayCall(row, caller, 'own') ? [200, 400, 404] : [caller.isKnown ? 403 : 401]
          expect(wanted, requestLine(one)).toContain(status)
        }
      }),
    )
  })

  it('has written nothing', async () => {
    expect(await requester.world.changesSince(before)).toEqual([])
    expect(requester.asked).toBeGreaterThan(3000)
  })

  async function everyCell(ask: (row: Row, caller: CallerKind) => Promise<void>): Promise<string> {
    const from = requester.asked
    for (const row of rows) for (const caller of callers) await ask(row, caller)
    return `${rows.length} operations, ${callers.length} callers, ${requester.asked - from} requests`
  }

  function askWay(
    caller: CallerKind,
    way: Pick<CompanySpelling, 'spelled'>,
    sent: (id: string) => Sent,
  ): Promise<number> {
    const alike = alikeCompanies(caller, way.spelled)
    return requester.requireAlike(sent(caller.foreign.id), sent(UNKNOWN), alike, caller.mine)
  }
})

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { 'x-permission'?: string }>>>>
}

function operationsOf({ paths }: Described): { name: string; permission: string | undefined }[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        // The custom document represents all documents.
        name: `${method.toUpperCase()} ${path.replace('/v1/objects/work-orders', '/{version}/objects/{document}')}`,
        permission: described['x-permission'],
      })),
    )
    .filter(({ name }, at, all) => all.findIndex((one) => one.name === name) === at)
}

function rowsOf(description: Described): Row[] {
  return operationsOf(description).flatMap(({ name, permission }) => {
    const operation = OPERATIONS[name]
    if (permission === undefined || [...OF_BATCHES, ...OF_ODATA].includes(name)) return []
    if (!operation) throw new Error(`${name} has no row in OPERATIONS: say how it is called`)
    return [{ name, operation, permission }]
  })
}

/** A complete request that changes nothing. */
function sentOf({ operation }: Row, ids: Ids, query = ''): Sent {
  const { method, path, body, needs } = operation
  const isRead = method === 'GET' || method === 'HEAD'
  const options = [isRead ? '' : 'validateOnly=true', needs, query].filter(Boolean).join('&')
  const record = body ? { body: body(ids, JASPER) } : {}
  return { method, url: path(ids) + (options ? `?${options}` : ''), ...record }
}

function mayCall({ permission }: Row, { mayIn }: CallerKind, company: 'own' | 'any'): boolean {
  const [api = '', operation = ''] = permission.split(':')
  return mayIn(operation, company, api)
}

/** The legal statuses of a request that names a company in this spelling. */
function statusOf(row: Row, caller: CallerKind, { meant }: CompanySpelling): Status {
  if (!caller.isKnown) return [401]
  if (!mayCall(row, caller, 'any')) return [403]
  if (meant === 'unreadable') return [400]
  if (meant === 'company')
    return [row.operation.method === 'PATCH' && !/^(customers|work-orders):/.test(row.permission) ? 422 : 403]
  return mayCall(row, caller, 'own') ? [200] : [403]
}

type Alike = readonly (readonly [string, string])[]

function alikeCompanies({ foreign }: CallerKind, spelled: (id: string) => string): Alike {
  const spellings = [spelled, (id: string) => id, (id: string) => id.toLowerCase()]
  return spellings.map((spell) => [spell(foreign.id), spell(UNKNOWN)] as const)
}

function alikeIn(foreign: Ids, nowhere: Ids): Alike {
  const keys = Object.keys(foreign) as (keyof Ids)[]
  const pairs = keys.filter((key) => foreign[key] !== nowhere[key]).map((key) => [foreign[key], nowhere[key]] as const)
  return pairs.flatMap(([one, other]) => [
    [one, other] as const,
    [one.toLowerCase(), other.toLowerCase()] as const,
    [one.toUpperCase(), other.toUpperCase()] as const,
  ])
}

/** Each part of the key in the path, and all of them, of another company and of none. */
function keysIn({ path }: Operation, { foreign }: CallerKind): (readonly [Ids, Ids])[] {
  const [theirs, nobodys] = [idsOnlyOf(foreign.letter), idsOnlyOf(NOWHERE)]
  // Only one company has a second one of the shared revisions.
  const parts = (Object.keys(SHARED) as (keyof Ids)[]).filter((part) => part !== 'revisionNo' || foreign.letter === 'K')
  const single = parts.map(
    (part) =>
      [
        { ...SHARED, [part]: theirs[part] },
        { ...SHARED, [part]: nobodys[part] },
      ] as const,
  )
  return [...single, [theirs, nobodys] as const].filter(([ids]) => path(ids) !== path(SHARED))
}

const asItIs = (part: string) => part

const PATH_SPELLINGS: readonly ((part: string) => string)[] = [
  (part) => part.toUpperCase(),
  (part) => part.toLowerCase(),
  (part) => `%20${part}`,
  (part) => [...Buffer.from(part)].map((byte) => `%${byte.toString(16)}`).join(''),
]

/** Respells the parts of the key; the resource itself is unchanged. */
function spelledPath(sent: Sent, spell: (part: string) => string): Sent {
  const [path = '', query] = sent.url.split('?')
  const fixed =
    /^(v1|attribute-values|attribute-relations|customers|documents|document-revisions|thumbnail|content|subscriptions|pause|resume|rotate|replay|test|attempts|dead-letters|retry)$/
  const parts = path.split('/').map((part) => (part === '' || fixed.test(part) ? part : spell(part)))
  return { ...sent, url: parts.join('/') + (query === undefined ? '' : `?${query}`) }
}
