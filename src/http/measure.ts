// Counts requests and how long they take. It is on the way of every request, so it makes no closures and asks nothing twice.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RouteFigures } from '../observe/figures.ts'
import type { RequestFigures } from '../observe/request-figures.ts'

/** Method -> figures, of one route. */
type FiguresByMethod = Readonly<Record<string, RouteFigures>>
export type MeasuredConfig = { readonly figures?: FiguresByMethod; readonly isIncomplete?: boolean }

const STARTED = Symbol('started')
const FIGURES = Symbol('figures')
type Measured = ServerResponse & { [STARTED]: number; [FIGURES]: RouteFigures }

/** Must be called before the first route is declared: gives each the figures that its requests are counted in. */
export function measureRoutes(app: FastifyInstance, requests: RequestFigures, basePath: string): void {
  app.addHook('onRoute', (route) => {
    if ((route.config as MeasuredConfig | undefined)?.isIncomplete) return
    const path = route.url.slice(basePath.length)
    const figures = Object.fromEntries([route.method].flat().map((method) => [method, requests.of(method, path)]))
    route.config = { ...route.config, figures } as typeof route.config
  })
}

/** Counts the request when its answer is out, or its caller gone. */
export function measure(
  requests: RequestFigures,
  config: MeasuredConfig,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  measureAs(config.figures?.[request.method] ?? requests.of(request.method), reply.raw, performance.now())
}

/** Counts a request that began then in these figures. */
export function measureAs(figures: RouteFigures, raw: ServerResponse, startedAt: number): void {
  const response = raw as Measured
  response[STARTED] = startedAt
  response[FIGURES] = figures
  response.on('close', count)
}

/** In which a request that is measured will be counted. */
export function figuresOf(response: ServerResponse): RouteFigures {
  return (response as Measured)[FIGURES]
}

function count(this: Measured): void {
  this[FIGURES].add(this.writableEnded ? this.statusCode : 0, performance.now() - this[STARTED])
}
