// The guarded floor: Fastify with a cached verified token before the same handlers.
import { readFileSync } from 'node:fs'
import fastify, { type FastifyReply } from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { type Answer, headersOf } from './handler.ts'
import { floorHandlers } from './handlers.ts'

const keys = createLocalJWKSet(JSON.parse(readFileSync(process.argv[4] ?? '', 'utf8')))
/** Header -> when its token ends, in milliseconds. */
const verified = new Map<string, number>()

const MOST_BYTES = 4 * 1024 * 1024
const NO_BYTES = Buffer.alloc(0)

const app = fastify({ exposeHeadRoutes: false, bodyLimit: MOST_BYTES })
const TYPES = ['application/json', 'multipart/form-data']
app.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.addHook('onRequest', (request, reply, done) => {
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
})

for (const { method, path, segments, answer } of floorHandlers()) {
  const names = Array.from({ length: segments }, (_, at) => `p${at}`)
  app.route({
    method,
    url: [path, ...names.map((name) => `:${name}`)].join('/'),
    handler: (request, reply) => {
      const given = names.map((name) => (request.params as Record<string, string>)[name] ?? '')
      const bytes = (request.body as Buffer | undefined) ?? NO_BYTES
      const answered = answer(given, { type: request.headers['content-type'] ?? '', bytes })
      if (answered instanceof Promise) answered.then((later) => send(reply, later))
      else send(reply, answered)
    },
  })
}

function send(reply: FastifyReply, answer: Answer): void {
  reply
    .code(answer.status)
    .headers(headersOf(answer))
    .send(answer.stream ?? answer.text)
}

process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
