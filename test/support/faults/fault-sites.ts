// Fault injection: every call of a watched object is a fault site. The calls of a request are counted, and one of them
// fails on demand.
import { AsyncLocalStorage } from 'node:async_hooks'

type Method = (this: unknown, ...given: unknown[]) => unknown

/** The message of the injected error; none of it may be visible to a client. */
const FAULT_MESSAGE = 'h9-fault select * from secrets at /srv/tabularium'
export const THROWN: readonly (readonly [name: string, thrown: unknown])[] = [
  ['an error', new Error(FAULT_MESSAGE)],
  ['a text', FAULT_MESSAGE],
  ['null', null],
]

export interface WatchOptions {
  /** Called with the result of a call, and may watch that too. */
  readonly follow?: (method: string, result: unknown) => void
  /** How a call fails that cannot simply be skipped. */
  readonly fail?: (call: () => unknown, thrown: unknown) => unknown
}

/** Cleanup methods: they are called when all is done, and no caller waits for them. */
const ENDS = ['constructor', 'return', 'throw', 'close', 'stop', 'end']

export class FaultSites {
  /** The names of the calls since the last arming. */
  readonly passed: string[] = []
  /** The name of the call that failed; undefined as long as none did. */
  failed: string | undefined
  #left = Number.POSITIVE_INFINITY
  #thrown: unknown
  /** What the service does by itself meanwhile is no part of the request. */
  readonly #inRequest = new AsyncLocalStorage<true>()
  readonly #promising = new Set<string>()
  readonly #watched = new WeakSet<object>()
  readonly #restores: (() => void)[] = []

  /** Sends a request, whose calls count. It may begin only when it is awaited. */
  during<T>(request: () => PromiseLike<T>): Promise<T> {
    return this.#inRequest.run(true, async () => await request())
  }

  /** Makes the n-th call from now fail: by throwing, or by a rejected promise where the call returns one. */
  arm(nth: number, thrown: unknown): void {
    this.passed.length = 0
    this.failed = undefined
    this.#left = nth
    this.#thrown = thrown
  }

  disarm(): void {
    this.#left = Number.POSITIVE_INFINITY
  }

  /** Watches the methods of an object or of a prototype. */
  watch<T extends object>(name: string, part: T, { follow = () => {}, fail }: WatchOptions = {}): T {
    if (this.#watched.has(part)) return part
    this.#watched.add(part)
    for (const [method, original] of methodsOf(part)) {
      const site = `${name}.${method}`
      const sites = this
      const had = Object.getOwnPropertyDescriptor(part, method)
      const watched: Method = function (...given) {
        if (sites.#isDue(site)) return fail ? fail(() => original.apply(this, given), sites.#thrown) : sites.#fail(site)
        const result = original.apply(this, given)
        if (result instanceof Promise) sites.#promising.add(site)
        follow(method, result)
        return result
      }
      Object.defineProperty(part, method, { value: watched, configurable: true, writable: true })
      this.#restores.push(() => restore(part, method, had))
    }
    return part
  }

  /** Restores all watched objects. */
  stop(): void {
    for (const undo of this.#restores.reverse()) undo()
  }

  #isDue(site: string): boolean {
    if (!this.#inRequest.getStore()) return false
    this.passed.push(site)
    this.#left -= 1
    if (this.#left !== 0) return false
    this.failed = site
    return true
  }

  #fail(site: string): Promise<never> {
    if (this.#thrown instanceof Error || !this.#promising.has(site)) throw this.#thrown
    return Promise.reject(this.#thrown)
  }
}

function methodsOf(part: object): Map<string, Method> {
  const methods = new Map<string, Method>()
  for (let level = part; level && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value === 'function' && !methods.has(name) && !ENDS.includes(name)) methods.set(name, value)
    }
  }
  return methods
}

function restore(part: object, method: string, had: PropertyDescriptor | undefined): void {
  if (had) Object.defineProperty(part, method, had)
  else delete (part as Record<string, unknown>)[method]
}
