// `/openapi.json`: built from the declared routes on the first request.
import { getOrInsert } from '../../base/memo.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { readersLanguage } from '../../model/titles.ts'
import { CachedText } from '../route/cached-text.ts'
import type { DescribedRoute } from '../route/route.ts'
import type { Router } from '../router.ts'
import type { OpenApi } from './document.ts'
import examples from './examples.json' with { type: 'json' }
import { openApiOf } from './openapi.ts'
import type { Exchange } from './operation.ts'
import { withTitles } from './titles.ts'

/** Endpoints that a setup defines; the description is rebuilt when their version changes. */
export interface FurtherEndpoints {
  readonly version: number
  readonly routes: readonly DescribedRoute[]
  /** The documents whose members have titles, by the names of their schemas. */
  readonly titled: ReadonlyMap<string, Pick<DocumentDefinition, 'name' | 'properties'>>
}

export function descriptionRoutes(router: Router, basePath: string, further: () => FurtherEndpoints): void {
  let current: { version: number; plain: OpenApi; texts: Map<string, CachedText> } | undefined
  const build = ({ version, routes }: FurtherEndpoints) => {
    const plain = openApiOf([...router.routes, ...routes], examples as unknown as readonly Exchange[], {
      version: PROGRAM_VERSION,
      basePath,
    })
    return { version, plain, texts: new Map<string, CachedText>() }
  }
  router.open('GET', '/openapi.json', ({ headers }) => {
    const endpoints = further()
    if (current?.version !== endpoints.version) current = build(endpoints)
    const { plain, texts } = current
    const language = readersLanguage(headers['accept-language'])
    const text = getOrInsert(texts, language ?? '', () =>
      textOf(language === undefined ? plain : withTitles(plain, endpoints.titled, language)),
    )
    return text.replyTo(headers)
  })
}

const textOf = (description: OpenApi): CachedText =>
  new CachedText(JSON.stringify(description), {
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding, accept-language, x-erp-language',
  })
