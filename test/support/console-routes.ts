// The routes of the console that the service has, as it says them itself: so that none is left out of a test.
import type { World } from './world.ts'

export interface ConsoleRoute {
  readonly method: string
  /** With `:id` for an id. */
  readonly path: string
}

export function consoleRoutes({ application }: World): ConsoleRoute[] {
  const declared = [...application.router.declared].filter(([path]) => path.startsWith('/console/api/'))
  return declared.flatMap(([path, { methods }]) => methods.map((method) => ({ method, path })))
}
