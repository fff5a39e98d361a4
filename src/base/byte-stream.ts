// Streams whose first chunks are read before the stream is passed on: until then an error can still become a problem.
// Whoever receives such a stream may end it at any time, also before its first chunk; then the source must be ended
// too, which a generator that was never started does not do.

/** The stream again, once its first chunk has been read. Rejects with the error of the first chunk. */
export async function peekFirst<Chunk, Result>(
  stream: AsyncGenerator<Chunk, Result, void>,
): Promise<AsyncGenerator<Chunk, Result, void>> {
  const first = await stream.next()
  return first.done ? stream : prepend([first.value], stream)
}

/** Chunks that were read already, then the rest of the stream. */
export function prepend<Chunk, Result>(
  chunks: readonly Chunk[],
  rest: AsyncGenerator<Chunk, Result, void>,
): AsyncGenerator<Chunk, Result, void> {
  let next = 0
  return {
    async next() {
      if (next === chunks.length) return rest.next()
      return { done: false, value: chunks[next++] as Chunk }
    },
    return: (result) => rest.return(result),
    throw: (error) => rest.throw(error),
    [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose](),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The whole text of an answer, whether it is streamed or not: only for one whose size is bounded. */
export async function wholeText(answer: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof answer === 'string') return answer
  return Buffer.concat(answer instanceof Uint8Array ? [answer] : await Array.fromAsync(answer)).toString()
}
