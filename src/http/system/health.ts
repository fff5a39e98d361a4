// `/health/live`: the process answers. `/health/ready`: it should be sent requests.
import type { Edge } from '../edge.ts'
import type { Reply } from '../send.ts'
import type { Lifecycle } from '../server.ts'

/** Probes come often and from many places; the store is asked once for all of them. */
const READY_FOR_MS = 1_000
/** A store that takes longer does not answer. */
const PING_MS = 2_000

export function healthRoutes(edge: Edge, lifecycle: Lifecycle, ping: () => Promise<void>): void {
  const check = sharedCheck(ping)
  edge.open('GET', '/health/live', () => status(200, 'live'))
  edge.open('GET', '/health/ready', async () => {
    if (lifecycle.state !== 'serving') return status(503, 'stopping')
    // The reason is for the log of the store, not for whoever can reach this address.
    return (await check()) ? status(200, 'ready') : status(503, 'the store does not answer')
  })
}

/** One question at a time, and its answer for all who ask within a second of it. */
function sharedCheck(ping: () => Promise<void>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => {
    answer ??= isAnswered(ping).finally(() => {
      setTimeout(() => (answer = undefined), READY_FOR_MS).unref()
    })
    return answer
  }
}

async function isAnswered(ping: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), PING_MS)))
  try {
    return await Promise.race([ping().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

function status(code: 200 | 503, text: string): Reply {
  const body = JSON.stringify({ status: text })
  return code === 200 ? { status: code, body } : { status: code, body, headers: { 'retry-after': '2' } }
}
