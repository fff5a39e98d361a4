// O1: random declarations of documents, with random records. What the description of the API accepts is accepted, what
// it refuses is refused and leaves nothing behind, and an answer fits it. Queries of the records agree with plain
// objects.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DocumentSetup } from '../../../src/setup/file/document-schema.ts'
import { DeclaredDocument, publishedBy } from '../../support/own/declared-document.ts'
import { expectAnsweredAlike } from '../../support/own/declared-queries.ts'
import { badMember, bodiesOf, goodMember, keyOf, referringOf } from '../../support/own/random-bodies.ts'
import { declarationOf, setupOf } from '../../support/own/random-declarations.ts'
import { reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS, type StoreKind, startWorld, type World } from '../../support/world.ts'

/** For each kind of store. */
const DECLARATIONS = triesOf({ long: 12, full: 2_000 })
const IN_ONE_SETUP = 40
const BODIES = 12
const PATCHES = 6
const QUERIES = 6
/** The full form takes half an hour and more. */
const MOST_MS = 7_200_000

it.each(FEWER_KINDS)('O1 declared documents are as they are described, on %s', { timeout: MOST_MS }, (kind) =>
  reliabilityTest('O1', `declared documents on ${kind}`, async () => {
    const counts = { accepted: 0, refused: 0 }
    for (let from = 0; from < DECLARATIONS; from += IN_ONE_SETUP) {
      const names = Array.from({ length: Math.min(IN_ONE_SETUP, DECLARATIONS - from) }, (_, at) => `d${from + at}`)
      const tried = await trySetup(kind, declared(names, SEED + from), SEED + from)
      counts.accepted += tried.accepted
      counts.refused += tried.refused
    }
    expect([counts.accepted, counts.refused].every((count) => count > DECLARATIONS)).toBe(true)
    return `${DECLARATIONS} declarations, ${counts.accepted} writes accepted, ${counts.refused} refused`
  }),
)

const declared = (names: readonly string[], seed: number): DocumentSetup[] =>
  names.flatMap((name, at) => fc.sample(declarationOf(name), { numRuns: 1, seed: seed + at }))

async function trySetup(kind: StoreKind, documents: readonly DocumentSetup[], seed: number) {
  const counts = { accepted: 0, refused: 0 }
  const world = await startDeclared(kind, documents)
  try {
    const publishedOf = publishedBy((await world.send({ url: '/openapi.json' })).json)
    for (const [at, document] of documents.entries()) {
      const declaredDocument = new DeclaredDocument(world, document, publishedOf(document.name))
      await tryDocument(declaredDocument, seed + at)
      await expectAnsweredAlike(declaredDocument, documents, { numRuns: QUERIES, seed: seed + at })
      counts.accepted += declaredDocument.counts.accepted
      counts.refused += declaredDocument.counts.refused
    }
    return counts
  } finally {
    await world.stop()
  }
}

async function startDeclared(
  kind: StoreKind,
  documents: readonly DocumentSetup[],
): Promise<World & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-declared-'))
  const file = join(folder, 'setup.yaml')
  writeFileSync(file, setupOf(documents))
  try {
    return await startWorld(kind, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function tryDocument(tested: DeclaredDocument, seed: number): Promise<void> {
  const { document } = tested
  const bodies = fc.tuple(bodiesOf(document, 3), fc.nat(3), fc.nat())
  await fc.assert(
    fc.asyncProperty(bodies, ([body, way, choice]) => tested.create({ ...body, ...referenceOf(tested, way, choice) })),
    { numRuns: BODIES, seed, endOnFailure: true },
  )
  await fc.assert(
    fc.asyncProperty(changesOf(document), fc.nat(), async ([name, value], choice) => {
      const record = tested.records[choice % Math.max(1, tested.records.length)]
      if (record) await tested.replace(record, name, value)
    }),
    { numRuns: PATCHES, seed, endOnFailure: true },
  )
  const last = tested.records.at(-1)
  if (last) await tested.remove(last)
}

/** The key of no record, of one that there is, or of one that there is not. */
function referenceOf(tested: DeclaredDocument, way: number, choice: number): Record<string, unknown> {
  const { document, records } = tested
  const target = records[choice % Math.max(1, records.length)]
  if (way === 0 || !target) return {}
  const keys = keyOf(document)
  const values = referringOf(document).map((name, at): [string, unknown] => [name, target[keys[at] ?? '']])
  return Object.fromEntries(way === 1 ? values.map(([name, value]) => [name, other(value)]) : values)
}

const other = (value: unknown) => (typeof value === 'number' ? value + 7_777_777 : 'XX0000')

/** A member that a patch may name, with a value that is legal or not. */
function changesOf(document: DocumentSetup): fc.Arbitrary<[name: string, value: unknown]> {
  const fixed = [...keyOf(document), ...referringOf(document), 'companyId']
  const members = Object.entries(document.properties).filter(
    ([name, one]) => !fixed.includes(name) && !('reference' in one),
  )
  return fc
    .constantFrom(...members)
    .chain(([name, property]) => fc.tuple(fc.constant(name), fc.oneof(goodMember(property), badMember(property))))
}
