// `/metrics` for Prometheus: open to clients on the same machine, otherwise only with a permission. The metrics name no
// record, but they reveal how busy a company is.
import type { FastifyRequest } from 'fastify'
import type { Permission } from '../../access/caller.ts'
import { notAuthorised } from '../../errors/catalogue.ts'
import type { MetricsText } from '../../observe/metrics.ts'
import { authenticate, credentialsOf, type Identity } from '../pipeline/authenticate.ts'
import type { Router } from '../router.ts'

const PERMIT: Permission = 'metrics:read'
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** With one of these, a proxy on this machine has forwarded the request from elsewhere. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

export function metricsRoute(router: Router, identity: Identity, text: () => Promise<MetricsText>): void {
  router.openForProbes('/metrics', async (request) => {
    if (!isLocal(request)) await requirePermission(identity, request)
    const { type, body } = await text()
    return { status: 200, body, headers: { 'content-type': type } }
  })
}

function isLocal({ raw, headers }: FastifyRequest): boolean {
  return LOOPBACK.test(raw.socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined)
}

async function requirePermission(identity: Identity, request: FastifyRequest): Promise<void> {
  const caller = await authenticate(identity, credentialsOf(request))
  if (!caller.mayAnywhere(PERMIT)) throw notAuthorised()
}
