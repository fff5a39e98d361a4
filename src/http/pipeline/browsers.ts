// Pages that exist for browsers alone.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Not with the quality 0, which excludes HTML. */
const ACCEPTS_HTML = /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** The route constraint of pages for browsers: for other clients there is no such route. */
export const FOR_BROWSERS = { browser: true }

/**
 * Recognises requests of a browser with a person at it: they accept HTML and carry no credentials. Must be called
 * before the first route is declared.
 */
export function recogniseBrowsers(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: 'browser',
    storage: () => {
      let found: unknown = null
      return {
        get: (isBrowser: unknown) => (isBrowser === true ? found : null) as never,
        set: (_isBrowser: unknown, handler: unknown) => {
          found = handler
        },
      }
    },
    deriveConstraint: ({ headers }: IncomingMessage) =>
      headers.authorization === undefined && ACCEPTS_HTML.test(headers.accept ?? '') ? true : undefined,
    validate: () => {},
  } as never)
}
