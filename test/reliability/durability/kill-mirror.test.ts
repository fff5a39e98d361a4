// D18: a mirror that is killed at any time of its load, or while it follows, goes on where it was: it has what its source
// has, asks for hardly anything twice, and its feed tells each change once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { MIRRORED, Mirror, NDJSON, NUMBER_HEADER, type Read } from '../../support/changes/mirror.ts'
import { type DataLocation, emptyLocation } from '../../support/data-location.ts'
import { Erp } from '../../support/erp/erp.ts'
import { ErpServer } from '../../support/erp/server.ts'
import { CREDENTIALS, differencesFrom, documentsOf, setupOf, withSecret } from '../../support/mirror.ts'
import { call, kill, run, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { CLIENT_SECRET, STORE_KINDS } from '../../support/world.ts'

/** Rounds, each with a company of its own. */
const ROUNDS = triesOf({ smoke: 1, long: 3, full: 34 })
const KILLS_IN_LOAD = 1
const KILLS_IN_FOLLOW = 5
/** The ERP answers so many rows at most, so that a load takes some hundred requests. */
const PAGE = 20
const SIZES = { ledger: 5_000, customers: 500, values: 500, documents: 20 }
const MOST_REPEATED = 0.05
/** A kill comes as long after a request, at most: while the request is answered, or while its page is written. */
const KILL_MS = 60
/** The service is killed as long after it is ready, while it follows. */
const FOLLOW_MS = 3_000
const WRITE_EVERY_MS = 20
/** A load asks for nothing but what is loaded. */
const NEVER_S = 86_400
/** No load waits for its share. */
const MANY = 100_000
/** Requests that a mirror may have sent since it told last how many. */
const UNTOLD = 20
/** Far more than it takes, also beside other work. */
const PATIENCE = { timeout: 300_000, interval: 10 }
const AUTHORIZATION = `Basic ${Buffer.from(`programs:${CLIENT_SECRET}`).toString('base64')}`
/** Those whose feed is read. */
const ENTITIES = MIRRORED.filter(({ name }) => name !== 'document-archive')

describe.each(STORE_KINDS)('D18 a mirror that is killed, on %s', (kind) => {
  const folder = temporaryFolder()
  const random = randomNumbers(SEED)
  let company: KilledCompany | undefined
  afterAll(async () => {
    await company?.end()
    folder.remove()
  })

  const next = async (name: string) => {
    await company?.end()
    company = await KilledCompany.begin(await emptyLocation(kind, join(folder.path, name)), random)
    return company
  }

  it(
    'D18 is as its source, asks for hardly anything twice, and tells each change once',
    async () => {
      await reliabilityTest('D18', `a killed mirror goes on where it was, on ${kind}`, async () => {
        const without = await (await next('without')).load([])
        const tally = { requests: 0, changes: 0, told: 0 }
        for (let round = 0; round < ROUNDS; round += 1) {
          const one = await next(`round-${round}`)
          const at = Array.from({ length: KILLS_IN_LOAD }, () => 1 + Math.floor(random() * (without - 1)))
          tally.requests += await one.load(at.sort((first, second) => first - second))
          tally.changes += await one.follow(KILLS_IN_FOLLOW)
          tally.told += await one.expectWhole()
        }
        const repeated = tally.requests / (ROUNDS * without) - 1
        expect(repeated).toBeLessThanOrEqual(MOST_REPEATED)
        const kills = ROUNDS * (KILLS_IN_LOAD + KILLS_IN_FOLLOW)
        const more = `${(repeated * 100).toFixed(1)} % more requests than the ${without} of a load without`
        return `${kills} kills, ${more}, ${tally.changes} changes of the source, ${tally.told} told by the feed`
      })
    },
    900_000 + ROUNDS * 180_000,
  )
})

/** A company that is filled by a process, from an ERP in the process of the test. */
class KilledCompany {
  readonly #erp: Erp
  readonly #server: ErpServer
  readonly #place: DataLocation
  readonly #setup: string
  readonly #file: string
  readonly #random: () => number
  #service: Serving | undefined

  private constructor(erp: Erp, server: ErpServer, place: DataLocation, setup: string, random: () => number) {
    this.#erp = erp
    this.#server = server
    this.#place = place
    this.#setup = setup
    this.#file = `${place.data}.yaml`
    this.#random = random
  }

  static async begin(place: DataLocation, random: () => number): Promise<KilledCompany> {
    Object.assign(process.env, CREDENTIALS)
    const erp = new Erp({ seed: Math.floor(random() * 1_000_000), quotas: false, sizes: SIZES })
    const server = new ErpServer(erp)
    const asked = { follow: NEVER_S, sweep: NEVER_S, contents: 'lazy', requestsPerMinute: MANY } as const
    const setup = withSecret(await setupOf(await server.start(), asked))
    boundPages(erp)
    return new KilledCompany(erp, server, place, setup, random)
  }

  /** Loads all records, killed after these numbers of requests; returns how many there were. */
  async load(killedAt: readonly number[]): Promise<number> {
    const { total } = this.#erp.traffic
    const before = total.requests
    writeFileSync(this.#file, this.#setup)
    for (const requests of killedAt) {
      await this.#start()
      await vi.waitUntil(() => total.requests - before >= requests, { ...PATIENCE, interval: 1 })
      await delay(this.#random() * KILL_MS)
      await this.#kill()
    }
    await this.#start()
    await vi.waitUntil(() => this.#isLoaded(), PATIENCE)
    const requests = total.requests - before
    const counted = (await this.#status()).quota.requests + UNTOLD
    expect(counted).toBeGreaterThanOrEqual(Math.min(requests, this.#erp.traffic.requests.at(Date.now())))
    await this.#kill()
    return requests
  }

  /** Follows while records are written at the source, over so many kills; returns how many were written. */
  async follow(kills: number): Promise<number> {
    writeFileSync(
      this.#file,
      this.#setup.replace(`follow: ${NEVER_S}`, 'follow: 1').replace(`sweep: ${NEVER_S}`, 'sweep: 60'),
    )
    let written = 0
    const writing = setInterval(() => {
      this.#change(written)
      written += 1
    }, WRITE_EVERY_MS)
    try {
      for (let round = 0; round < kills; round += 1) {
        await this.#start()
        await delay(this.#random() * FOLLOW_MS)
        await this.#kill()
      }
    } finally {
      clearInterval(writing)
    }
    await this.#start()
    return written
  }

  /** Resolves when the company is as its source; its change log is whole then. Returns the number of changes told. */
  async expectWhole(): Promise<number> {
    await vi.waitUntil(async () => (await this.#differences()).length === 0, PATIENCE)
    let told = 0
    for (const entity of ENTITIES) {
      const copy = new Mirror('EN', entity)
      copy.begin()
      while (!(await copy.follow(this.#read)));
      expect((await copy.differences(this.#read)).slice(0, 1)).toEqual([])
      told += copy.told
    }
    await this.#kill()
    expect(await run(['audit', 'verify', ...this.#place.flags])).toMatchObject({ code: 0, stderr: '' })
    return told
  }

  async end(): Promise<void> {
    await this.#kill()
    await this.#server.stop()
  }

  #change(written: number): void {
    const customerId = String(100_000 + Math.floor(this.#random() * SIZES.customers))
    const isThere = this.#erp.find('customers', { customerId }) !== undefined
    if (isThere && written % 100 === 50) this.#erp.remove('customers', { customerId })
    else if (isThere) this.#erp.change('customers', { customerId }, { aliasName: `Changed ${written}` })
  }

  async #start(): Promise<void> {
    this.#service = await serve([...this.#place.flags, '--setup', this.#file])
  }

  async #kill(): Promise<void> {
    if (this.#service) await kill(this.#service)
    this.#service = undefined
  }

  readonly #read: Read = async (path) => {
    const { status, text, headers } = await this.#get(path, NDJSON)
    return { status, text, changeNumber: headers.get(NUMBER_HEADER) ?? '' }
  }

  #get(path: string, headers?: Record<string, string>) {
    return call((this.#service?.address ?? '') + path, { authorization: AUTHORIZATION, ...(headers && { headers }) })
  }

  async #status() {
    return JSON.parse((await this.#get('/v1/mirror')).text)
  }

  async #isLoaded(): Promise<boolean> {
    const { documents } = await this.#status()
    return documents.length > 0 && documents.every(({ phase }: { phase: string }) => phase === 'following')
  }

  #differences(): Promise<string[]> {
    const { names, paths } = documentsOf(this.#erp, this.#setup)
    return differencesFrom(this.#erp, names, async (name) => JSON.parse((await this.#get(paths.get(name) ?? '')).text))
  }
}

/** The ERP answers fewer rows than it is asked for. */
function boundPages(erp: Erp): void {
  const answer = erp.answer.bind(erp)
  erp.answer = (request) => {
    const target = request.target.replace(/\blimit=(\d+)/, (_all, limit) => `limit=${Math.min(Number(limit), PAGE)}`)
    return answer({ ...request, target })
  }
}
