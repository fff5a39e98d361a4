// `/openapi.json` and its readable page `/docs`: made from the routes that were declared, when first asked for.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import type { DeclaredRoute, Edge } from '../edge.ts'
import type { Reply } from '../send.ts'
import { TAKES_GZIP } from '../send-kept.ts'
import examples from './description/examples.json' with { type: 'json' }
import type { Exchange } from './description/exchange.ts'
import { openApiOf } from './description/openapi.ts'
import { HOST_PLACE, pageOf } from './description/page.ts'
import { STYLE } from './description/style.ts'

/** Endpoints that are not declared one by one, because a setup makes them: told anew when the version changes. */
export interface FurtherEndpoints {
  readonly version: number
  readonly routes: readonly DeclaredRoute[]
}

export function descriptionRoutes(edge: Edge, basePath: string, further: () => FurtherEndpoints): void {
  let made: { openApi: KeptText; page: string; pages: Map<string, KeptText>; version: number } | undefined
  const make = ({ version, routes }: FurtherEndpoints) => {
    const all = [...edge.routes, ...routes]
    const description = openApiOf(all, examples as unknown as readonly Exchange[], {
      version: PROGRAM_VERSION,
      basePath,
    })
    return {
      openApi: new KeptText(JSON.stringify(description), { 'content-type': 'application/json; charset=utf-8' }),
      page: pageOf(description, basePath),
      pages: new Map<string, KeptText>(),
      version,
    }
  }
  const once = () => {
    const now = further()
    if (made?.version !== now.version) made = make(now)
    return made
  }
  edge.open('GET', '/openapi.json', ({ headers }) => once().openApi.replyTo(headers))
  edge.open('GET', '/docs', ({ host, headers }) => {
    const { page, pages } = once()
    const known = pages.get(host)
    if (known) return known.replyTo(headers)
    const told = new KeptText(page.replace(HOST_PLACE, toldHost(host)), PAGE_HEADERS)
    if (pages.size === MOST_HOSTS) return told.replyTo({})
    pages.set(host, told)
    return told.replyTo(headers)
  })
}

/** A service has few names; who invents others gets a page all the same, which nobody compresses. */
const MOST_HOSTS = 4

/** A name or an address with its port: what else stands in the header is none. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

function toldHost(host: string): string {
  return HOST.test(host) ? host : '127.0.0.1:8080'
}

/** Anybody may ask for it, so that it is compressed once. */
class KeptText {
  readonly #text: string
  readonly #headers: Readonly<Record<string, string>>
  #zipped: Buffer | undefined

  constructor(text: string, headers: Readonly<Record<string, string>>) {
    this.#text = text
    this.#headers = { ...headers, vary: 'accept-encoding' }
  }

  replyTo(headers: IncomingHttpHeaders): Reply {
    if (!TAKES_GZIP.test(String(headers['accept-encoding'] ?? ''))) {
      return { status: 200, body: this.#text, headers: this.#headers, isIncompressible: true }
    }
    this.#zipped ??= gzipSync(this.#text)
    const zipped = { ...this.#headers, 'content-encoding': 'gzip' }
    return { status: 200, body: this.#zipped, headers: zipped, isIncompressible: true }
  }
}

/** Nothing but the style that stands in the page itself. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
}
