// H6: a parameter that is duplicated, in brackets, with a dot, empty or huge is rejected, ignored or read as the
// contract says; a duplicate never counts as a single one, above all `companyId`.
import { expect, it } from 'vitest'
import { type DescribedOperation, Description } from '../../support/api-fuzz/description.ts'
import { askedOf, type Draft, goodDraft } from '../../support/api-fuzz/good-request.ts'
import { isOData } from '../../support/api-fuzz/odata/draft.ts'
import { type FuzzRequest, Reached, Session } from '../../support/api-fuzz/session.ts'
import { IS_FULL, reliabilityTest, SEED } from '../../support/reliability-test.ts'
import { connectTo, listen } from '../../support/uploads.ts'
import { FEWER_KINDS, onEachStore, startWorld } from '../../support/world.ts'

/** A caller with rights in both companies, so that the answer shows which one was used. */
const CALLER = 'both'
/** Only the client that has subscribed may do these. */
const OWNERS = new Set(['updateSubscription', 'rotateSubscriptionSecret'])
/** Options of the collections (decision 0): misspelled ones with a `$` are rejected. */
const COLLECTION_OPTIONS = ['$select', '$filter', '$orderby', '$offset', '$limit', 'start', 'limit']
/** Longer than a `$filter` or a title may be, in an address of legal length. */
const LONG = 'x'.repeat(9_000)
const MEGABYTE = 1024 * 1024
/** The short form runs one in twelve of the legal requests, chosen by the seed, and all others. */
const SHARE = 12

onEachStore(
  'H6: parameters',
  (world) => {
    it('H6 no duplicate parameter counts once', () =>
      reliabilityTest('H6', 'parameters doubled, nested, empty and huge', async () => {
        const description = new Description((await world().send({ url: '/openapi.json' })).json)
        const operations = description.operations.filter(({ isOpen }) => !isOpen)
        const found: string[] = []
        let tried = 0
        for (const operation of operations) {
          const session = new Session(world(), description, new Reached())
          session.reseed(SEED)
          for (const asked of await pollutedRequests(session, operation)) {
            await session.send(asked).catch((error: Error) => found.push(error.message.slice(0, 1_000)))
            tried++
          }
        }
        expect(found).toEqual([])
        return `${tried} requests to ${operations.length} operations`
      }))

    it('H6 an address of a megabyte is rejected on the socket', () =>
      reliabilityTest('H6', 'addresses of a megabyte on a socket', async () => {
        const description = new Description((await world().send({ url: '/openapi.json' })).json)
        const paths = [...new Set(description.operations.map(({ path }) => path.replaceAll(/[{}]/g, '')))]
        const address = await listen(world())
        const statuses = await Promise.all(paths.map((path) => statusOfLong(address, `${path}?companyId=`)))
        expect(new Set(statuses)).toEqual(new Set([431]))
        return `${paths.length} addresses`
      }))
  },
  (kind) => startWorld(kind, 'test/fixtures/fuzz.yaml'),
  FEWER_KINDS,
)

async function pollutedRequests(session: Session, operation: DescribedOperation): Promise<FuzzRequest[]> {
  const parameters = operation.parameters.filter(({ in: place }) => place === 'query')
  let draft = withoutCompany(await goodDraft(session, operation))
  const requests = twoCompaniesInBody(draft)
  let legal = SEED % SHARE
  for (const { name, schema } of parameters) {
    const value = EXAMPLES[name] ?? String(schema.default ?? 'x')
    const other = name === 'companyId' ? 'SV' : value
    for (const [what, query, expected] of pollutions(name, value, other, operation)) {
      if (!expected && !IS_FULL && ++legal % SHARE !== 0) continue
      // A write that is accepted needs a record of its own.
      if (!expected) {
        session.made.length = 0
        draft = withoutCompany(await goodDraft(session, operation))
      }
      const kept = draft.query.filter(([given]) => given !== name && !DEPENDENTS[name]?.includes(given))
      const asked = askedOf({ ...draft, query: [...kept, ...query], expected: expected ?? draft.expected }, what)
      requests.push({ ...asked, as: OWNERS.has(operation.id) ? asked.as : CALLER })
    }
  }
  return requests
}

/** The body of a creation may name the company. */
function twoCompaniesInBody(draft: Draft): FuzzRequest[] {
  const { body, operation } = draft
  if (operation.method !== 'POST' || typeof body !== 'object' || body === null) return []
  const ask = (query: Draft['query'], companies: object, what: string): FuzzRequest => ({
    ...askedOf({ ...draft, query, body: { ...companies, ...withoutCompanyMember(body) }, expected: [400] }, what),
    as: CALLER,
  })
  return [
    ask([], { companyId: 'EN', COMPANYID: 'SV' }, 'companyId in two spellings in the body'),
    ask([], { companyid: 'SV', companyId: 'EN' }, 'companyId in two spellings, the other way round'),
    ask([['companyId', 'EN']], { companyId: 'SV' }, 'one company in the query, another in the body'),
  ]
}

function withoutCompanyMember(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'companyId'))
}

/** A company in the body would have to equal that of the query. */
function withoutCompany(draft: Draft): Draft {
  const { body } = draft
  const query = draft.query.filter(([name]) => name !== 'companyId')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { ...draft, query }
  return { ...draft, query, body: withoutCompanyMember(body) }
}

type Pollution = readonly [what: string, query: Draft['query'], expected: readonly number[] | undefined]

const EXAMPLES: Readonly<Record<string, string>> = {
  companyId: 'EN',
  $select: '*',
  $filter: '1 eq 1',
  $orderby: 'x',
  $format: 'json',
  doctype: 'NOTE',
  id: '0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11',
  posted: 'true',
}
const DOLLAR_ALIASES: Readonly<Record<string, string>> = { $offset: '$skip', $limit: 'top', limit: '$top' }

/** Undefined where the request stays legal. */
function pollutions(name: string, value: string, other: string, operation: DescribedOperation): Pollution[] {
  const bare = name.replace('$', '')
  const isOption = COLLECTION_OPTIONS.includes(name)
  const alias = DOLLAR_ALIASES[name]
  const twice: Pollution[] = [
    [
      `${name} twice`,
      [
        [name, value],
        [name, other],
      ],
      [400],
    ],
    [
      `${name} twice, the other way round`,
      [
        [name, other],
        [name, value],
      ],
      [400],
    ],
    [
      `${name} in two spellings`,
      [
        [name, value],
        [bare.toUpperCase(), other],
      ],
      [400],
    ],
    [
      `${name} with and without a dollar`,
      [
        [name, value],
        [name.startsWith('$') ? bare : `$${bare}`, other],
      ],
      [400],
    ],
    [
      `${name} once empty`,
      [
        [name, ''],
        [name, value],
      ],
      [400],
    ],
    ...(alias
      ? ([
          [
            `${name} by an alias`,
            [
              [name, value],
              [alias, other],
            ],
            [400],
          ],
        ] as const)
      : []),
  ]
  // With a `$` it is an unknown option; without one it is an unknown parameter, which is ignored (decision 0).
  const unknown = (spelling: string): Pollution => [
    `${spelling}`,
    [...mandatory(name), [spelling, other]],
    name.startsWith('$') ? [400] : undefined,
  ]
  return [
    ...twice,
    unknown(`${name}[]`),
    unknown(`${name}[0]`),
    unknown(`${name}[$ne]`),
    unknown(`${name}.x`),
    unknown(`${name}.__proto__`),
    [`__proto__ beside ${name}`, [...mandatory(name), ['__proto__', 'x'], ['constructor', 'y']], undefined],
    [`${name} empty`, [[name, '']], emptyOf(name, operation)],
    [`${name} of 9,000 characters`, [[name, LONG]], longOf(name, operation)],
    [`${name} of 17,000 characters`, [[name, LONG + LONG]], [414]],
    ...(isOption && name.startsWith('$') ? [[`${name} misspelled`, [[`${name}x`, value]], [400]] as Pollution] : []),
  ]
}

/** At least one of the ledger's states is mandatory, and where the feed begins. */
const MANDATORY: Readonly<Record<string, string>> = { posted: 'true', since: 'now' }

function mandatory(name: string): Draft['query'] {
  const value = MANDATORY[name]
  return value === undefined ? [] : [[name, value]]
}

/** An empty parameter counts as absent, but not in OData; another of the ledger's states may be present. */
function emptyOf(name: string, operation: DescribedOperation): readonly number[] | undefined {
  if (name === 'since' || isOData(operation)) return [400]
  return name === 'posted' ? [200, 400] : undefined
}

/** Options that are legal only beside another one. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  entities: ['filter', 'select'],
  $aggregate: ['$groupby', '$having', '$orderby'],
  $groupby: ['$aggregate', '$having', '$orderby'],
  $apply: ['$filter', '$orderby'],
}

/** A long value that is only compared is legal and matches nothing. */
function longOf(name: string, operation: DescribedOperation): readonly number[] {
  const { method, path } = operation
  if (isOData(operation)) return [400, 501]
  if (name === 'companyId') return [method === 'PATCH' && !/^\/v1\/(customers|work-orders)/.test(path) ? 422 : 403]
  if (name === 'indexes') return [200]
  return [400, 404]
}

/** The status of the answer to an address of a megabyte. */
async function statusOfLong(address: string, begun: string): Promise<number> {
  const { socket, until } = await connectTo(address)
  socket.write(`GET ${begun}${'x'.repeat(MEGABYTE)} HTTP/1.1\r\nhost: x\r\n\r\n`)
  const answer = await until(/\r\n\r\n[\s\S]*\}/)
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}
