// Where a client of a source gets its tokens, if the source takes its secret with no request.
import { ErpSource, SourceFailure, type SourceParts } from '../source/source.ts'

/**
 * Undefined where the secret itself is taken. Throws `SourceFailure` where neither that nor a usual address of tokens
 * works.
 */
export async function findTokenUrl({ rules, ...parts }: SourceParts): Promise<string | undefined> {
  const works = async (tokenUrl: string | undefined): Promise<boolean> => {
    const source = new ErpSource({ ...parts, rules: { ...rules, tokenUrl } })
    try {
      const { status } = await source.send(source.pathOf('/v1/objects/companies', { limit: 1 }))
      return status !== 401
    } catch (error) {
      if (error instanceof SourceFailure && error.status === 401) return false
      throw error
    }
  }
  if (await works(undefined)) return undefined
  const { origin } = new URL(rules.url)
  const told = await metadataAt(`${origin}/.well-known/oauth-authorization-server`, parts.fetch ?? fetch)
  for (const url of [told, `${rules.url}/oauth/token`, `${rules.url}/oauth2/token`, `${origin}/oauth/token`]) {
    if (url !== undefined && (await works(url))) return url
  }
  throw new SourceFailure(401, 'the client or its secret is refused, as itself and at the usual addresses of tokens')
}

/** `token_endpoint` of the metadata (RFC 8414), if it is on the host that the secret is sent to anyway. */
async function metadataAt(url: string, send: typeof fetch): Promise<string | undefined> {
  try {
    const response = await send(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    if (!response.ok) return undefined
    const { token_endpoint: found } = (await response.json()) as { readonly token_endpoint?: unknown }
    return typeof found === 'string' && URL.parse(found)?.origin === new URL(url).origin ? found : undefined
  } catch {
    return undefined
  }
}
