// Preloaded in a job process. The permission model of Node.js still allows network access, and imports of code from
// data: URLs. This module blocks both for the program and for everything that it loads.
import { isBuiltin, registerHooks } from 'node:module'

/** Blocked modules. The permission model already blocks child processes and worker threads. */
const BLOCKED = new Set(['cluster', 'dgram', 'dns', 'http', 'http2', 'https', 'inspector', 'net', 'repl', 'tls'])

function isBlocked(name: string): boolean {
  const [first = ''] = name.replace(/^node:/, '').split('/')
  return BLOCKED.has(first)
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isFile = found.url.startsWith('file:')
    if (isFile || (isBuiltin(found.url) && !isBlocked(found.url))) return found
    throw new Error(`${specifier} is not there for a job`)
  },
})

const { getBuiltinModule } = process
Object.assign(process, {
  getBuiltinModule: (name: string) => (isBlocked(name) ? undefined : getBuiltinModule(name)),
  binding: undefined,
})
Object.assign(globalThis, { fetch: undefined, WebSocket: undefined, EventSource: undefined })
