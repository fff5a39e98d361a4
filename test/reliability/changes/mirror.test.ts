// M1: a consumer that knows only HTTP has every change, once: eight clients write and the service is killed meanwhile;
// at the end the copies equal the collections, byte for byte.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { MIRRORED, Mirror, NDJSON, NUMBER_HEADER, type Read } from '../../support/changes/mirror.ts'
import { RemovingClient } from '../../support/changes/removing-client.ts'
import { emptyLocation } from '../../support/data-location.ts'
import { killAll } from '../../support/deployments.ts'
import { call, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { firstOf, IS_FULL, randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'
import { CrashRun } from '../durability/crash/crash-run.ts'

const KILLS = triesOf({ long: 1, full: 200 })
/** The delay of a kill after the service is ready. */
const KILL_MS = [100, 900] as const
const COMPANIES = ['EN', 'SE']
const BUSY_WITHIN_MS = 120_000
/** Changes that the consumers have before the kill, at least. */
const TOLD_IN_ROUND = 40
/** Seconds that a consumer waits for a change: the service is killed in the middle of it. */
const WAIT_S = 5

interface Deployed {
  readonly title: string
  readonly kind: 'sqlite' | 'postgres'
  readonly services: number
  readonly more: readonly string[]
  readonly isShort: boolean
}

const DEPLOYED: readonly Deployed[] = [
  { title: 'SQLite', kind: 'sqlite', services: 1, more: [], isShort: false },
  { title: 'SQLite with two workers', kind: 'sqlite', services: 1, more: ['--workers', '2'], isShort: true },
  { title: 'PostgreSQL', kind: 'postgres', services: 1, more: [], isShort: false },
  { title: 'PostgreSQL with two services', kind: 'postgres', services: 2, more: [], isShort: true },
]

const deployments = DEPLOYED.filter(({ kind, isShort }) => STORE_KINDS.includes(kind) && (isShort || IS_FULL))

describe.each(firstOf(deployments))('M1 the mirror of a consumer on $title', (deployed) => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it(
    'M1 equals the collections after kills while 8 clients write',
    async () => {
      await reliabilityTest('M1', `a consumer of the feed misses and repeats nothing, on ${deployed.title}`, () =>
        mirrored(deployed, folder.path),
      )
    },
    600_000 + KILLS * 10_000,
  )
})

async function mirrored(deployed: Deployed, folder: string): Promise<string> {
  const place = await emptyLocation(deployed.kind, join(folder, 'data'))
  const crash = await CrashRun.begin(place, twoCompanies(folder))
  const removing = COMPANIES.map((companyId, at) => new RemovingClient(companyId, `R${at}`))
  const mirrors = COMPANIES.flatMap((companyId) => MIRRORED.map((entity) => new Mirror(companyId, entity)))
  const random = randomNumbers(SEED)
  const start = () => startAll(deployed, place.flags, folder)
  for (let round = 0; round < KILLS; round++) {
    const services = await start()
    const [first = '', second = first] = services.map(({ address }) => address)
    let isOver = false
    const writing = [
      crash.write(first, () => isOver),
      ...removing.map((client) => client.write(second, () => isOver)),
      ...mirrors.map((mirror) => followWhile(mirror, readerOf(second), () => !isOver)),
    ]
    const enough = toldBy(mirrors) + TOLD_IN_ROUND
    const isBusy = () => mirrors.every(({ isLoaded }) => isLoaded) && toldBy(mirrors) >= enough
    await vi.waitUntil(isBusy, { timeout: BUSY_WITHIN_MS, interval: 5 })
    await new Promise((resume) => setTimeout(resume, KILL_MS[0] + random() * (KILL_MS[1] - KILL_MS[0])))
    isOver = true
    await killAll(services)
    await Promise.all(writing)
    expect({ round, refused: removing.flatMap(({ refused }) => refused) }).toEqual({ round, refused: [] })
  }
  const services = await start()
  try {
    const read = readerOf(services.at(-1)?.address ?? '')
    for (const mirror of mirrors) {
      if (!mirror.isLoaded) await mirror.load(read)
      while (!(await mirror.follow(read)));
      expect(await mirror.differences(read)).toEqual([])
    }
  } finally {
    await killAll(services)
  }
  const told = toldBy(mirrors)
  return `${KILLS} kills, ${crash.acknowledged} writes of 8 clients and those of ${removing.length} more, ${told} changes`
}

function toldBy(mirrors: readonly Mirror[]): number {
  return mirrors.reduce((sum, mirror) => sum + mirror.told, 0)
}

/** Answers that are cut off or refused while the service ends are no faults; what the consumer finds in one is. */
async function followWhile(mirror: Mirror, read: Read, isOn: () => boolean): Promise<void> {
  while (isOn()) {
    try {
      if (mirror.isLoaded) await mirror.follow(read, WAIT_S)
      else await mirror.load(read)
    } catch (error) {
      const { message, cause } = error as Error
      const isOutage = cause !== undefined || /fetch failed|terminated|: 503 |was cut off/.test(message)
      if (isOn() && !isOutage) throw error
      if (!isOutage && /a double/.test(message)) throw error
    }
  }
}

function readerOf(address: string): Read {
  return async (path) => {
    const { status, text, headers } = await call(address + path, { headers: NDJSON })
    return { status, text, changeNumber: headers.get(NUMBER_HEADER) ?? '' }
  }
}

/** Several services on one database share the keys and the files. */
async function startAll({ services, more }: Deployed, flags: readonly string[], folder: string): Promise<Serving[]> {
  const first = await serve([...flags, ...more])
  if (services === 1) return [first]
  const data = join(folder, 'data')
  const shared = ['--keys', join(data, 'keys.json'), '--files', join(data, 'files')]
  const own = flags.map((flag) => (flag === data ? join(folder, 'second') : flag))
  return [first, await serve([...own, ...shared, ...more])]
}

/** The setup of the crash tests, with a second company of the same kind. */
function twoCompanies(folder: string): string {
  const setup = parse(readFileSync('test/fixtures/crash.yaml', 'utf8')) as {
    companies: Record<string, unknown>[]
    users: { roles: Record<string, string[]> }[]
  }
  setup.companies.push({ ...setup.companies[0], id: 'SE', name: 'Example Svea AB' })
  for (const user of setup.users) user.roles.SE = user.roles.EN ?? []
  const file = join(folder, 'two-companies.yaml')
  writeFileSync(file, stringify(setup, { aliasDuplicateObjects: false }))
  return file
}
