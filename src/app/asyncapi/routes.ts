// `/asyncapi.json`: built on the first request, and again when the setup defines other documents.
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import { CachedText } from '../../http/reply/cached-text.ts'
import type { Router } from '../../http/router.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { asyncApiOf } from './asyncapi.ts'
import { describedKinds } from './records.ts'

export interface DocumentsServed {
  /** Another one when the documents are others. */
  readonly version: number
  readonly all: readonly EnterpriseDocument[]
}

export function asyncApiRoutes(router: Router, basePath: string, served: () => DocumentsServed): void {
  let current: { readonly text: CachedText; readonly version: number } | undefined
  router.open('GET', '/asyncapi.json', ({ headers }) => {
    const { version, all } = served()
    if (current?.version !== version) {
      const description = asyncApiOf(describedKinds(all), { version: PROGRAM_VERSION, basePath })
      const text = JSON.stringify(description)
      current = { text: new CachedText(text, { 'content-type': 'application/json; charset=utf-8' }), version }
    }
    return current.text.replyTo(headers)
  })
}
