// `/openapi.json` and its readable page `/docs`: made once from the routes that were declared.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Edge } from '../edge.ts'
import examples from './examples.json' with { type: 'json' }
import { type Example, openApiOf } from './openapi.ts'
import { pageOf, STYLE } from './page.ts'

export function descriptionRoutes(edge: Edge, basePath: string): void {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const description = openApiOf(edge.routes, examples as Example[], version, basePath)
  const text = JSON.stringify(description)
  const page = pageOf(description, basePath)
  edge.open('GET', '/openapi.json', () => ({ status: 200, body: text }))
  edge.open('GET', '/docs', () => ({
    status: 200,
    body: page,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY },
  }))
}

/** Nothing but the style that stands in the page itself. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`
