// Answers that are made piece by piece, looked at before their first byte is sent: until then a fault can be told as one.

/** The pieces, of which the first is there already. Whoever gets them must take or end them. */
export async function begun(
  pieces: AsyncGenerator<Uint8Array, void, void>,
): Promise<AsyncGenerator<Uint8Array, void, void>> {
  const first = await pieces.next()
  return resumed(first, pieces)
}

function resumed(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  let isFirst = true
  return {
    async next() {
      if (!isFirst) return rest.next()
      isFirst = false
      return first
    },
    return: () => rest.return(),
    throw: (error) => rest.throw(error),
    async [Symbol.asyncDispose]() {
      await rest.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
