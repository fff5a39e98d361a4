// The guarded floor on PostgreSQL: Fastify with a cached verified token before `pg` with the service's own SQL.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'
import pg from 'pg'
import { postgresExpressions } from '../../src/store/dialects/postgres/expressions.ts'
import type { CompiledQuery } from '../../src/store/store.ts'
import { documentQuery } from '../service-sql.ts'

const [database = '', keysFile = ''] = process.argv.slice(2)
const POOL_SIZE = 10

const pool = new pg.Pool({
  connectionString: database,
  max: POOL_SIZE,
  onConnect: async (client: pg.ClientBase) => {
    await client.query("select set_config('tabularium.company', 'EN', false)")
  },
} as pg.PoolConfig)
const keySet = createLocalJWKSet(JSON.parse(readFileSync(keysFile, 'utf8')))
const verified = new Set<string>()
const known = new Map<string, CompiledQuery>()

const app = fastify()
app.addHook('onRequest', async (request) => {
  const header = request.headers.authorization ?? ''
  if (verified.has(header)) return
  await jwtVerify(header.slice('Bearer '.length), keySet)
  verified.add(header)
})
app.get('/v1/objects/:document', async (request, reply) => {
  const url = request.raw.url ?? ''
  const query = known.get(url) ?? documentQuery(url, 'array', postgresExpressions)
  known.set(url, query)
  const { rows } = await pool.query({ text: query.text, values: [...query.parameters], rowMode: 'array' })
  return reply.header('content-type', 'application/json; charset=utf-8').send(rows[0]?.[0])
})
process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
