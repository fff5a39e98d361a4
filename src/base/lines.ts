/** The lines of a UTF-8 text in chunks. Only a line feed ends a line; after the last one it is optional. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let incomplete: Uint8Array[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...incomplete, chunk.subarray(start, end)]).toString()
      incomplete = []
      start = end + 1
    }
    if (start < chunk.length) incomplete.push(chunk.subarray(start))
  }
  if (incomplete.length > 0) yield Buffer.concat(incomplete).toString()
}
