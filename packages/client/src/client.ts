// The client: one transport, and the resources that send by it.
import type { ClientRequest } from './http/request.ts'
import { SURROUNDINGS, type Surroundings } from './http/surroundings.ts'
import { type Credentials, tokenSourceOf } from './http/tokens.ts'
import { transportOf } from './http/transport.ts'
import { type Resources, resourcesOf } from './resources/resources.ts'

const TIMEOUT_MS = 60_000
const TRIES = 5

export type Service = { /** With the base path, if there is one. */ readonly url: string } & Credentials

export interface ClientSettings extends Partial<Surroundings> {
  /** The company of every request that names no other; absent: the default company of the client's user. */
  readonly company?: string | undefined
  /** For a call with its retries; 60,000 by default, 0 for no limit. A call may have its own. */
  readonly timeoutMs?: number
  /** At most so many tries of a request, 5 by default. */
  readonly tries?: number
}

export interface Client<Company = unknown> extends Resources<Company> {
  /**
   * Sends any request, with the token, the retries and the idempotency keys of all others. A read is repeated, and a
   * write with a key; the client makes the keys. Answers 2xx and 304; throws a `Problem` for every other status, and
   * the reason of `signal` if that ends the call.
   */
  request(request: ClientRequest): Promise<Response>
}

export function createClient<Company = unknown>(
  service: Service,
  { company, timeoutMs = TIMEOUT_MS, tries = TRIES, ...given }: ClientSettings = {},
): Client<Company> {
  const surroundings = { ...SURROUNDINGS, ...given }
  const baseUrl = service.url.replace(/\/+$/, '')
  const tokens = tokenSourceOf(service, baseUrl, surroundings)
  const transport = transportOf({ baseUrl, company, timeoutMs, tries, tokens, surroundings })
  return { request: (request) => transport.send(request), ...resourcesOf<Company>(transport, surroundings) }
}
