// Denies by default: the service does not start if a route declares neither a permission nor that it is public.
import type { FastifyInstance } from 'fastify'
import type { Permission } from '../../access/caller.ts'

/** The access of a route, as a part of its Fastify `config`. */
export interface RouteDeclaration {
  /** The permission that a caller needs. */
  readonly permit?: Permission
  /** No authentication is needed. */
  readonly isPublic?: boolean
  /** Whatever the rate of those who show no credentials: probes, and what counts for itself. */
  readonly isUnlimited?: boolean
  /** Nobody is answered more than that there is no such path. */
  readonly isIncomplete?: boolean
  /** 404 for all clients but browsers. */
  readonly isForBrowsers?: boolean
}

const PERMISSION = /^[a-z-]+:(create|read|update|delete|export)$/

/** Makes the declaration of a route without access throw. Must be called before the first route is declared. */
export function requirePermissions(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    const { permit = '', isPublic, isIncomplete } = (config ?? {}) as RouteDeclaration
    if (isPublic || isIncomplete || PERMISSION.test(permit)) return
    throw new Error(`the route ${method} ${url} declares no permission`)
  })
}
