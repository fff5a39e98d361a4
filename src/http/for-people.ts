// Requests of a browser that somebody sits at: they ask for a page, and bring no credentials.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A page that is refused by its quality is none that is asked for. */
const ASKS_FOR_PAGE = /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** The constraint of routes that are there for people alone: to everybody else it is as if there was none. */
export const FOR_PEOPLE = { person: true }

/** Must be called before the first route is declared. */
export function knowPeople(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: 'person',
    storage: () => {
      let found: unknown = null
      return {
        get: (isPerson: unknown) => (isPerson === true ? found : null) as never,
        set: (_isPerson: unknown, handler: unknown) => {
          found = handler
        },
      }
    },
    deriveConstraint: ({ headers }: IncomingMessage) =>
      headers.authorization === undefined && ASKS_FOR_PAGE.test(headers.accept ?? '') ? true : undefined,
    validate: () => {},
  } as never)
}
