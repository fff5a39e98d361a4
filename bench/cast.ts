// The measured subjects: the service and the floors, each a process with its own copy of the same records.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE, SETUP } from './place.ts'
import { copyFloor, copyService, type Seed } from './seed/seed.ts'
import { Subject } from './subject.ts'

export const GUARDED = 'guarded floor'
export const BARE = 'bare floor'
export const RELAXED = 'guarded floor, synchronous=NORMAL'
export const SERVED = 'service'

/** The floors: name, program and its synchronous setting. */
const FLOORS = [
  [GUARDED, 'floors/guarded.ts', 'FULL'],
  [BARE, 'floors/bare.ts', 'FULL'],
  [RELAXED, 'floors/guarded.ts', 'NORMAL'],
] as const

export interface Cast {
  readonly subjects: readonly Subject[]
  readonly token: string
  /** The service's data folder. */
  readonly data: string
}

export const BENCH_SECRET = 'the secret of the benchmark'

/** The Node.js flags that make a process write a profile. */
export type ProfileFlags = (subject: string) => readonly string[]

/** Starts the service and the wanted floors on copies in `folder`. */
export async function startCast(
  folder: string,
  seed: Seed,
  isWanted: (name: string) => boolean,
  profile: ProfileFlags,
): Promise<Cast> {
  const data = copyService(seed, join(folder, 'service'))
  // One worker, because each floor is a single process.
  const service = await startService(data, ['--workers', '1'], profile(SERVED))
  const token = await tokenOf(service)
  const keys = await publishedKeys(service, folder)
  const subjects = [service]
  for (const floor of FLOORS.filter(([name]) => isWanted(name))) {
    subjects.push(await startFloor(folder, seed, floor, keys, profile(floor[0])))
  }
  return { subjects, token, data }
}

type Floor = (typeof FLOORS)[number]

function startFloor(
  folder: string,
  seed: Seed,
  [name, program, synchronous]: Floor,
  keys: string,
  flags: readonly string[] = [],
): Promise<Subject> {
  const file = copyFloor(seed, join(folder, `${name.replaceAll(/\W+/g, '-')}.db`))
  return Subject.start(name, [...flags, new URL(program, import.meta.url).pathname, file, synchronous, keys])
}

/** Starts only the guarded floor, beside a running service. */
export async function startGuardedFloor(folder: string, seed: Seed, service: Subject): Promise<Subject> {
  return startFloor(folder, seed, FLOORS[0], await publishedKeys(service, folder))
}

/** Saves the public keys that verify the service's tokens, and returns the file. */
export async function publishedKeys({ address }: Subject, folder: string): Promise<string> {
  const file = join(folder, 'published-keys.json')
  writeFileSync(file, await (await fetch(`${address}/.well-known/jwks.json`)).text())
  return file
}

/** Starts the service on a data folder, with extra settings and flags of Node.js; `helper` as in `Subject.start`. */
export function startService(
  data: string,
  settings: readonly string[] = [],
  flags: readonly string[] = [],
  helper?: number,
): Promise<Subject> {
  const serve = ['serve', '--port', '0', '--data', data, '--setup', SETUP, '--log-level', 'error', ...settings]
  return Subject.start(SERVED, [...flags, SERVICE, ...serve], { BENCH_SECRET }, helper)
}

export async function tokenOf(service: Subject, client = 'bench'): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: BENCH_SECRET }
  const answer = await fetch(`${service.address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token: string }).access_token
}
