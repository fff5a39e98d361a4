// Lines of a body as it comes: no more is read than the program has asked for.
import { NetworkProblem } from '../problems.ts'

/** The objects of an NDJSON body. Throws a `NetworkProblem` if it breaks off; leaving the loop ends the answer. */
export async function* objectsIn<Row>(answer: Response): AsyncGenerator<Row, void> {
  let rest = ''
  for await (const text of textsIn(answer)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Row
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as Row
}

async function* textsIn({ body, url }: Response): AsyncGenerator<string, void> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    while (true) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new NetworkProblem(`The answer of ${url} has broken off.`, { cause })
      })
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // This does nothing where the answer was read to its end.
    await reader.cancel().catch(() => {})
  }
}
