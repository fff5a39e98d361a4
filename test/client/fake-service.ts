// A service of answers that a test gives, at a clock that waits for nobody.
import { type Client, type ClientSettings, createClient } from '#client'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  /** When it was sent. */
  readonly at: number
}

/** An answer, a mistake of the network, or what makes one of them. */
type Scripted = Response | Error | ((request: SentRequest) => Response | Promise<Response>)

export interface FakeService {
  readonly client: Client
  /** Without those for tokens. */
  readonly sent: SentRequest[]
  readonly tokens: SentRequest[]
  /** How long the client has waited each time. */
  readonly waits: number[]
  readonly clock: { now: number }
}

export const refusal = (status: number, headers: Record<string, string> = {}, body: object = {}) =>
  Response.json({ code: 1020, message: `Refused with ${status}.`, ...body }, { status, headers })
export const INVALID_TOKEN = { 'www-authenticate': 'Bearer error="invalid_token"' }
export const LOST = new TypeError('fetch failed')
const BEGUN = Date.UTC(2026, 0, 31, 12)

/** The answers are given one by one; behind the last one every request is answered `[]`. Tokens are `t1`, `t2`, ... */
export function fakeService(
  answers: readonly Scripted[],
  settings: ClientSettings & { readonly tokenAnswers?: readonly Scripted[]; readonly lifeSeconds?: number } = {},
): FakeService {
  const { tokenAnswers = [], lifeSeconds = 3_600, ...others } = settings
  const [script, tokenScript] = [[...answers], [...tokenAnswers]]
  const [sent, tokens, waits, clock]: [SentRequest[], SentRequest[], number[], { now: number }] = [
    [],
    [],
    [],
    { now: BEGUN },
  ]
  const answerTo = (request: SentRequest, scripted: Scripted) => {
    if (scripted instanceof Error) throw scripted
    return scripted instanceof Response ? scripted : scripted(request)
  }
  const fetchIt: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const told = {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
      at: clock.now,
    }
    const isToken = told.url.endsWith('/oauth/token')
    ;(isToken ? tokens : sent).push(told)
    const token = () => Response.json({ access_token: `t${tokens.length}`, expires_in: lifeSeconds })
    return isToken ? answerTo(told, tokenScript.shift() ?? token) : answerTo(told, script.shift() ?? Response.json([]))
  }
  const client = createClient(
    { url: 'https://service.test/base/', clientId: 'a client', clientSecret: 'ø:secret' },
    {
      fetch: fetchIt,
      now: () => clock.now,
      random: () => 0,
      sleep: async (ms, signal) => {
        signal.throwIfAborted()
        waits.push(ms)
        clock.now += ms
      },
      ...others,
    },
  )
  return { client, sent, tokens, waits, clock }
}
