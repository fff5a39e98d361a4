// The composition root: opens what the service works with, serves it, watches it, and stops it again.

import { setTimeout as delay } from 'node:timers/promises'
import type { Lifecycle } from '../http/parts.ts'
import type { Server } from '../http/server.ts'
import type { Application, ApplicationSettings, RunningApplication, StartSettings } from './application.ts'
import { listen } from './listening.ts'
import { open } from './open.ts'
import { openCallers } from './open-callers.ts'
import { openRules } from './open-rules.ts'
import { openServer } from './open-server.ts'
import { serve } from './serve.ts'
import { watch } from './watch.ts'

/** Opens the store, applies the setup, and builds the server. Does not listen yet. */
export async function buildApplication(settings: ApplicationSettings): Promise<Application> {
  // Open database sessions would keep the process alive although it failed to start.
  await using resources = new AsyncDisposableStack()
  const { lifecycle, endWaits, ...application } = await build(settings, resources)
  return { ...application, stop: gracefulStop(application.server, lifecycle, endWaits, resources.move()) }
}

/** `resources` are disposed of in reverse order, also when building fails. */
async function build(settings: ApplicationSettings, resources: AsyncDisposableStack) {
  const opened = await open(settings, resources)
  const rules = await openRules(settings, opened, resources)
  const callers = await openCallers(settings, opened, rules, resources)
  const edge = await openServer(settings, opened, rules, callers, resources)
  const served = await serve({ settings, opened, rules, callers, edge, resources })
  watch({ settings, opened, rules, callers, edge, served, resources })
  return {
    server: edge.server,
    router: edge.router,
    lifecycle: edge.lifecycle,
    intake: edge.intake,
    service: served.service,
    texts: served.texts,
    deliveries: served.deliveries,
    operations: served.operations,
    mirrors: served.mirrors,
    tokens: callers.identity.tokens,
    agentTokens: callers.agents.tokens,
    keys: callers.keys,
    deniedAccess: callers.denied,
    agentCalls: callers.calls,
    acting: callers.acting,
    indexes: rules.indexes,
    setupReport: rules.setupReport,
    slowQueries: opened.slowQueries,
    enterService: () => rules.serving.join(() => rules.active.load()),
    endWaits: () => rules.changes.stop(),
  }
}

/** Builds the application and listens. */
export async function startApplication(settings: StartSettings): Promise<RunningApplication> {
  const application = await buildApplication(settings)
  try {
    await settings.prepare?.(application)
    await application.enterService()
    const origin = await listen(application.server, settings)
    application.indexes.start()
    application.deliveries.start()
    application.operations.start()
    application.mirrors.start()
    return { ...application, address: origin + settings.basePath }
  } catch (error) {
    await application.stop(0)
    throw error
  }
}

/** After the grace period, requests in flight have this long before their sockets are closed. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Returns a function that ends what waits for an event, serves for `graceMs`, then stops the server and disposes of its
 * resources. A second call ends the grace period.
 */
function gracefulStop(
  server: Server,
  lifecycle: Lifecycle,
  endWaits: () => void,
  resources: AsyncDisposableStack,
): (graceMs: number) => Promise<void> {
  const grace = new AbortController()
  let stopping: Promise<void> | undefined
  const stop = async (graceMs: number): Promise<void> => {
    lifecycle.state = 'draining'
    endWaits()
    await delay(graceMs, undefined, { signal: grace.signal }).catch(() => {})
    lifecycle.state = 'closing'
    const timer = setTimeout(() => server.server.closeAllConnections(), STOP_TIMEOUT_MS)
    await server.close()
    clearTimeout(timer)
    await resources.disposeAsync()
  }
  return (graceMs) => {
    if (stopping) grace.abort()
    else stopping = stop(graceMs)
    return stopping
  }
}
