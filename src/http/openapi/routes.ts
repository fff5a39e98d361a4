// `/openapi.json` and its page for people, `/docs/api`: built from the declared routes on the first request.
import { createHash } from 'node:crypto'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { CachedText } from '../reply/cached-text.ts'
import type { DeclaredRoute } from '../route.ts'
import type { Router } from '../router.ts'
import examples from './examples.json' with { type: 'json' }
import { openApiOf } from './openapi.ts'
import type { Exchange } from './operation.ts'
import { STYLE } from './page/html.ts'
import { HOST_PLACEHOLDER, pageOf } from './page/page.ts'

/** Endpoints that a setup defines; the description is rebuilt when their version changes. */
export interface FurtherEndpoints {
  readonly version: number
  readonly routes: readonly DeclaredRoute[]
}

export function descriptionRoutes(router: Router, basePath: string, further: () => FurtherEndpoints): void {
  let current: { openApi: CachedText; page: string; pages: Map<string, CachedText>; version: number } | undefined
  const build = ({ version, routes }: FurtherEndpoints) => {
    const all = [...router.routes, ...routes]
    const description = openApiOf(all, examples as unknown as readonly Exchange[], {
      version: PROGRAM_VERSION,
      basePath,
    })
    return {
      openApi: new CachedText(JSON.stringify(description), { 'content-type': 'application/json; charset=utf-8' }),
      page: pageOf(description, basePath),
      pages: new Map<string, CachedText>(),
      version,
    }
  }
  const latest = () => {
    const endpoints = further()
    if (current?.version !== endpoints.version) current = build(endpoints)
    return current
  }
  router.open('GET', '/openapi.json', ({ headers }) => latest().openApi.replyTo(headers))
  router.open('GET', '/docs/api', ({ host, headers }) => {
    const { page, pages } = latest()
    const cached = pages.get(host)
    if (cached) return cached.replyTo(headers)
    const text = new CachedText(page.replace(HOST_PLACEHOLDER, validHost(host)), PAGE_HEADERS)
    if (pages.size === MAX_HOSTS) return text.replyTo({})
    pages.set(host, text)
    return text.replyTo(headers)
  })
}

/** A service has few host names. For any further one, the page is neither cached nor compressed. */
const MAX_HOSTS = 4

/** A host name or IP address, with or without a port. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

function validHost(host: string): string {
  return HOST.test(host) ? host : '127.0.0.1:8080'
}

/** The policy allows nothing but the style in the page itself. */
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
