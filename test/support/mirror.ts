// A company that fills itself from an ERP, and the ERP.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'yaml'
import { discover } from '../../src/mirror/discover/discover.ts'
import { mirrorSetup } from '../../src/mirror/discover/mirror-setup.ts'
import { ErpSource } from '../../src/mirror/source/source.ts'
import type { SourceSetup } from '../../src/setup/file/source-schema.ts'
import { sourceRules } from '../../src/setup/rules/source.ts'
import { hashOf } from './erp/canonical.ts'
import { Erp, type ErpOptions } from './erp/erp.ts'
import { ErpServer } from './erp/server.ts'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import { type StoreKind, startWorld, type World } from './world.ts'

/** The environment of every mirror of a test. */
export const CREDENTIALS = { ERP_CLIENT: 'mirror', ERP_SECRET: 'mirror-secret' }
/** Who signs in to the console. */
export const PERSON = { user: 'anna', password: PASSWORD } as const
/** Nobody signs in with it. */
const NO_SECRET = 'scrypt$16384$8$1$c2FsdA==$AAAA'

export interface MirrorOptions {
  readonly erp?: Partial<ErpOptions>
  readonly source?: Partial<SourceSetup>
  /** Documents that are named, because the source lists none. */
  readonly wanted?: readonly string[]
  /** Changes the setup that was discovered. */
  readonly change?: (setup: string) => string
}

export interface MirrorWorld {
  readonly erp: Erp
  readonly world: World
  readonly url: string
  /** The setup that was discovered. */
  readonly setup: string
  /** The documents that are mirrored. */
  readonly names: readonly string[]
  /** Resolves when the condition holds. */
  until(what: string, condition: () => Promise<boolean> | boolean): Promise<void>
  /** The same, where the mirror has to look for removed records for that. */
  untilSwept(what: string, condition: () => Promise<boolean>): Promise<void>
  /** Resolves when every document is complete. */
  loaded(): Promise<void>
  /** The records of a document here, with all that the ERP has of them. */
  rows(name: string): Promise<Row[]>
  /** What is different here from the ERP: the names of documents. */
  differences(names?: readonly string[]): Promise<string[]>
  /** Resolves when nothing is different, and lets the mirror look for changes until then. */
  same(names?: readonly string[]): Promise<void>
  status(name: string): Promise<Row>
  /** The time of the service. */
  now(): number
  /** Lets time pass for the service. */
  advance(ms: number): void
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of any shape.
type Row = any

export async function startMirror(
  kind: StoreKind,
  { erp: options, source: further, wanted, change = (text) => text }: MirrorOptions = {},
): Promise<MirrorWorld> {
  Object.assign(process.env, CREDENTIALS)
  const erp = new Erp({ seed: 7, quotas: false, ...options })
  const server = new ErpServer(erp)
  const url = await server.start()
  const setup = change(await setupOf(url, further, wanted))
  const folder = mkdtempSync(join(tmpdir(), 'mirror-'))
  const file = join(folder, 'mirror.yaml')
  writeFileSync(file, setup)
  const time = new PassedTime()
  const { sleep } = time
  const world = await startWorld(kind, file, '', { clock: () => new Date(time.now()), sleep, isOnly: true })
  await world.application.enterService()
  world.application.mirrors.start()
  const { names, paths } = documentsOf(erp, setup)
  const until: MirrorWorld['until'] = async (what, condition) => {
    const end = performance.now() + PATIENCE_MS
    while (!(await condition())) {
      if (performance.now() > end)
        throw new Error(`${what}: ${JSON.stringify((await status(world)).documents, null, 1)}\n${failuresIn(world)}`)
      await delay(20)
    }
  }
  const rows: MirrorWorld['rows'] = async (name) => {
    const answer = await world.send({ as: 'programs', url: paths.get(name) ?? '' })
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const differences: MirrorWorld['differences'] = async (some = names) => differencesFrom(erp, some, rows)
  const same: MirrorWorld['same'] = (wanted = names) => {
    let left = wanted
    return until('the mirror is as its source', async () => {
      const isOfAll = left === wanted
      left = await differences(left)
      if (left.length > 0) time.advance(FOLLOW_MS)
      else if (!isOfAll) left = wanted
      return left.length === 0
    })
  }
  const advance: MirrorWorld['advance'] = (ms) => {
    time.advance(ms)
    world.forgetTokens()
  }
  const untilSwept: MirrorWorld['untilSwept'] = (what, condition) => {
    let again = 0
    return until(what, () => {
      // A look that was under way before may put off the next one.
      if (performance.now() > again) {
        advance(SWEEP_MS)
        again = performance.now() + SWEEP_AGAIN_MS
      }
      return condition()
    })
  }
  return {
    now: () => time.now(),
    ...{ erp, world, url, setup, until, untilSwept, rows, differences, same, advance, names },
    status: async (name) => (await status(world)).documents.find((one: Row) => one.name === name),
    loaded: () =>
      until('all documents are loaded', async () => {
        const { documents } = await status(world)
        return documents?.length > 0 && documents.every(({ phase }: Row) => phase !== 'loading')
      }),
    stop: async () => {
      await world.stop()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The time of the machine, of which a test lets more pass: whoever sleeps until then wakes. */
class PassedTime {
  #passedMs = 0
  readonly #sleepers = new Set<() => void>()

  now(): number {
    return Date.now() + this.#passedMs
  }

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    const until = this.now() + ms
    const woken = new AbortController()
    const wake = () => this.now() >= until && woken.abort()
    this.#sleepers.add(wake)
    const ending = AbortSignal.any([woken.signal, ...(signal ? [signal] : [])])
    return delay(ms, undefined, { ref: false, signal: ending })
      .catch(() => signal?.throwIfAborted())
      .finally(() => this.#sleepers.delete(wake))
  }

  advance(ms: number): void {
    this.#passedMs += ms
    for (const wake of this.#sleepers) wake()
  }
}

const LEDGER = 'general-ledger-transactions'

/** The documents that a setup mirrors, and where each is read with all that the ERP has of it. */
export function documentsOf(erp: Erp, setup: string) {
  const { companies, documents = [] } = parse(setup)
  const names = companies[0].source.documents as string[]
  const paths = names.map((name): [string, string] => {
    const { version = 1 } = documents.find((one: Row) => one.name === name) ?? {}
    const states = name === LEDGER ? '&posted=true&registered=true&historical=true' : ''
    const select = Object.keys(erp.kind(name).shape).join(',')
    return [name, `/v${version}/objects/${name}?companyId=EN&limit=50000&select=${select}${states}`]
  })
  return { names, paths: new Map(paths) }
}

/** Those of the documents whose rows are other ones than those of the ERP. */
export async function differencesFrom(
  erp: Erp,
  names: readonly string[],
  rows: (name: string) => Promise<Row[]>,
): Promise<string[]> {
  const found = names.map(async (name) => {
    const without = hasStamps(erp, name) ? [] : ['lastUpdated']
    return hashOf(erp.kind(name), await rows(name), without) === erp.hash(name, { without }) ? [] : [name]
  })
  return (await Promise.all(found)).flat()
}

function hasStamps(erp: Erp, name: string): boolean {
  return 'lastUpdated' in erp.kind(name).shape
}

/** Errors of the service itself, of which its answers say nothing. */
function failuresIn({ observed }: World): string {
  return observed.flatMap((one) => (one.kind === 'mirror-failed' ? [String(one.error)] : [])).join('\n')
}

/** How often these mirrors look for changes. */
const FOLLOW_MS = 1_000
/** Longer than between two looks for removed records, where the setup says ten minutes. */
const SWEEP_MS = 660_000
const SWEEP_AGAIN_MS = 2_000
/** No condition takes as long, on any machine. */
const PATIENCE_MS = 180_000

async function status(world: World): Promise<Row> {
  return (await world.send({ as: 'programs', url: '/v1/mirror?companyId=EN' })).json
}

/** What is discovered of the ERP at an address, for a mirror that looks for changes each second. */
export function setupOf(url: string, further: Partial<SourceSetup> = {}, wanted?: readonly string[]): Promise<string> {
  const source = { url, clientIdEnv: 'ERP_CLIENT', secretEnv: 'ERP_SECRET', tokenUrl: `${url}/oauth/token`, follow: 1 }
  // A mirror that looks for changes each second would use up its share, and wait for a minute.
  return discoveredSetup({ ...source, requestsPerMinute: 1_000_000, ...further }, wanted)
}

/** The secret of the other tests: that of the mirror's own setup is known to nobody. */
export function withSecret(setup: string): string {
  return setup.replace(/(user: svc-programs\n +)secretHash: .*/, '$1secretEnv: TEST_CLIENT_SECRET')
}

async function discoveredSetup(setup: SourceSetup, wanted?: readonly string[]): Promise<string> {
  const sleep = async (ms: number, signal?: AbortSignal) => {
    await delay(ms, undefined, signal ? { signal } : {})
  }
  const source = new ErpSource({ rules: sourceRules(setup, 'EN'), environment: process.env, now: Date.now, sleep })
  const readers = { person: PERSON.user, passwordHash: PASSWORD_HASH, client: 'programs', secretHash: NO_SECRET }
  return mirrorSetup(await discover(source, wanted), setup, readers)
}
