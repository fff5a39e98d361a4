// Pages that exist for browsers alone.
import type { IncomingHttpHeaders } from 'node:http'

/** Not with the quality 0, which excludes HTML. */
const ACCEPTS_HTML = /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** Whether a browser with a person at it asks: it accepts HTML and carries no credentials. */
export function isOfBrowser({ authorization, accept = '' }: IncomingHttpHeaders): boolean {
  return authorization === undefined && ACCEPTS_HTML.test(accept)
}
