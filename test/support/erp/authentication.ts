// Who asks: by a token that client credentials have got, or by these themselves (Basic).
import type { Clock } from './clock.ts'
import { type ErpAnswer, type ErpRequest, jsonAnswer } from './message.ts'
import { mixed } from './random.ts'
import { coded, invalidToken } from './refusal.ts'

export interface ErpClient {
  readonly id: string
  readonly secret: string
  readonly companies: readonly string[]
  /** Documents that it may not read: collections of them are empty, single records are refused. */
  readonly hidden: Set<string>
  isRevoked: boolean
}

export class Authentication {
  readonly #clients: readonly ErpClient[]
  readonly #clock: Clock
  readonly #tokens = new Map<string, { client: ErpClient; expiresAt: number }>()
  readonly #hasBasic: boolean
  readonly #tokenSeconds: number
  /** How many tokens were given out. */
  tokens = 0

  constructor(clients: readonly ErpClient[], clock: Clock, options: { hasBasic: boolean; tokenSeconds: number }) {
    this.#clients = clients
    this.#clock = clock
    this.#hasBasic = options.hasBasic
    this.#tokenSeconds = options.tokenSeconds
  }

  /** Answers the token endpoint. */
  token({ method, headers, body }: ErpRequest): ErpAnswer {
    if (method !== 'POST') throw coded(405, 1030, 'The method is not allowed.', { Allow: 'POST' })
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== 'client_credentials') {
      return jsonAnswer(400, { error: 'unsupported_grant_type' })
    }
    const [basicId, basicSecret] = basicOf(headers.authorization) ?? []
    const client = this.#client(form.get('client_id') ?? basicId, form.get('client_secret') ?? basicSecret)
    if (!client) return jsonAnswer(401, { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic' })
    this.tokens += 1
    const token = `${client.id}.${this.tokens}.${mixed(this.tokens, 7).toString(36)}`
    this.#tokens.set(token, { client, expiresAt: this.#clock.now() + this.#tokenSeconds * 1000 })
    return jsonAnswer(200, { access_token: token, expires_in: this.#tokenSeconds, scope: '', token_type: 'Bearer' })
  }

  clientOf({ headers: { authorization } }: ErpRequest): ErpClient {
    const bearer = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (bearer !== undefined) {
      const known = this.#tokens.get(bearer)
      if (known && known.expiresAt > this.#clock.now() && !known.client.isRevoked) return known.client
      throw invalidToken()
    }
    const basic = this.#hasBasic ? basicOf(authorization) : undefined
    const client = basic && this.#client(...basic)
    if (!client) throw invalidToken()
    return client
  }

  #client(id: string | undefined, secret: string | undefined): ErpClient | undefined {
    return this.#clients.find((client) => client.id === id && client.secret === secret && !client.isRevoked)
  }
}

function basicOf(header: string | undefined): [id: string, secret: string] | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [id, secret.join(':')]
}
