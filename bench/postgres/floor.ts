// The guarded floor on PostgreSQL. Arguments: the address of the database, the file with the public keys.
import pg from 'pg'
import { answerOf, type Handler, readHandler } from '../floors/handler.ts'
import { serveGuarded } from '../floors/serve-guarded.ts'
import { QUESTIONS } from '../questions/all.ts'
import { readOf } from './floor-reads.ts'
import { writeHandlers } from './floor-writes.ts'

const [database = '', keysFile = ''] = process.argv.slice(2)
const POOL_SIZE = 10

const pool = new pg.Pool({ connectionString: database, max: POOL_SIZE })
const reads = QUESTIONS.map((question): Handler => {
  const read = readOf(pool, question)
  return readHandler(question, async (segments) => answerOf(question, await read(segments)))
})
await serveGuarded([...reads, ...writeHandlers(pool)], keysFile)
