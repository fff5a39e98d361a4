// Fastify with a verified, cached token before the handlers of a floor.
import { readFileSync } from 'node:fs'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { type Answer, type Handler, headersOf } from './handler.ts'

const MOST_BYTES = 4 * 1024 * 1024
const NO_BYTES = Buffer.alloc(0)
const TYPES = ['application/json', 'multipart/form-data']

/** `keysFile` has the public keys that verify tokens. */
export async function serveGuarded(handlers: readonly Handler[], keysFile: string): Promise<void> {
  // A regular exit, so that Node.js writes the profile.
  process.once('SIGINT', () => process.exit(0))
  const app = fastify({ exposeHeadRoutes: false, bodyLimit: MOST_BYTES })
  app.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', verifier(keysFile))
  for (const { method, path, segments, answer } of handlers) {
    const names = Array.from({ length: segments }, (_, at) => `p${at}`)
    app.route({
      method,
      url: [path, ...names.map((name) => `:${name}`)].join('/'),
      handler: (request, reply) => {
        const given = names.map((name) => (request.params as Record<string, string>)[name] ?? '')
        const bytes = (request.body as Buffer | undefined) ?? NO_BYTES
        const answered = answer(given, { type: request.headers['content-type'] ?? '', bytes })
        if (answered instanceof Promise) answered.then((later) => send(reply, later), reply.send.bind(reply))
        else send(reply, answered)
      },
    })
  }
  process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
}

function send(reply: FastifyReply, answer: Answer): void {
  const sent = reply.code(answer.status).headers(headersOf(answer))
  sent.send(answer.stream ?? answer.text)
}

function verifier(keysFile: string) {
  const keys = createLocalJWKSet(JSON.parse(readFileSync(keysFile, 'utf8')))
  /** Header -> expiry of its token, in milliseconds. */
  const verified = new Map<string, number>()
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const header = request.headers.authorization ?? ''
    if ((verified.get(header) ?? 0) > Date.now()) {
      done()
      return
    }
    jwtVerify(header.slice('Bearer '.length), keys).then(
      ({ payload }) => {
        verified.set(header, (payload.exp ?? 0) * 1000)
        done()
      },
      () => reply.code(401).send(),
    )
  }
}
