// Gives memory back while there is nothing to do. V8 leaves the young generation as large as a burst of work has made
// it, 16 MiB after a start, until the next full collection: an idle process comes to none.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const CHECK_MS = 5_000
/** The processor time that an idle process takes in this time at most, for its own regular work. */
const IDLE_MICROS = 0.02 * CHECK_MS * 1_000
/** In bytes. It takes some 40 ms to collect what a smaller growth would give back. */
const LEAST_GROWTH = 8 * 1024 * 1024

/** Collects garbage when the process was idle between two checks and its heap has grown, until it is disposed of. */
export function collectWhenIdle(): Disposable {
  let collect: (() => void) | undefined
  let before = process.cpuUsage()
  let collectedTo = 0
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    if (user + system > IDLE_MICROS || heapBytes() < collectedTo + LEAST_GROWTH) return
    collect ??= collector()
    collect()
    collectedTo = heapBytes()
  }, CHECK_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The collector of V8, which only a new context has while this flag is set. Cached code is of the usual flags. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return collect
}

const heapBytes = (): number => getHeapStatistics().total_heap_size
