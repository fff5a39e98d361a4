// For monitoring. `/health/live`: the process answers; `/health/ready`: it should be sent requests. `/metrics`, for
// Prometheus, is open to clients on the same machine, otherwise only with a permission: the metrics name no record, but
// they reveal how busy a company is.
import { setTimeout as delay } from 'node:timers/promises'
import type { Permission } from '../../access/caller.ts'
import { notAuthorised } from '../../errors/catalogue.ts'
import type { MetricsText } from '../../observe/metrics.ts'
import type { Lifecycle } from '../parts.ts'
import { authenticate, credentialsOf, type Identity } from '../pipeline/authenticate.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import type { Reply } from '../route/send.ts'
import type { Router } from '../router.ts'

/** How long the result of a check is reused, because probes are frequent. */
const CHECK_LIFETIME_MS = 1_000
/** A store that takes longer counts as down. */
const PING_TIMEOUT_MS = 2_000

interface Probe {
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  /** The state of the integrity check; undefined for PostgreSQL, whose server is responsible for it. */
  integrity(): Integrity | undefined
}

interface Integrity {
  readonly condition: string
  readonly isChecking: boolean
}

export function healthRoutes(router: Router, lifecycle: Lifecycle, probe: Probe): void {
  const check = sharedCheck(probe)
  router.openUnlimited('/health/live', () => status(200, 'live'))
  router.openUnlimited('/health/ready', async () => {
    if (lifecycle.state !== 'serving') return status(503, 'stopping')
    const { isAnswered, integrity } = await check()
    const checks = integrity && { database: stateOf(integrity) }
    // The reason is logged by the store; this endpoint is public.
    if (!isAnswered) return status(503, 'the store does not answer', checks)
    if (integrity?.condition === 'damaged') return status(503, 'the database is damaged', checks)
    return status(200, 'ready', checks)
  })
}

function stateOf({ condition, isChecking }: Integrity): string {
  return isChecking && condition !== 'damaged' ? 'checking' : condition
}

interface CheckResult {
  readonly isAnswered: boolean
  readonly integrity: Integrity | undefined
}

/** Runs one check at a time; its result serves all probes until a second after it. */
function sharedCheck(probe: Probe): () => Promise<CheckResult> {
  let result: Promise<CheckResult> | undefined
  const check = async () => ({ isAnswered: await isAnswered(probe), integrity: probe.integrity() })
  return () => {
    result ??= check().finally(() => {
      setTimeout(() => (result = undefined), CHECK_LIFETIME_MS).unref()
    })
    return result
  }
}

function isAnswered(probe: Probe): Promise<boolean> {
  const answered = probe.ping().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, delay(PING_TIMEOUT_MS, false, { ref: false })])
}

function status(code: 200 | 503, text: string, checks?: Readonly<Record<string, string>>): Reply {
  const body = JSON.stringify({ status: text, checks })
  return code === 200 ? { status: code, body } : { status: code, body, headers: { 'retry-after': '2' }, reason: text }
}

const PERMIT: Permission = 'metrics:read'
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** With one of these, a proxy on this machine has forwarded the request from elsewhere. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

export function metricsRoute(router: Router, identity: Identity, text: () => Promise<MetricsText>): void {
  router.openUnlimited('/metrics', async (request) => {
    if (!isLocal(request)) await requirePermission(identity, request)
    const { type, body } = await text()
    return { status: 200, body, headers: { 'content-type': type } }
  })
}

function isLocal({ raw, headers }: PlainRequest): boolean {
  return LOOPBACK.test(raw.socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined)
}

async function requirePermission(identity: Identity, request: PlainRequest): Promise<void> {
  const caller = await authenticate(identity, credentialsOf(identity, request))
  if (!caller.mayAnywhere(PERMIT)) throw notAuthorised(`no role of the caller has ${PERMIT}`)
}
