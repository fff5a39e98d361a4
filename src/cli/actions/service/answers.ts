// Answers to a question, as they are sent: numbers keep all their digits.
import { type Client, type ClientRequest, NetworkProblem } from '#client'

/** The answer, and those that it links to (RFC 8288). */
export async function* answersTo(client: Client, request: ClientRequest): AsyncGenerator<Response, void> {
  let answer = await client.request(request)
  while (true) {
    // Before the answer is read: its body is the caller's.
    const [, next] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '') ?? []
    yield answer
    if (next === undefined) return
    const { pathname, search } = new URL(next, 'http://service')
    answer = await client.request({
      ...request,
      path: relativeTo(answer.url, request.path, pathname) + search,
      query: {},
    })
  }
}

/** Links have the base path of the service, which the client adds itself. */
function relativeTo(url: string, requested: string, pathname: string): string {
  const base = new URL(url).pathname.slice(0, -requested.length)
  return pathname.startsWith(base) ? pathname.slice(base.length) : pathname
}

/** Throws a `NetworkProblem` when the answer breaks off. */
export async function* decodedBody({ body }: Response): AsyncGenerator<string, void> {
  if (body === null) return
  const decoder = new TextDecoder()
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  } catch (cause) {
    throw new NetworkProblem('The answer has broken off.', { cause })
  }
}

/** The lines of NDJSON, one after the other. */
export async function* linesIn(answers: AsyncIterable<Response> | Iterable<Response>): AsyncGenerator<string, void> {
  for await (const answer of answers) {
    let rest = ''
    for await (const text of decodedBody(answer)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      yield* lines.filter((line) => line !== '')
    }
    if (rest !== '') yield rest
  }
}
