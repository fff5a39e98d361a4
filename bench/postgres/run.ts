// `npm run bench:postgres`: measures the same queries on PostgreSQL, and on a floor of `pg` with plain SQL on one pool.
// The database comes from npm and is cached between runs. Flags as in bench/run.ts.
import { join } from 'node:path'
import { type Cast, GUARDED, publishedKeys, startService, tokenOf } from '../cast.ts'
import { copy } from '../copy.ts'
import type { Figure } from '../figure.ts'
import { isChanged, machine, source } from '../machine.ts'
import { measureRow } from '../measure-row.ts'
import { DATA, runFolder } from '../place.ts'
import { QUESTIONS } from '../questions/all.ts'
import { type Row, report } from '../report.ts'
import type { Imported } from '../seed/import-records.ts'
import { readSettings, type Settings } from '../settings.ts'
import { Subject } from '../subject.ts'
import { figureOf } from '../trials/import.ts'
import { measureParquet, PARQUET } from '../trials/parquet.ts'
import { reading } from '../workloads/workload.ts'
import { writes } from '../workloads/writes.ts'
import { FLOOR_SEED, type PostgresSeed, postgresSeedOf, SERVICE_SEED } from './seed.ts'
import { addressOf, type Server, startServer } from './server.ts'

const SERVICE_DATABASE = 'service_run'
const FLOOR_DATABASE = 'floor_run'

async function run(folder: string, settings: Settings): Promise<void> {
  if (settings.isWritten && isChanged()) throw new Error('--write needs a clean tree: figures are those of one commit')
  const described = machine()
  const seed = await postgresSeedOf(settings.scale, folder, settings.isWritten ? source() : '')
  const server = await startServer(seed.cluster, false)
  try {
    await copyDatabases(server)
    const cast = await startPostgresCast(folder, seed, server)
    const rows = await measureRows(cast, settings)
    const [service] = cast.subjects
    const files =
      service && settings.isWanted(PARQUET) ? await measureParquet(service, cast.token, settings.rounds) : []
    await Promise.all(cast.subjects.map((subject) => subject.stop()))
    await dropCopies(server)
    const figures = seed.source === source() ? seed.imported.flatMap((one) => figuresOf(one, seed)) : []
    const parquet = files.map((one) => ({ ...one, work: `${one.work}, on PostgreSQL` }))
    const results = { rows, figures: [...figures, ...parquet], machine: described }
    report(results, join(DATA, 'bench-postgres-results.json'), ['table on PostgreSQL'], settings.isWritten)
  } finally {
    await server.stop()
  }
}

/** The speed of an import, and as a share of that of `COPY`. */
function figuresOf(imported: Imported, { copied }: PostgresSeed): Figure[] {
  const document = `${imported.document} into PostgreSQL`
  const figure = figureOf({ ...imported, document })
  const { rowsPerSecond = 0 } = copied.find((one) => one.document === imported.document) ?? {}
  const beside = `${Math.round(rowsPerSecond).toLocaleString('en')} rows/s by COPY`
  const share = imported.rowsPerSecond / rowsPerSecond
  return [figure, { work: `${figure.work}, beside COPY`, rounds: [share], unit: 'times', beside }]
}

async function measureRows(cast: Cast, settings: Settings): Promise<Row[]> {
  const { scale, isWanted } = settings
  const all = [...QUESTIONS.map((question) => reading(question, scale)), ...writes(scale)]
  const rows: Row[] = []
  for (const workload of all) if (isWanted(workload.name)) rows.push(await measureRow(workload, cast, settings))
  return rows
}

async function copyDatabases(server: Server): Promise<void> {
  await dropCopies(server)
  for (const [copy, seed] of [
    [SERVICE_DATABASE, SERVICE_SEED],
    [FLOOR_DATABASE, FLOOR_SEED],
  ]) {
    await server.administer(`create database ${copy} owner bench template ${seed} strategy file_copy`)
  }
}

function dropCopies(server: Server): Promise<void> {
  const names = [SERVICE_DATABASE, FLOOR_DATABASE]
  return server.administer(...names.map((name) => `drop database if exists ${name} with (force)`))
}

async function startPostgresCast(folder: string, seed: PostgresSeed, { processId }: Server): Promise<Cast> {
  const data = copy(seed.data, join(folder, 'service'))
  const settings = ['--database', addressOf(SERVICE_DATABASE), '--workers', '1']
  const service = await startService(data, settings, [], processId)
  const keys = await publishedKeys(service, folder)
  const program = new URL('floor.ts', import.meta.url).pathname
  const floor = await Subject.start(GUARDED, [program, addressOf(FLOOR_DATABASE), keys], {}, processId)
  return { subjects: [service, floor], token: await tokenOf(service), data }
}

await run(runFolder(), readSettings(process.argv.slice(2)))
process.exit()
