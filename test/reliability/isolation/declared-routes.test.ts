// T1: a route declares who may call it, or the service does not start.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Directory } from '../../../src/access/directory.ts'
import { TrustedProxies } from '../../../src/base/trusted-proxies.ts'
import { Connections } from '../../../src/http/connections.ts'
import { Pipeline } from '../../../src/http/pipeline.ts'
import type { Route } from '../../../src/http/route/route.ts'
import { Router } from '../../../src/http/router.ts'
import { Server } from '../../../src/http/server.ts'
import { Metrics } from '../../../src/observe/metrics.ts'

const lifecycle = { state: 'serving' } as const
const route: Route = {
  permit: 'documents:read',
  summary: 'Tried',
  parameters: [],
  answers: {},
  handle: () => ({ status: 200 }),
}

let pipeline: Pipeline
let server: Server
let metrics: Metrics

beforeEach(async () => {
  metrics = new Metrics()
  pipeline = new Pipeline({
    identity: { directory: new Directory() } as never,
    agents: {} as never,
    lifecycle,
    observe: () => {},
    basePath: '',
    metrics: metrics.requests,
    clients: metrics.clients,
    traces: undefined,
    connections: new Connections(metrics.connections, () => {}, new TrustedProxies([])),
    deadlineMs: 1_000,
    responseCache: {} as never,
    files: { staging: {}, memory: {} } as never,
    loadRules: async () => {},
  })
  server = new Server(pipeline)
})
afterEach(async () => {
  await server.close()
})

it('T1 accepts no route that does not declare who may call it, whatever its type says', () => {
  const router = new Router(pipeline)
  router.get('/v1/declared', route)
  for (const permit of [undefined, '', 'documents', 'documents:anything']) {
    expect(() => router.get('/v1/undeclared', { ...route, permit: permit as never })).toThrow('declares no permission')
  }
})
