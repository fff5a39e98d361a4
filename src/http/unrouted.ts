// Requests that no route takes: an unknown path (404), or a known one with another method (405 and `Allow`).
import type { FastifyInstance, RouteOptions } from 'fastify'
import router from 'find-my-way'
import { methodNotAllowed, noResource } from '../errors/catalogue.ts'
import type { Declaration } from './declared-routes.ts'
import { pathOf } from './reply-error.ts'

/** Must be called before the first route is declared: it remembers which methods each path has. */
export function refuseUnrouted(app: FastifyInstance): void {
  const paths = router<router.HTTPVersion.V1>({ ignoreTrailingSlash: true, maxParamLength: 512 })
  const methodsOf = new Map<string, string[]>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const { isIncomplete, isForPeople } = (route.config ?? {}) as Declaration
    if (isIncomplete || isForPeople) return
    const known = methodsOf.get(route.url)
    const methods = [route.method].flat()
    if (known) {
      known.push(...methods)
      return
    }
    methodsOf.set(route.url, methods)
    paths.on('GET', route.url, () => {}, methods)
  })
  app.setNotFoundHandler((request) => {
    const path = pathOf(request)
    const found = paths.find('GET', request.raw.url ?? '')
    // The store is the very list that later routes of the same path are added to.
    const allowed = (found?.store ?? []) as string[]
    if (allowed.length === 0) throw noResource(path)
    throw methodNotAllowed(request.method, path, allowed)
  })
}
