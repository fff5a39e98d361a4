// Answers requests that match no route: 404 for an unknown path, 405 with `Allow` for another method of a known one.
import type { FastifyInstance, RouteOptions } from 'fastify'
import router from 'find-my-way'
import { methodNotAllowed, noResource } from '../../errors/catalogue.ts'
import type { RouteDeclaration } from '../pipeline/authorise.ts'
import { pathOf } from './problem-reply.ts'

/** Must be called before the first route is declared, because it collects the methods of each path. */
export function answerNotFound(app: FastifyInstance): void {
  const paths = router<router.HTTPVersion.V1>({ ignoreTrailingSlash: true, maxParamLength: 512 })
  const methodsOf = new Map<string, string[]>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const { isIncomplete, isForBrowsers } = (route.config ?? {}) as RouteDeclaration
    if (isIncomplete || isForBrowsers) return
    const existing = methodsOf.get(route.url)
    const methods = [route.method].flat()
    if (existing) {
      existing.push(...methods)
      return
    }
    methodsOf.set(route.url, methods)
    paths.on('GET', route.url, () => {}, methods)
  })
  app.setNotFoundHandler((request) => {
    const path = pathOf(request)
    const match = paths.find('GET', request.raw.url ?? '')
    // The router's `store` is the list in `methodsOf`, to which later routes of the path have been added.
    const allowed = (match?.store ?? []) as string[]
    if (allowed.length === 0) throw noResource(path)
    throw methodNotAllowed(request.method, path, allowed)
  })
}
