// A client of a world: its requests go to the service without a network.
import { type Client, type ClientSettings, createClient, Problem } from '#client'
import { injectInto } from '../support/inject.ts'
import { type Answer, CLIENT_SECRET, type Sent, type World } from '../support/world.ts'

/** Requests that reach the service as those of `fetch` would; `onRequest` may answer in its place, or fail. */
export function fetchOf(world: World): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    if (request.signal.aborted) throw request.signal.reason
    const payload = Buffer.from(await request.arrayBuffer())
    const answer = await injectInto(world.application.server, {
      method: request.method as 'GET',
      url: request.url.replace(/^https?:\/\/[^/]+/, ''),
      headers: { ...Object.fromEntries(request.headers), host: 'service.test' },
      ...(request.body === null ? {} : { payload }),
    })
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const hasBody = answer.rawPayload.length > 0 && request.method !== 'HEAD' && answer.statusCode !== 304
    return new Response(hasBody ? new Uint8Array(answer.rawPayload) : null, { status: answer.statusCode, headers })
  }
}

export const SERVICE_URL = 'http://service.test'

/** A client of the fixture with its id and secret. */
export function clientOf(world: World, clientId = 'integration', settings: ClientSettings = {}): Client {
  const service = { url: SERVICE_URL, clientId, clientSecret: CLIENT_SECRET }
  return createClient(service, { fetch: fetchOf(world), ...settings })
}

/** Sends what a test of the interface sends by `client.request`; requests without credentials are no client's. */
export function throughTheClient(world: World): World['send'] {
  const direct = world.send.bind(world)
  const clients = new Map<string, Client>()
  const clientFor = (as: string) => {
    const known = clients.get(as)
    const token = () => world.token(as)
    const made = known ?? createClient({ url: SERVICE_URL, token }, { fetch: fetchOf(world), tries: 1 })
    clients.set(as, made)
    return made
  }
  return async (sent: Sent) => {
    const { as, method = 'GET', url, body, headers } = sent
    if (as === undefined || headers?.authorization !== undefined || method === 'PUT') return direct(sent)
    try {
      return await answerOf(await clientFor(as).request({ method, path: url, body, headers }))
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 0) throw error
      return answerWith(error.status, error.headers, Buffer.from(error.text))
    }
  }
}

async function answerOf(answer: Response): Promise<Answer> {
  return answerWith(answer.status, answer.headers, Buffer.from(await answer.arrayBuffer()))
}

function answerWith(status: number, headers: Headers, bytes: Buffer): Answer {
  const text = bytes.toString()
  const isJson = /[/+]json/.test(headers.get('content-type') ?? '') && text !== ''
  return { status, headers: Object.fromEntries(headers), text, bytes, json: isJson ? JSON.parse(text) : undefined }
}
