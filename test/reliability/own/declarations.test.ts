// O1: random declarations of documents, with their lines, what is computed of both, and how they change their state. What
// the description of the API accepts is accepted, what it or a state refuses is refused and leaves nothing behind, and an
// answer fits it. Answers, and queries of the records, agree with plain objects.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DocumentSetup } from '../../../src/setup/file/document-schema.ts'
import { DeclaredDocument, publishedBy } from '../../support/own/declared-document.ts'
import { expectAnsweredAlike } from '../../support/own/declared-queries.ts'
import { linesIn } from '../../support/own/plain-family.ts'
import type { PlainRecord } from '../../support/own/plain-record.ts'
import { type Body, badMember, bodiesOf, goodMember, keyOf, referringOf } from '../../support/own/random-bodies.ts'
import { setupOf } from '../../support/own/random-declarations.ts'
import { type Family, familyOf, LINE, LINES } from '../../support/own/random-families.ts'
import { reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS, type StoreKind, startWorld, type World } from '../../support/world.ts'

/** For each kind of store. */
const DECLARATIONS = triesOf({ long: 12, full: 2_000 })
const IN_ONE_SETUP = 40
const BODIES = 12
const PATCHES = 6
const LINE_PATCHES = 4
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

const declared = (names: readonly string[], seed: number): Family[] =>
  names.flatMap((name, at) => fc.sample(familyOf(name), { numRuns: 1, seed: seed + at }))

async function trySetup(kind: StoreKind, families: readonly Family[], seed: number) {
  const counts = { accepted: 0, refused: 0 }
  const documents = families.flatMap(({ document, lines }) => (lines ? [document, lines] : [document]))
  const world = await startDeclared(kind, documents)
  try {
    const publishedOf = publishedBy((await world.send({ url: '/openapi.json' })).json)
    for (const [at, family] of families.entries()) {
      const declaredDocument = new DeclaredDocument(world, family, publishedOf(family.document.name))
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
  const bodies = fc.tuple(bodiesOf(document, 3), linesFor(tested.family), fc.nat(3), fc.nat())
  await fc.assert(
    fc.asyncProperty(bodies, ([body, lines, way, choice]) =>
      tested.create({ ...body, ...lines, ...referenceOf(tested, way, choice) }),
    ),
    { numRuns: BODIES, seed, endOnFailure: true },
  )
  await fc.assert(
    fc.asyncProperty(changesOf(document), fc.nat(), async ([name, value], choice) => {
      const record = tested.records[choice % Math.max(1, tested.records.length)]
      if (record) await tested.replace(record, name, value)
    }),
    { numRuns: PATCHES, seed, endOnFailure: true },
  )
  await changeLines(tested, seed)
  const last = tested.records.at(-1)
  if (last) await tested.remove(last)
}

/** A member `lines` of a body, or none; one of eight has a line that is wrong. */
function linesFor({ lines, document }: Family): fc.Arbitrary<Body> {
  if (!lines) return fc.constant({})
  const ofRecord = [...keyOf(document), 'companyId']
  const line = bodiesOf(lines, 8).map(
    (body): Body => Object.fromEntries(Object.entries(body).filter(([name]) => !ofRecord.includes(name))),
  )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.array(line, { maxLength: 4 }).map((items) => ({ [LINES]: items })) },
  )
}

async function changeLines(tested: DeclaredDocument, seed: number): Promise<void> {
  const { lines } = tested.family
  if (!lines) return
  const drawn = fc.record({
    way: fc.constantFrom('whole', 'added', 'removed', 'changed', 'renumbered'),
    of: fc.nat(),
    at: fc.nat(),
    body: linesFor(tested.family),
    number: fc.integer({ min: 1, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ way, of, at, body, number }) => {
      const record = tested.records[of % Math.max(1, tested.records.length)]
      if (!record) return
      const [items, given] = [linesIn(record), linesIn(body)]
      const place = at % Math.max(1, items.length)
      const [line, other] = [items[place], given[0]]
      const changed = (members: PlainRecord) =>
        items.map((one, index) => (index === place ? { ...one, ...members } : one))
      if (way === 'whole') return tested.replace(record, LINES, given)
      if (way === 'added' && other)
        return tested.patch(record, [{ op: 'add', path: `/${LINES}/-`, value: other }], { [LINES]: [...items, other] })
      if (!line) return
      if (way === 'removed') {
        const left = items.filter((one) => one !== line)
        return tested.patch(record, [{ op: 'remove', path: `/${LINES}/${place}` }], { [LINES]: left })
      }
      const members: PlainRecord = way === 'renumbered' ? { [LINE]: number } : withoutNumber(other ?? {})
      const operations = Object.entries(members).map(([name, value]) => ({
        ...{ op: 'replace' as const, path: `/${LINES}/${place}/${name}`, value },
      }))
      if (operations.length > 0) await tested.patch(record, operations, { [LINES]: changed(members) })
    }),
    { numRuns: LINE_PATCHES, seed, endOnFailure: true },
  )
}

const withoutNumber = ({ [LINE]: _number, ...members }: PlainRecord): PlainRecord => members

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
    ([name, one]) => !fixed.includes(name) && !('reference' in one) && !('items' in one) && !('computed' in one),
  )
  return fc
    .constantFrom(...members)
    .chain(([name, property]) => fc.tuple(fc.constant(name), fc.oneof(goodMember(property), badMember(property))))
}
