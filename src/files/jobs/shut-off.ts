// Loaded in a job process before its program. Node.js lets a process that may read and write nothing still use the network,
// and run texts that come as an address: neither is there for the program, nor for what it loads.
import { isBuiltin, registerHooks } from 'node:module'

/** Programs and threads are refused by Node.js itself. */
const SHUT = new Set(['cluster', 'dgram', 'dns', 'http', 'http2', 'https', 'inspector', 'net', 'repl', 'tls'])

function isShut(name: string): boolean {
  const [first = ''] = name.replace(/^node:/, '').split('/')
  return SHUT.has(first)
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isFile = found.url.startsWith('file:')
    if (isFile || (isBuiltin(found.url) && !isShut(found.url))) return found
    throw new Error(`${specifier} is not there for a job`)
  },
})

const { getBuiltinModule } = process
Object.assign(process, {
  getBuiltinModule: (name: string) => (isShut(name) ? undefined : getBuiltinModule(name)),
  binding: undefined,
})
Object.assign(globalThis, { fetch: undefined, WebSocket: undefined, EventSource: undefined })
