// The guarded floor: Fastify with a cached verified token before the same work.
import fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { floorArguments, openFloor } from './floor.ts'

const { file, shared, keys } = floorArguments()
const floor = openFloor(file, shared)
const keySet = createLocalJWKSet(JSON.parse(keys))
const verified = new Map<string, unknown>()

const app = fastify()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
app.addHook('onRequest', (request, reply, done) => {
  const header = request.headers.authorization ?? ''
  if (verified.has(header)) {
    done()
    return
  }
  jwtVerify(header.slice('Bearer '.length), keySet).then(
    ({ payload }) => {
      verified.set(header, payload)
      done()
    },
    () => reply.code(401).send(),
  )
})

const JSON_TYPE = 'application/json; charset=utf-8'
type Key = { attributeId: string; attributeValue: string; periodFrom: string }

app.get('/v1/attribute-values/:attributeId/:attributeValue/:periodFrom', (request, reply) => {
  reply.header('content-type', JSON_TYPE).send(floor.single((request.params as Key).attributeValue))
})
app.get('/v1/attribute-values/:attributeId', (request, reply) => {
  const url = request.raw.url ?? ''
  reply.header('content-type', JSON_TYPE).send(floor.collection(url.slice(url.indexOf('?') + 1)))
})
app.get('/v1/customers/:customerId', (request, reply) => {
  const { customerId } = request.params as { customerId: string }
  reply.header('content-type', JSON_TYPE).send(floor.customer(customerId))
})
app.get('/v1/objects/:document', (request, reply) => {
  const url = request.raw.url ?? ''
  if (request.headers.accept === 'application/x-ndjson') {
    reply.hijack()
    floor.exported(url, reply.raw)
    return
  }
  reply.header('content-type', JSON_TYPE).send(floor.document(url))
})
app.post('/v1/attribute-values', async (request, reply) => {
  const text = await floor.create(request.body as string)
  return reply.code(201).header('content-type', JSON_TYPE).send(text)
})
app.patch('/v1/attribute-values/:attributeId/:attributeValue/:periodFrom', async (request, reply) => {
  const text = await floor.patch((request.params as Key).attributeValue, request.body as string)
  return reply.header('content-type', JSON_TYPE).send(text)
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listening on ${address}\n`)
