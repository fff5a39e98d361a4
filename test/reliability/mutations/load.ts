import type { Mutation } from './mutation.ts'

const FOLDER = 'test/reliability/load'

export const loadMutations: readonly Mutation[] = [
  {
    name: 'requests wait in the queue without a limit',
    find: `    const dropped = this.#queue.push(flow, entry)
    if (dropped) this.#refuse(dropped, false)
    this.#setTimer()`,
    replace: '    this.#queue.push(flow, entry)',
    test: ['src/http/pipeline/event-loop-queue.test.ts', 'who waits too long'],
  },
  {
    name: 'the limit of a client is that of all together',
    find: '#allowanceOf(clientId: string): SharedAllowance | undefined {',
    replace: "#allowanceOf(_: string, clientId = ''): SharedAllowance | undefined {",
    test: [`${FOLDER}/greedy-client.test.ts`, 'gets 429'],
  },
  {
    name: 'a stopping service grants no grace period',
    find: 'await delay(graceMs,',
    replace: 'await delay(graceMs * 0,',
    test: [`${FOLDER}/restarts.test.ts`, 'fail no request'],
  },
  {
    name: 'a stopping service does not say Connection: close',
    find: "{ ...answer.headers, connection: 'close' }",
    replace: '{ ...answer.headers }',
    test: [`${FOLDER}/restarts.test.ts`, 'fail no request'],
  },
  {
    name: 'a port is not shared with the next process',
    needsPostgres: true,
    find: 'server.listen({ host, port, reusePort })',
    replace: 'server.listen({ host, port, reusePort: reusePort && false })',
    test: [`${FOLDER}/handover.test.ts`, 'shows no error'],
  },
]
