// The shutdown of a server: requests in flight are answered before what they need is closed.
import { setTimeout as delay } from 'node:timers/promises'
import type { Lifecycle } from '../http/parts.ts'
import type { Server } from '../http/server.ts'

/** After the grace period, requests in flight have this long before their sockets are closed. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Returns a function that ends what waits for an event, serves for `graceMs`, then stops the server and disposes of its
 * resources. A second call ends the grace period.
 */
export function gracefulStop(
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
