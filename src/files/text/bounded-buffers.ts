// pdf.js inflates a stream into one growing array and knows no bound: a megabyte can become a gigabyte. While a document
// is read, no byte array larger than a bound comes into being: the page that asks for one is left out.

/** Fonts and the drawings of engineers rarely come near. What pdf.js makes of a stream takes ten times as much. */
const MOST_BUFFER_BYTES = 8 * 1024 * 1024

const UnboundedBytes = globalThis.Uint8Array
const BoundedBytes = new Proxy(UnboundedBytes, {
  construct(target, args, newTarget) {
    const [length] = args
    if (typeof length === 'number' && length > MOST_BUFFER_BYTES) throw new RangeError(`${length} bytes are too many`)
    return Reflect.construct(target, args, newTarget)
  },
})

/** Without it, pdf.js inflates by itself, into the arrays that are bounded here. */
const { DecompressionStream } = globalThis

let uses = 0

/** Does work of pdf.js with bounded byte arrays. */
export async function withBoundedBuffers<T>(work: () => Promise<T>): Promise<T> {
  if (uses++ === 0) Object.assign(globalThis, { Uint8Array: BoundedBytes, DecompressionStream: undefined })
  try {
    return await work()
  } finally {
    if (--uses === 0) Object.assign(globalThis, { Uint8Array: UnboundedBytes, DecompressionStream })
  }
}
