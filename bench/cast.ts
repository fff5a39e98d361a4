// Who is measured: the service and the floors, each a process with a data file of its own, all with the same records.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seed } from './seed.ts'
import { Subject } from './subject.ts'

/** The floors: name, program, and whether writes that arrive together share a commit. */
const FLOORS = [
  ['guarded floor', 'floor-guarded.ts', 'shared'],
  ['bare floor', 'floor-bare.ts', 'shared'],
  ['guarded floor, one commit each', 'floor-guarded.ts', 'each'],
  ['bare floor, one commit each', 'floor-bare.ts', 'each'],
] as const

export interface Cast {
  readonly subjects: readonly Subject[]
  readonly token: string
}

const BENCH_SECRET = 'the secret of the benchmark'

const here = (name: string): string => new URL(name, import.meta.url).pathname

/** The node flags that make a process leave a profile. */
export type ProfileFlags = (subject: string) => readonly string[]

/** Starts everyone on fresh data in `folder`; `wanted` picks the floors by parts of their names, none being all. */
export async function startCast(folder: string, wanted: readonly string[], profile: ProfileFlags): Promise<Cast> {
  const floors = FLOORS.filter(([name]) => isWanted(name, wanted))
  const fileOf = (name: string) => join(folder, `${name.replaceAll(/\W+/g, '-')}.db`)
  // The service makes its schema, then gives the file up to be filled and copied.
  await (await startService(folder, [])).stop()
  seed(
    folder,
    floors.map(([name]) => fileOf(name)),
  )

  const service = await startService(folder, profile('service'))
  const keys = join(folder, 'published-keys.json')
  writeFileSync(keys, await (await fetch(`${service.address}/.well-known/jwks.json`)).text())
  const subjects = isWanted(service.name, wanted) ? [service] : []
  for (const [name, program, mode] of floors) {
    subjects.push(await Subject.start(name, [...profile(name), here(program), fileOf(name), mode, keys]))
  }
  return { subjects, token: await tokenOf(service) }
}

/** `guarded` is the guarded floor alone; the ones that commit each write for itself are asked for by `each`. */
function isWanted(name: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((part) => name === part || name === `${part} floor` || name.endsWith(part))
}

function startService(folder: string, flags: readonly string[]): Promise<Subject> {
  return serviceOn(folder, [], flags)
}

/** The service on data in a folder, with settings of its own and flags of Node.js. */
export function serviceOn(
  folder: string,
  settings: readonly string[],
  flags: readonly string[] = [],
): Promise<Subject> {
  const program = new URL('../src/main.ts', import.meta.url).pathname
  const serve = ['serve', '--port', '0', '--data', folder, '--setup', here('company.yaml'), '--log-level', 'error']
  return Subject.start('service', [...flags, program, ...serve, ...settings], { BENCH_SECRET })
}

export async function tokenOf(service: Subject): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'bench', client_secret: BENCH_SECRET }
  const answer = await fetch(`${service.address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token: string }).access_token
}
