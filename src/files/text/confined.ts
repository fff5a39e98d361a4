// Confines pdf.js while it reads untrusted contents. pdf.js inflates a stream into one array of unlimited size: during
// its work, allocating a byte array above a limit throws, and the page that needs it is skipped. For broken documents
// pdf.js also leaves rejected promises unhandled, which would end the process: these are ignored.

/**
 * Fonts and technical drawings rarely come near this size. The data that pdf.js derives from a stream is ten times as
 * large.
 */
const MAX_BUFFER_BYTES = 8 * 1024 * 1024

const UnboundedBytes = globalThis.Uint8Array
const BoundedBytes = new Proxy(UnboundedBytes, {
  construct(target, args, newTarget) {
    const [length] = args
    if (typeof length === 'number' && length > MAX_BUFFER_BYTES) throw new RangeError(`${length} bytes are too many`)
    return Reflect.construct(target, args, newTarget)
  },
})

/** Removed, so that pdf.js uses its own inflater, which allocates the limited arrays. */
const { DecompressionStream } = globalThis

type Listener = NodeJS.UnhandledRejectionListener

let activeCalls = 0
let regularListeners: Listener[] = []

/** Runs work of pdf.js on an untrusted content. */
export async function runConfined<T>(work: () => Promise<T>): Promise<T> {
  if (activeCalls++ === 0) confine()
  try {
    return await work()
  } finally {
    // Node reports unhandled rejections after the microtask queue is empty, so wait for them here.
    await new Promise((resolve) => setImmediate(resolve))
    if (--activeCalls === 0) release()
  }
}

function confine(): void {
  Object.assign(globalThis, { Uint8Array: BoundedBytes, DecompressionStream: undefined })
  regularListeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', onUnhandledRejection)
}

function release(): void {
  Object.assign(globalThis, { Uint8Array: UnboundedBytes, DecompressionStream })
  process.off('unhandledRejection', onUnhandledRejection)
  for (const listener of regularListeners) process.on('unhandledRejection', listener)
}

/** Ignores rejections from pdf.js, and passes all others on to the regular listeners. */
const onUnhandledRejection: Listener = (reason, promise) => {
  if (reason instanceof Error && reason.stack?.includes('pdfjs-dist')) return
  if (regularListeners.length === 0) throw reason
  for (const listener of regularListeners) listener(reason, promise)
}
