// Answers that are made piece by piece, looked at before their first byte is sent: until then a fault can be told as one.

/** The pieces, of which the first is there already. Whoever gets them must take or end them. */
export async function begun<Piece>(
  pieces: AsyncGenerator<Piece, void, void>,
): Promise<AsyncGenerator<Piece, void, void>> {
  const first = await pieces.next()
  return resumed(first, pieces)
}

function resumed<Piece>(
  first: IteratorResult<Piece, void>,
  rest: AsyncGenerator<Piece, void, void>,
): AsyncGenerator<Piece, void, void> {
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
