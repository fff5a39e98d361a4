// `/openapi.json`: built from the declared routes on the first request.
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { CachedText } from '../route/cached-text.ts'
import type { DescribedRoute } from '../route/route.ts'
import type { Router } from '../router.ts'
import examples from './examples.json' with { type: 'json' }
import { openApiOf } from './openapi.ts'
import type { Exchange } from './operation.ts'

/** Endpoints that a setup defines; the description is rebuilt when their version changes. */
export interface FurtherEndpoints {
  readonly version: number
  readonly routes: readonly DescribedRoute[]
}

export function descriptionRoutes(router: Router, basePath: string, further: () => FurtherEndpoints): void {
  let current: { text: CachedText; version: number } | undefined
  const build = ({ version, routes }: FurtherEndpoints) => {
    const all = [...router.routes, ...routes]
    const description = openApiOf(all, examples as unknown as readonly Exchange[], {
      version: PROGRAM_VERSION,
      basePath,
    })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    return { text: new CachedText(JSON.stringify(description), headers), version }
  }
  router.open('GET', '/openapi.json', ({ headers }) => {
    const endpoints = further()
    if (current?.version !== endpoints.version) current = build(endpoints)
    return current.text.replyTo(headers)
  })
}
