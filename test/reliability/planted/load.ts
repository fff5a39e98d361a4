import type { PlantedBug } from './planted-bug.ts'

const FOLDER = 'test/reliability/load'

export const loadBugs: readonly PlantedBug[] = [
  {
    name: 'requests wait in their line without end',
    file: 'src/http/pressure.ts',
    find: `    else if (this.#pace.waitMs(this.#line.ahead(flow)) > this.#mostDelayMs) begin(overloaded())
    else this.#line.push(flow, { begin, since: now })?.begin(overloaded())`,
    replace: '    else this.#line.push(flow, { begin, since: Number.POSITIVE_INFINITY })',
    test: [`${FOLDER}/l2-overload.test.ts`, 'refuses early with 503'],
  },
  {
    name: 'the limit of a client is that of all together',
    file: 'src/http/rate-limiter.ts',
    find: '#tally(clientId: string, kind: Kind): Tally {',
    replace: "#tally(_: string, kind: Kind, clientId = ''): Tally {",
    test: [`${FOLDER}/l3-greedy-client.test.ts`, 'is refused with 429'],
  },
  {
    name: 'a service that stops gives no grace',
    file: 'src/app.ts',
    find: 'const timer = setTimeout(resume, graceMs)',
    replace: 'const timer = setTimeout(resume, graceMs * 0)',
    test: [`${FOLDER}/l4-restarts.test.ts`, 'fail no request'],
  },
  {
    name: 'a service that stops does not say Connection: close',
    file: 'src/http/edge.ts',
    find: "{ ...answer.headers, connection: 'close' }",
    replace: '{ ...answer.headers }',
    test: [`${FOLDER}/l4-restarts.test.ts`, 'fail no request'],
  },
  {
    name: 'a port is not shared with the next process',
    file: 'src/http/listening.ts',
    find: 'server.listen({ host, port, reusePort }',
    replace: 'server.listen({ host, port, reusePort: reusePort && false }',
    test: [`${FOLDER}/l5-handover.test.ts`, 'shows no error'],
  },
  {
    name: 'a lost session is given back to the pool',
    file: 'src/store/dialects/postgres/postgres-store.ts',
    find: 'session.release(fault !== error)',
    replace: 'session.release(fault === undefined)',
    test: [`${FOLDER}/l6-database-away.test.ts`, 'stopped and started again'],
  },
]
