// What callers are told of random writes, under row rules, filters and hidden members: the operation is the one that
// their collections show by what they answer before and after, and the record has the bytes of the collection. A
// failure prints its seed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Caller } from '../../src/access/caller.ts'
import { builtInDocuments } from '../../src/app/setup/built-in-documents.ts'
import { systemClock } from '../../src/base/clock.ts'
import { ChangeFeed, type OpenFeed } from '../../src/changes/feed/feed.ts'
import { LongWork } from '../../src/changes/long-work.ts'
import { ALL_PARTS, type Position } from '../../src/changes/record-change.ts'
import { RandomWrites } from '../support/changes/random-writes.ts'
import { linesOf } from '../support/process.ts'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const WRITES = Number(process.env.FUZZ_RUNS ?? triesOf({ smoke: 6, long: 15, full: 15 }))

interface Reader {
  readonly entity: keyof typeof KEYS
  readonly filter?: string
  readonly rule?: { readonly filter?: string; readonly hidden?: readonly string[] }
}

const KEYS = {
  'attribute-values': ['attributeId', 'attributeValue', 'periodFrom'],
  'attribute-relations': ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
  customers: ['customerId'],
  'document-archive': ['id'],
} as const

const READERS: readonly Reader[] = [
  { entity: 'attribute-values' },
  { entity: 'attribute-values', filter: "description lt 'm' and attributeId eq 'C1'" },
  { entity: 'attribute-values', filter: "relatedValues/any(r: r/relatedValue eq '100' and r/relationId eq 'REL1')" },
  { entity: 'attribute-values', rule: { filter: "relatedValues/all(r: r/relatedValue eq '100') or status eq 'P'" } },
  { entity: 'attribute-values', rule: { hidden: ['description', 'lastUpdated'] }, filter: "status eq 'N'" },
  { entity: 'attribute-relations' },
  { entity: 'attribute-relations', filter: 'percentage gt 50' },
  { entity: 'attribute-relations', rule: { filter: "relationValue eq '100'", hidden: ['percentage', 'lastUpdated'] } },
  { entity: 'customers' },
  { entity: 'customers', rule: { filter: "countryCode eq 'NO'", hidden: ['payment', 'lastUpdated'] } },
  { entity: 'customers', filter: "relatedValues/any(r: r/relatedValue eq '200') or customerName eq 'mast'" },
  { entity: 'customers', filter: "contactPoints/any(c: c/address/place eq 'Oslo') and payment/status eq 'N'" },
  { entity: 'document-archive' },
  { entity: 'document-archive', filter: "title lt 'm'" },
  { entity: 'document-archive', filter: "status ne 'X' and indexes/any(i: i/indexValue lt 'm')" },
  { entity: 'document-archive', rule: { filter: "docType eq 'NOTE'", hidden: ['title'] } },
]

function startWithRules(kind: 'sqlite' | 'postgres') {
  const setup = parse(readFileSync('test/fixtures/crash.yaml', 'utf8'))
  for (const [at, { entity, rule }] of READERS.entries()) {
    const role = { id: `r${at}`, apis: { objects: ['read', 'export'] }, objects: ['*'] }
    setup.roles.push(rule ? { ...role, rules: { [entity]: rule } } : role)
    setup.users.push({ id: `user-r${at}`, defaultCompany: 'EN', roles: { EN: [`r${at}`] } })
    setup.clients.push({ id: `r${at}`, user: `user-r${at}`, secretEnv: 'TEST_CLIENT_SECRET' })
  }
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-operations-'))
  writeFileSync(join(folder, 'setup.yaml'), stringify(setup))
  return startWorld(kind, join(folder, 'setup.yaml')).finally(() => rmSync(folder, { recursive: true }))
}

/** A reader with what its collection answered last. */
class Watch {
  readonly reader: Reader
  readonly #world: World
  readonly #client: string
  readonly #feed: OpenFeed
  readonly #select: string
  #position: Position
  #records = new Map<string, string>()

  private constructor(world: World, client: string, reader: Reader, feed: OpenFeed, select: string, number: number) {
    this.#world = world
    this.#client = client
    this.reader = reader
    this.#feed = feed
    this.#select = select
    this.#position = { number, part: ALL_PARTS }
  }

  static async start(world: World, feed: ChangeFeed, at: number, latest = false): Promise<Watch> {
    const reader = READERS[at] as Reader
    const { entity, filter, rule } = reader
    const lists = { 'attribute-values': '*,relatedValues', 'attribute-relations': '*', customers: '*,relatedValues' }
    const select = { ...lists, 'document-archive': '*,indexes' }[entity]
    const caller = (await world.application.tokens.verify(await world.token(`r${at}`))) as Caller
    const open = await feed.open({ caller, companyId: 'EN', entities: [entity], filter, select, latest })
    expect([open.covers, rule ? open.rights : '']).toEqual([[entity], rule ? open.rights : ''])
    const { last } = await open.read({ number: 0, part: ALL_PARTS }, 1)
    const watch = new Watch(world, `r${at}`, reader, open, select, last)
    watch.#records = await watch.#collection()
    return watch
  }

  async #collection(): Promise<Map<string, string>> {
    const { entity, filter = '' } = this.reader
    const query = new URLSearchParams({ companyId: 'EN', select: this.#select, ...(filter ? { filter } : {}) })
    const url = `/v1/objects/${entity}?${query}`
    const { status, text } = await this.#world.send({
      as: this.#client,
      url,
      headers: { accept: 'application/x-ndjson' },
    })
    if (status !== 200) throw new Error(`${url}: ${text}`)
    return new Map(linesOf(text).map((line) => [this.#keyOf(JSON.parse(line)), line]))
  }

  #keyOf(record: Record<string, unknown>): string {
    return JSON.stringify(KEYS[this.reader.entity].map((name) => record[name]))
  }

  /** What is told of the newest states since the last comparison, and what was expected. */
  async compareNewest() {
    const [before, after] = [this.#records, await this.#collection()]
    this.#records = after
    const told: unknown[][] = []
    const base = this.#position.number
    for (let isAtEnd = false; !isAtEnd; ) {
      const page = await this.#feed.read(this.#position, 3, base)
      for (const { recordKey, operation, json } of page.changes) {
        const isThere = json.includes('"record":')
        told.push([recordKey, operation, isThere ? json.slice(json.indexOf('"record":') + 9, -1) : undefined])
      }
      this.#position = page.next
      isAtEnd = page.isAtEnd
    }
    const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
    const operationOf = (key: string) => (after.has(key) ? (before.has(key) ? 'updated' : 'created') : 'deleted')
    return { told: told.sort(byKey), expected: keys.map((key) => [key, operationOf(key), after.get(key)]).sort(byKey) }
  }

  /** What is told of the last write, and what was expected, of each record. */
  async compare(isThere: (key: string) => 'before' | 'after' | 'both', isRemoval: (key: string) => boolean) {
    const [before, after] = [this.#records, await this.#collection()]
    this.#records = after
    const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
    const expected = keys.map((key) => {
      const record = after.get(key)
      if (record === undefined)
        return [key, isThere(key) === 'before' || isRemoval(key) ? 'deleted' : 'left', undefined]
      return [key, before.has(key) ? 'updated' : isThere(key) === 'after' ? 'created' : 'entered', record]
    })
    const told = new Map<string, unknown[]>()
    for (let isAtEnd = false; !isAtEnd; ) {
      const page = await this.#feed.read(this.#position, 2)
      for (const { recordKey, operation, json, position } of page.changes) {
        const record = json.includes('"record":')
          ? json.slice(json.indexOf('"record":') + '"record":'.length, -1)
          : undefined
        const first = told.get(recordKey)?.[1]
        // One write may have several numbers, between which nobody else reads.
        const isNew = first === 'created' || first === 'entered'
        if (isNew && record === undefined) told.delete(recordKey)
        else told.set(recordKey, [recordKey, isNew ? first : operation, record])
        expect((await this.#feed.readOne(position))?.json).toBe(json)
      }
      this.#position = page.next
      isAtEnd = page.isAtEnd
    }
    return { told: [...told.values()].sort(byKey), expected: expected.sort(byKey) }
  }
}

const written = new WeakMap<World, RandomWrites>()

/** The writes to a world, of which all tests go on with the same. */
function writesOf(world: World): RandomWrites {
  const writes = written.get(world) ?? new RandomWrites(world, randomNumbers(SEED))
  written.set(world, writes)
  return writes
}

function byKey([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1
}

/** Whether a write removes the record with this key, which may only be closed then. */
function isRemoved(written: string, key: string): boolean {
  const path = (JSON.parse(key) as (string | number)[]).join('/')
  return written.startsWith('DELETE') && written.includes(`/${path}?`)
}

onEachStore(
  'the operations of changes',
  (world) => {
    it('are those that the collection of each caller shows, with its bytes', async () => {
      const { store, companies } = world().application.service
      const documents = builtInDocuments(systemClock)
      const feed = new ChangeFeed({ store, companies, documents: () => documents, work: new LongWork() })
      const watches: Watch[] = []
      for (const at of READERS.keys()) watches.push(await Watch.start(world(), feed, at))
      const everything = async () => {
        const keys = new Set<string>()
        for (const { common } of documents) {
          const names = KEYS[common.name as keyof typeof KEYS]
          if (!names) continue
          const url = `/v1/objects/${common.name}?companyId=EN`
          const { json } = await world().send({ as: 'integration', url })
          for (const record of json) keys.add(JSON.stringify(names.map((name: string) => record[name])))
        }
        return keys
      }
      const writes = writesOf(world())
      const seen = new Set<unknown>()
      let before = await everything()
      for (let count = 0; count < WRITES; count++) {
        const written = await writes.next()
        const after = await everything()
        const isThere = (key: string) => (before.has(key) ? (after.has(key) ? 'both' : 'before') : 'after')
        for (const watch of watches) {
          const { told, expected } = await watch.compare(isThere, (key) => isRemoved(written, key))
          expect({ SEED, written, reader: watch.reader, told }).toEqual({
            SEED,
            written,
            reader: watch.reader,
            told: expected,
          })
          for (const [, operation] of told) seen.add(operation)
        }
        before = after
      }
      expect(seen).toContain('created')
    })

    it('are those of the newest states, when only these are asked for', async () => {
      const { store, companies } = world().application.service
      const documents = builtInDocuments(systemClock)
      const feed = new ChangeFeed({ store, companies, documents: () => documents, work: new LongWork() })
      const writes = writesOf(world())
      for (let count = 0; count < 5; count++) await writes.next()
      const unruled = READERS.keys().filter((at) => !READERS[at]?.rule && !READERS[at]?.filter)
      const watches: Watch[] = []
      for (const at of unruled) watches.push(await Watch.start(world(), feed, at, true))
      for (let round = 0; round < 2; round++) {
        for (let count = 0; count < 12; count++) await writes.next()
        for (const watch of watches) {
          const { told, expected } = await watch.compareNewest()
          expect({ SEED, reader: watch.reader, told }).toEqual({ SEED, reader: watch.reader, told: expected })
        }
      }
    })
  },
  startWithRules,
)
