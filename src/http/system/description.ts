// `/openapi.json` and its readable page `/docs`: made from the routes that were declared, when first asked for.
import { createHash } from 'node:crypto'
import { PROGRAM_VERSION } from '../../base/program-version.ts'
import type { DeclaredRoute, Edge } from '../edge.ts'
import type { Reply } from '../send.ts'
import examples from './description/examples.json' with { type: 'json' }
import type { Exchange } from './description/exchange.ts'
import { openApiOf } from './description/openapi.ts'
import { pageOf } from './description/page.ts'
import { STYLE } from './description/style.ts'

/** Endpoints that are not declared one by one, because a setup makes them: told anew when the version changes. */
export interface FurtherEndpoints {
  readonly version: number
  readonly routes: readonly DeclaredRoute[]
}

export function descriptionRoutes(edge: Edge, basePath: string, further: () => FurtherEndpoints): void {
  let made: { openApi: Reply; page: Reply; version: number } | undefined
  const make = ({ version, routes }: FurtherEndpoints) => {
    const all = [...edge.routes, ...routes]
    const description = openApiOf(all, examples as unknown as readonly Exchange[], {
      version: PROGRAM_VERSION,
      basePath,
    })
    return {
      openApi: { status: 200, body: JSON.stringify(description) },
      page: { status: 200, body: pageOf(description, basePath), headers: PAGE_HEADERS },
      version,
    }
  }
  const once = () => {
    const now = further()
    if (made?.version !== now.version) made = make(now)
    return made
  }
  edge.open('GET', '/openapi.json', () => once().openApi)
  edge.open('GET', '/docs', () => once().page)
}

/** Nothing but the style that stands in the page itself. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
}
