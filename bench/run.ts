// `npm run bench`: measures the service and hand-written floors in one run, in turn, so that other load of the machine
// cancels out. Flags (settings.ts): --quick for a twentieth of the data and short times, --only ledger,post (parts of
// names), --subjects guarded, --seconds 5 --warm-up 2 --rounds 3, --large for a start on ten million lines, --profile for
// processor profiles, --write for the page.
import { join } from 'node:path'
import { type Cast, type ProfileFlags, startCast } from './cast.ts'
import { type Figure, tried } from './figure.ts'
import { isChanged, machine } from './machine.ts'
import { measureRow } from './measure-row.ts'
import { DATA, runFolder } from './place.ts'
import { LARGE } from './records/scale.ts'
import { type Row, report } from './report.ts'
import { copyService, type Seed, seedOf } from './seed/seed.ts'
import { readSettings, type Settings } from './settings.ts'
import { CHANGES, measureChanges } from './trials/changes.ts'
import { measureExports } from './trials/exports.ts'
import { measureImport } from './trials/import.ts'
import { memoryOf } from './trials/memory.ts'
import { measureOrders, ORDERS } from './trials/orders.ts'
import { measureOwn, OWN } from './trials/own.ts'
import { measureParquet, PARQUET } from './trials/parquet.ts'
import { measureSearched, SEARCHED } from './trials/searched.ts'
import { measureLargeStart, measureStart } from './trials/start.ts'
import { measureWorkers } from './trials/workers.ts'
import { workloads } from './workloads/all.ts'

/** The start of the names of their figures. */
const EXPORT = 'export of the ledger'
const WORKERS = 'two workers beside one'
const START = 'ready after start'
const IMPORT = 'import of'

async function run(folder: string, settings: Settings): Promise<void> {
  if (settings.isWritten && isChanged()) throw new Error('--write needs a clean tree: figures are those of one commit')
  const profile = (name: string) =>
    settings.isProfiled
      ? ['--cpu-prof', `--cpu-prof-dir=${DATA}`, `--cpu-prof-name=${name.replaceAll(/\W+/g, '-')}.cpuprofile`]
      : []
  const described = machine()
  const seed = await seedOf(settings.scale, folder)
  const { rows, figures, data } = await besideFloors(folder, seed, settings, profile)
  if (settings.isWanted(SEARCHED)) rows.push(await measureSearched(join(folder, 'searched'), seed, settings))
  figures.push(...(await ofTheServiceAlone(folder, seed, data, settings)))
  const file = join(DATA, 'bench-results.json')
  report({ rows, figures, machine: described }, file, ['table', 'promises', 'figures'], settings.isWritten)
}

async function besideFloors(folder: string, seed: Seed, settings: Settings, profile: ProfileFlags) {
  const { isWanted, rounds, scale } = settings
  const wanted = workloads(scale).filter(({ name }) => isWanted(name))
  const cast: Cast = await startCast(folder, seed, settings.isSubject, profile)
  const rows: Row[] = []
  for (const workload of wanted) rows.push(await measureRow(workload, cast, settings))
  const figures: Figure[] = []
  if (isWanted(EXPORT)) figures.push(...(await tried(EXPORT, () => measureExports(cast, rounds))))
  const [service] = cast.subjects
  if (service && isWanted(PARQUET)) {
    figures.push(...(await tried(PARQUET, () => measureParquet(service, cast.token, rounds))))
  }
  if (isWanted('memory of all processes')) figures.push(...cast.subjects.map((subject) => memoryOf(subject)))
  await Promise.all(cast.subjects.map((subject) => subject.stop()))
  return { rows, figures, data: cast.data }
}

/** `data` is a folder that the service has already served. */
async function ofTheServiceAlone(folder: string, seed: Seed, data: string, settings: Settings): Promise<Figure[]> {
  const { isWanted } = settings
  const figures: Figure[] = []
  const add = async (work: string, trial: () => Promise<readonly Figure[]>) =>
    figures.push(...(await tried(work, trial)))
  if (isWanted(WORKERS)) await add(WORKERS, () => measureWorkers(folder, seed, settings))
  if (isWanted(START) || settings.isLarge) await add(START, () => measureStarts(folder, data, settings))
  if (isWanted(CHANGES)) await add(CHANGES, () => measureChanges(folder, seed, settings))
  if (isWanted(OWN)) await add(OWN, () => measureOwn(join(folder, 'own'), seed, settings))
  if (isWanted(ORDERS)) await add(ORDERS, () => measureOrders(join(folder, 'orders'), seed, settings))
  if (isWanted(IMPORT)) await add(IMPORT, () => measureImport(folder, seed))
  return figures
}

async function measureStarts(folder: string, data: string, { isLarge }: Settings): Promise<Figure[]> {
  const start = await measureStart(data)
  if (!isLarge) return [start]
  const large = copyService(await seedOf(LARGE, folder), join(folder, 'large'))
  return [start, await measureLargeStart(large, start)]
}

await run(runFolder(), readSettings(process.argv.slice(2)))
process.exit()
