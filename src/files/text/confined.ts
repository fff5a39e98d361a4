// What pdf.js needs around it where contents are not to be trusted. It inflates a stream into one growing array without a
// bound: while it works, no byte array larger than a bound comes into being, and the page that asks for one is left out.
// And of broken documents it forgets promises that fail, which would end the process.

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

type Listener = NodeJS.UnhandledRejectionListener

let uses = 0
let others: Listener[] = []

/** Does work of pdf.js on a content that may be hostile. */
export async function confined<T>(work: () => Promise<T>): Promise<T> {
  if (uses++ === 0) confine()
  try {
    return await work()
  } finally {
    // A promise counts as forgotten when nothing else is to be done at once.
    await new Promise((resolve) => setImmediate(resolve))
    if (--uses === 0) release()
  }
}

function confine(): void {
  Object.assign(globalThis, { Uint8Array: BoundedBytes, DecompressionStream: undefined })
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', sift)
}

function release(): void {
  Object.assign(globalThis, { Uint8Array: UnboundedBytes, DecompressionStream })
  process.off('unhandledRejection', sift)
  for (const listener of others) process.on('unhandledRejection', listener)
}

/** Passes on what others have forgotten. */
const sift: Listener = (reason, promise) => {
  if (reason instanceof Error && reason.stack?.includes('pdfjs-dist')) return
  if (others.length === 0) throw reason
  for (const listener of others) listener(reason, promise)
}
