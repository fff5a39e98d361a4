// Node's own HTTP client and server. `import` asks for all that the module exports, and so loads the client of `fetch`
// with it: a tenth of a start, for exports that nobody uses.
export const { Agent, createServer, request } = process.getBuiltinModule('node:http')
