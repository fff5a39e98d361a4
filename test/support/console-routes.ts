// The routes of the console that the service has, as it says them itself: so that none is left out of a test.
import type { World } from './world.ts'

export interface ConsoleRoute {
  readonly method: string
  /** With `:id` for an id. */
  readonly path: string
}

/** A branch of the tree that Fastify prints: how deep it is, what it adds to the path, and the methods that end there. */
const BRANCH = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?(?: \{.*\})?$/

export function consoleRoutes({ application }: World): ConsoleRoute[] {
  const parts: string[] = []
  const lines = application.server.printRoutes().split('\n')
  return lines
    .flatMap((line) => {
      const [, above = '', part = '', methods] = BRANCH.exec(line) ?? []
      parts.splice(above.length / 4, parts.length, part)
      return (methods?.split(', ') ?? []).map((method) => ({ method, path: parts.join('') }))
    })
    .filter(({ path }) => path.startsWith('/console/api/'))
}
