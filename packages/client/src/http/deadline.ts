// One signal for a call: that of its caller, or its own when the time is over.

export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the time is over; the caller's own signal is another matter. */
  readonly isOver: () => boolean
  /** When the time is over, as the clock of the surroundings tells it; `Infinity` without a limit. */
  readonly endsAt: number
  /** Leaves the caller's signal in force and stops the clock. */
  readonly stopClock: () => void
  /** Nothing may abort the call any more. */
  readonly release: () => void
}

/** What is longer ends a timer at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** `timeoutMs` 0: as long as it takes. */
export function deadlineOf(signal: AbortSignal | undefined, timeoutMs: number, now: number): Deadline {
  const controller = new AbortController()
  let over = false
  const onAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  const onTimeout = () => {
    over = true
    controller.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'))
  }
  const timer = timeoutMs > 0 ? setTimeout(onTimeout, Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined
  const stopClock = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    isOver: () => over,
    endsAt: timeoutMs > 0 ? now + timeoutMs : Number.POSITIVE_INFINITY,
    stopClock,
    release: () => {
      stopClock()
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** The promise, or the reason of the signal if that comes first. */
export async function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
