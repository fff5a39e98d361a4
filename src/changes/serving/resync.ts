// The answer to a reader that has to start over.
import { Problem } from '../../errors/problem.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { ChangesGone } from '../changes-gone.ts'

/** Where revisions are found: with their documents. */
const WITH: Readonly<Record<string, string>> = { 'document-revisions': 'document-archive' }

/** The same problem with links (RFC 8288) to load each entity again; other errors as they are. */
export function withResyncLinks(
  error: unknown,
  documents: Iterable<EnterpriseDocument>,
  { basePath, companyId }: { readonly basePath: string; readonly companyId: string },
): unknown {
  if (!(error instanceof ChangesGone)) return error
  const names = new Set(error.entities.map((entity) => WITH[entity] ?? entity))
  const links = [...documents].flatMap(({ common: { name, version } }) =>
    names.has(name)
      ? [`<${basePath}/v${version}/objects/${name}?companyId=${encodeURIComponent(companyId)}>; rel="resync"`]
      : [],
  )
  const { status, code, body, message } = error
  return new Problem(status, code, body, message, { headers: { link: links.join(', ') }, cause: error })
}
