// `/metrics`: what Prometheus reads. For whoever calls from the machine itself, and for roles that may read metrics: the
// figures name no record, but they tell how busy a house is.
import type { FastifyRequest } from 'fastify'
import type { Permission } from '../../access/caller.ts'
import { notAuthorised } from '../../errors/catalogue.ts'
import type { MetricsText } from '../../observe/metrics.ts'
import { authenticate, credentialsOf, type Identity } from '../authenticate.ts'
import type { Edge } from '../edge.ts'

const PERMIT: Permission = 'metrics:read'
const OWN_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** A proxy on this machine has set them: the caller is somewhere else. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

export function metricsRoute(edge: Edge, identity: Identity, text: () => Promise<MetricsText>): void {
  edge.openForProbes('/metrics', async (request) => {
    if (!isOfThisMachine(request)) await requirePermitted(identity, request)
    const { type, body } = await text()
    return { status: 200, body, headers: { 'content-type': type } }
  })
}

function isOfThisMachine({ raw, headers }: FastifyRequest): boolean {
  return OWN_ADDRESS.test(raw.socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined)
}

async function requirePermitted(identity: Identity, request: FastifyRequest): Promise<void> {
  const caller = await authenticate(identity, credentialsOf(request))
  if (!caller.mayAnywhere(PERMIT)) throw notAuthorised(PERMIT)
}
