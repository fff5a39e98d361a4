// H1 at the console: whatever is sent to `/console/api/*`, by whom ever, gets an answer in the form of the service. None
// tells a secret, opens what only others may see, or changes a record.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { companyWithPeople, OWN_HEADERS, signedIn } from '../../support/console-people.ts'
import { type ConsoleRoute, consoleRoutes } from '../../support/console-routes.ts'
import { PASSWORD } from '../../support/passwords.ts'
import { reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { type Answer, onEachStore, startWorld, type World } from '../../support/world.ts'

const TRIES = triesOf({ long: 300, full: 10_000 })
const EXPECTED = [200, 201, 204, 302, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429]
/** What is told to everybody. */
const OPEN = ['GET /console/api/sign-in', 'HEAD /console/api/sign-in', 'POST /console/api/session']

interface Asked {
  readonly route: ConsoleRoute
  readonly method: string | undefined
  readonly id: string
  readonly query: string
  /** Ada administers, Bo does not. */
  readonly person: 'ada' | 'bo' | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
const header = (...values: string[]) => fc.oneof(fc.constantFrom(...values), text)
const member = fc.oneof(fc.constantFrom('ada', 'bo', 'cleo', 'wrong', '', 'x'.repeat(2_000)), fc.jsonValue())
const body = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.record({ user: member, password: member }, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
  fc
    .record({ setup: fc.oneof(fc.string(), fc.constantFrom('version: 1', 'version: 1\ncompanies: x', 'a: &a [*a]')) })
    .map((value) => JSON.stringify(value)),
  fc.string(),
  fc.constantFrom('{', '[['.repeat(10_000), `{"setup":"${'x'.repeat(300_000)}"}`),
)
const headers = fc.record(
  {
    'x-requested-with': header('tabularium-console'),
    'sec-fetch-site': header('same-origin', 'cross-site', 'none'),
    'act-as': header('reader', 'integration', 'none'),
    origin: header('https://records.example.com', 'http://records.example.com', 'null'),
    'content-type': header(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ),
    accept: header('*/*', 'text/html'),
  },
  { requiredKeys: [] },
)

const askedAt = (routes: readonly ConsoleRoute[]): fc.Arbitrary<Asked> =>
  fc.record({
    route: fc.constantFrom(...routes),
    method: fc.option(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), {
      nil: undefined,
      freq: 5,
    }),
    // A client asks for another path where it is . or .. and so for the console's page.
    id: fc.oneof(fc.constantFrom('reader', 'none', '%'), fc.string()).filter((id) => !['', '.', '..'].includes(id)),
    query: fc.oneof(fc.constant(''), fc.webQueryParameters(), fc.constantFrom('issuer=x&to=//evil', 'code=x&state=y')),
    person: fc.constantFrom('ada', 'ada', 'bo', undefined),
    headers,
    body: fc.option(body, { nil: undefined }),
  })

onEachStore(
  'H1: the endpoints of the console',
  (world) => {
    it('H1 no request to the console is answered by a fault, and none changes a record', () =>
      reliabilityTest('H1', 'requests to the console', async () => {
        const routes = consoleRoutes(world())
        const before = await world().dump()
        const statuses = new Set<string>()
        const tried = fc.asyncProperty(askedAt(routes), async (asked) => {
          const { status } = await ask(world(), asked)
          statuses.add(`${asked.route.method} ${asked.route.path} ${status}`)
        })
        await fc.assert(tried, { seed: SEED, numRuns: TRIES })
        expect(await world().changesSince(before)).toEqual([])
        return `${TRIES} requests to ${routes.length} routes, ${statuses.size} kinds of answers`
      }))
  },
  (kind) => startWorld(kind, companyWithPeople()),
)

async function ask(world: World, { route, method = route.method, id, query, person, ...asked }: Asked) {
  const session = person ? await signedIn(world, person) : {}
  const path = route.path.replace(':id', encodeURIComponent(id))
  // Most requests come from the console's own pages.
  const headers: Record<string, string> = {
    ...OWN_HEADERS,
    'content-type': 'application/json',
    ...session,
    ...asked.headers,
  }
  const answer = await world.send({
    method: method as 'GET',
    url: query === '' ? path : `${path}?${query}`,
    headers,
    ...(asked.body === undefined ? {} : { body: asked.body }),
  })
  requireSound(`${method} ${path} ${JSON.stringify({ person, ...asked }).slice(0, 500)}`, answer)
  const isOpened = [200, 201, 204].includes(answer.status)
  const site = headers['sec-fetch-site']
  const isOwn = headers['x-requested-with'] === 'tabularium-console' && (site === undefined || site === 'same-origin')
  const mayOpen = OPEN.includes(`${method} ${route.path}`) || method === 'OPTIONS'
  if ((person === undefined || !isOwn) && !mayOpen) expect([path, method, isOpened]).toEqual([path, method, false])
  if (person === 'bo') expect([path, isOpened && path.includes('administration')]).toEqual([path, false])
  return answer
}

function requireSound(what: string, { status, text: told, json, headers: sent }: Answer): void {
  expect([what, EXPECTED.includes(status) ? 'expected' : status]).toEqual([what, 'expected'])
  expect([what, sent['x-content-type-options'], typeof sent['x-request-id']]).toEqual([what, 'nosniff', 'string'])
  if (status >= 400 && told !== '') expect([what, typeof json?.message]).toEqual([what, 'string'])
  for (const secret of ['scrypt$', PASSWORD, 'node_modules', '.ts:'])
    expect([what, told.includes(secret)]).toEqual([what, false])
}
