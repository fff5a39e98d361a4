// Refused by default: the service does not start with a route that does not say who may call it.
import type { FastifyInstance } from 'fastify'
import type { Permission } from '../access/caller.ts'

/** What a route says of its callers, as a part of its `config`. */
export interface Declaration {
  /** Who may call it. */
  readonly permit?: Permission
  /** Anybody may. */
  readonly isPublic?: boolean
  /** Whatever the rate of those who show no credentials: probes, and what counts for itself. */
  readonly isUnlimited?: boolean
  /** Nobody is answered more than that there is no such path. */
  readonly isIncomplete?: boolean
  /** Everybody but people at a browser is answered that there is no such path. */
  readonly isForPeople?: boolean
}

const PERMISSION = /^[a-z-]+:(create|read|update|delete|export)$/

/** Must be called before the first route is declared; declaring one that says nothing throws then. */
export function requireDeclarations(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    const { permit = '', isPublic, isIncomplete } = (config ?? {}) as Declaration
    if (isPublic || isIncomplete || PERMISSION.test(permit)) return
    throw new Error(`the route ${method} ${url} does not say who may call it`)
  })
}
