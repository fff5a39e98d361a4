// `/health/live`: the process answers. `/health/ready`: it should be sent requests.
import type { Edge } from '../edge.ts'
import type { Reply } from '../send.ts'
import type { Lifecycle } from '../server.ts'

/** Probes come often and from many places; the store is asked once for all of them. */
const READY_FOR_MS = 1_000

export function healthRoutes(edge: Edge, lifecycle: Lifecycle, ping: () => Promise<void>): void {
  let checkedAt = 0
  let checking: Promise<void> = Promise.resolve()
  const checkStore = (): Promise<void> => {
    const now = performance.now()
    if (checkedAt === 0 || now - checkedAt > READY_FOR_MS) {
      checkedAt = now
      checking = ping()
      checking.catch(() => {})
    }
    return checking
  }
  edge.open('GET', '/health/live', () => status(200, 'live'))
  edge.open('GET', '/health/ready', async () => {
    if (lifecycle.state !== 'serving') return status(503, 'stopping')
    try {
      await checkStore()
      return status(200, 'ready')
    } catch {
      // The reason is for the log of the store, not for whoever can reach this address.
      return status(503, 'the store does not answer')
    }
  })
}

function status(code: 200 | 503, text: string): Reply {
  const body = JSON.stringify({ status: text })
  return code === 200 ? { status: code, body } : { status: code, body, headers: { 'retry-after': '2' } }
}
