// Tokens for the tools of agents, fetched when one is needed and kept until shortly before it ends.
import type { ServiceCredentials } from '../../remote-service/service-credentials.ts'

/** So that none ends on the way. */
const RENEW_BEFORE_MS = 60_000
const TIMEOUT_MS = 30_000

interface Issued {
  readonly token: string
  /** In milliseconds since 1970. */
  readonly renewAt: number
}

export class AgentTokens {
  readonly #credentials: ServiceCredentials
  readonly #scope: string
  readonly #now: () => number
  #issued: Promise<Issued> | undefined

  constructor(credentials: ServiceCredentials, scope: string, now: () => number) {
    this.#credentials = credentials
    this.#scope = scope
    this.#now = now
  }

  /** Throws with what the service says when it gives none. Messages at the same time share one. */
  async current(): Promise<string> {
    this.#issued ??= this.#fetch()
    const issued = this.#issued
    try {
      const { token, renewAt } = await issued
      if (this.#now() < renewAt) return token
    } catch (error) {
      this.#forget(issued)
      throw error
    }
    this.#forget(issued)
    return await this.current()
  }

  /** The service has refused the token. */
  async refuse(token: string): Promise<void> {
    const issued = this.#issued
    if (issued && (await issued.catch(() => undefined))?.token === token) this.#forget(issued)
  }

  /** Unless a newer one was asked for meanwhile. */
  #forget(issued: Promise<Issued>): void {
    if (this.#issued === issued) this.#issued = undefined
  }

  async #fetch(): Promise<Issued> {
    const { url, clientId, clientSecret } = this.#credentials
    const askedAt = this.#now()
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      resource: `${url}/mcp`,
      scope: this.#scope,
    })
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause) => {
      throw new Error(`no service answers at ${url}`, { cause })
    })
    const told = (await answer.json().catch(() => ({}))) as {
      access_token?: string
      expires_in?: number
      error_description?: string
    }
    if (!answer.ok || told.access_token === undefined) {
      throw new Error(`the service gives no token: ${told.error_description ?? `status ${answer.status}`}`)
    }
    const lifetimeMs = (told.expires_in ?? 0) * 1000
    // One that ends at once is used for what it was asked for.
    return {
      token: told.access_token,
      renewAt: askedAt + Math.max(lifetimeMs - RENEW_BEFORE_MS, lifetimeMs / 2, 1_000),
    }
  }
}
