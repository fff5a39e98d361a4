// The guarded floor: Fastify with a cached verified token before the same handlers.
import { readFileSync } from 'node:fs'
import fastify, { type FastifyReply } from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { type Answer, COUNT_HEADER, JSON_TYPE } from './handler.ts'
import { floorHandlers } from './handlers.ts'

const keys = createLocalJWKSet(JSON.parse(readFileSync(process.argv[4] ?? '', 'utf8')))
/** Header -> when its token ends, in milliseconds. */
const verified = new Map<string, number>()

const app = fastify({ exposeHeadRoutes: false })
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
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
      const answered = answer(given, (request.body as string | undefined) ?? '')
      if (answered instanceof Promise) answered.then((later) => send(reply, later))
      else send(reply, answered)
    },
  })
}

function send(reply: FastifyReply, { status, text, count }: Answer): void {
  if (count !== undefined) reply.header(COUNT_HEADER, count)
  reply.code(status).header('content-type', JSON_TYPE).send(text)
}

process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
