// `/health/live`: the process answers. `/health/ready`: it should be sent requests.
import type { Edge } from '../edge.ts'
import type { Reply } from '../send.ts'
import type { Lifecycle } from '../server.ts'

/** Probes come often and from many places; the store is asked once for all of them. */
const READY_FOR_MS = 1_000
/** A store that takes longer does not answer. */
const PING_MS = 2_000

export interface Probe {
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  /** What is known of the database as a whole; nothing where its server looks after it. */
  integrity(): Integrity | undefined
}

interface Integrity {
  readonly condition: string
  readonly isChecking: boolean
}

export function healthRoutes(edge: Edge, lifecycle: Lifecycle, probe: Probe): void {
  const check = sharedCheck(probe)
  edge.openForProbes('/health/live', () => status(200, 'live'))
  edge.openForProbes('/health/ready', async () => {
    if (lifecycle.state !== 'serving') return status(503, 'stopping')
    const { isAnswered, integrity } = await check()
    const checks = integrity && { database: wordFor(integrity) }
    // The reason is for the log of the store, not for whoever can reach this address.
    if (!isAnswered) return status(503, 'the store does not answer', checks)
    if (integrity?.condition === 'damaged') return status(503, 'the database is damaged', checks)
    return status(200, 'ready', checks)
  })
}

function wordFor({ condition, isChecking }: Integrity): string {
  return isChecking && condition !== 'damaged' ? 'checking' : condition
}

interface Answer {
  readonly isAnswered: boolean
  readonly integrity: Integrity | undefined
}

/** One question at a time, and its answer for all who ask within a second of it. */
function sharedCheck(probe: Probe): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined
  const ask = async () => ({ isAnswered: await isAnswered(probe), integrity: probe.integrity() })
  return () => {
    answer ??= ask().finally(() => {
      setTimeout(() => (answer = undefined), READY_FOR_MS).unref()
    })
    return answer
  }
}

async function isAnswered(probe: Probe): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), PING_MS)))
  try {
    return await Promise.race([probe.ping().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

function status(code: 200 | 503, text: string, checks?: Readonly<Record<string, string>>): Reply {
  const body = JSON.stringify({ status: text, checks })
  return code === 200 ? { status: code, body } : { status: code, body, headers: { 'retry-after': '2' } }
}
