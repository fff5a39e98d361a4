// The feed of callers whose roles hide rows and members, by rules at random: after every write the copy that each keeps
// by the feed equals the collection as that caller reads it. A failure prints its seed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { MIRRORED, Mirror, NDJSON, NUMBER_HEADER, type Read } from '../support/changes/mirror.ts'
import { RandomWrites } from '../support/changes/random-writes.ts'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { onEachStore, startWorld, type World } from '../support/world.ts'

const WRITES = Number(process.env.FUZZ_RUNS ?? triesOf({ smoke: 7, long: 20, full: 20 }))
const CALLERS = ['r0', 'r1', 'r2', 'r3']

/** Filters of rules that the writes of the test move records into and out of. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  'attribute-values': [
    "attributeId eq 'C1'",
    "description lt 'm'",
    "status eq 'N'",
    "relatedValues/any(r: r/relatedValue eq '100')",
    "contactPoints/any(c: c/address/place eq 'Oslo') or status eq 'C'",
  ],
  'attribute-relations': ['percentage gt 50', "relationValue eq '100'", "attributeId ne 'C1' or percentage le 50"],
  customers: [
    "countryCode eq 'NO'",
    "customerName lt 'm'",
    "payment/status eq 'N'",
    "relatedValues/all(r: r/relatedValue eq '100')",
  ],
  'document-archive': [
    "title lt 'm'",
    "docType eq 'NOTE'",
    "indexes/any(i: i/indexValue eq 'CC100')",
    'revisionNo gt 1',
  ],
}

const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  'attribute-values': ['description', 'lastUpdated', 'relatedValues', 'periodTo', 'contactPoints'],
  'attribute-relations': ['percentage', 'dateTo', 'lastUpdated'],
  customers: ['payment', 'customerName', 'lastUpdated', 'relatedValues', 'invoice/creditLimit'],
  'document-archive': ['title', 'lastUpdated', 'indexes', 'docSize', 'fileName'],
}

type Rules = Record<string, { filter?: string; hidden?: string[] }>

/** For each document a filter or none, and some hidden members or none. */
function randomRules(random: () => number): Rules {
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const rules: Rules = {}
  for (const { name } of MIRRORED) {
    const filter = random() < 0.7 ? { filter: oneOf(FILTERS[name] ?? []) } : {}
    const hidden = (HIDDEN[name] ?? []).filter(() => random() < 0.3)
    if (filter.filter || hidden.length > 0) rules[name] = { ...filter, ...(hidden.length > 0 ? { hidden } : {}) }
  }
  return rules
}

const rulesOf = Object.fromEntries(CALLERS.map((id, at) => [id, randomRules(randomNumbers(SEED + at))]))

function setupWithRules(file: string): void {
  const setup = parse(readFileSync('test/fixtures/crash.yaml', 'utf8'))
  for (const id of CALLERS) {
    const role = { id, apis: { objects: ['read', 'export'] }, objects: ['*'] }
    const rules = rulesOf[id] ?? {}
    setup.roles.push(Object.keys(rules).length === 0 ? role : { ...role, rules })
    setup.users.push({ id: `user-${id}`, defaultCompany: 'EN', roles: { EN: [id] } })
    setup.clients.push({ id, user: `user-${id}`, secretEnv: 'TEST_CLIENT_SECRET' })
  }
  writeFileSync(file, stringify(setup))
}

async function startWithRules(kind: 'sqlite' | 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-rights-'))
  try {
    const file = join(folder, 'setup.yaml')
    setupWithRules(file)
    return await startWorld(kind, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readerOf(world: World, as: string): Read {
  return async (url) => {
    const { status, text, headers } = await world.send({ as, url, headers: NDJSON })
    return { status, text, changeNumber: String(headers[NUMBER_HEADER] ?? '') }
  }
}

/** A list that is hidden cannot be selected. */
function mirrorsOf(client: string): Mirror[] {
  return MIRRORED.map((entity) => {
    const hidden = rulesOf[client]?.[entity.name]?.hidden ?? []
    const select = entity.select.split(',').filter((name) => !hidden.includes(name))
    return new Mirror('EN', { ...entity, select: select.join(',') })
  })
}

onEachStore(
  'changes under rules',
  (world) => {
    it('are told so that each copy equals the collection as its caller reads it, after every write', async () => {
      const copies = CALLERS.map((client) => ({ client, read: readerOf(world(), client), mirrors: mirrorsOf(client) }))
      for (const { read, mirrors } of copies) for (const mirror of mirrors) await mirror.load(read)
      const writes = new RandomWrites(world(), randomNumbers(SEED))
      for (let count = 0; count < WRITES; count++) {
        const written = await writes.next()
        for (const { client, read, mirrors } of copies) {
          for (const mirror of mirrors) {
            while (!(await mirror.follow(read)));
            const found = { SEED, written, client, rules: rulesOf[client], differences: await mirror.differences(read) }
            expect(found).toEqual({ ...found, differences: [] })
          }
        }
      }
      const told = copies.flatMap(({ mirrors }) => mirrors).reduce((sum, mirror) => sum + mirror.told, 0)
      expect(told).toBeGreaterThan(WRITES)
    })
  },
  startWithRules,
)
