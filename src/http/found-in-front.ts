// What was found out about a request before the framework had it: nothing of it is found out again.
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/caller.ts'

export interface FoundInFront {
  readonly caller: Caller
  /** Under which its answer is kept. */
  readonly key: string
}

const FOUND = Symbol('found in front')
type Request = IncomingMessage & { [FOUND]?: FoundInFront }

export function keepFound(request: IncomingMessage, found: FoundInFront): void {
  ;(request as Request)[FOUND] = found
}

/** Nothing of a request that did not come in front, or not as a plain read. */
export function foundInFront(request: IncomingMessage): FoundInFront | undefined {
  return (request as Request)[FOUND]
}
