// Random sequences of creates, patches, revisions, deletes and lists, against a small model in memory: what a document
// is and which documents a list answers is the same after each (specification, documents 1 to 7; decision 4). FUZZ_RUNS
// multiplies the sequences, TABULARIUM_SEED reproduces a run.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Filter, Model, type Operation } from '../support/document-model.ts'
import { base64, DOCUMENTS, onEachArchive, post, postRevision, replace, urlOf } from '../support/documents.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import type { Answer, Sent, World } from '../support/world.ts'

const RUNS = triesOf({ smoke: 8, long: 40, full: 40 }) * Number(process.env.FUZZ_RUNS ?? 1)

/** Letters of more than one case or width, signs of patterns, and the ends of the planes. */
const letter = fc.constantFrom(
  ...'aAbBzZ \u00e4\u00c4\u00f6\u00d6\u00df\u1e9e\u03a3\u03c3\u03c2\u0130\u0131\u212a%_*;\\\'"',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
)
const text = fc.string({ unit: letter, maxLength: 5 })
const word = fc.string({ unit: letter, minLength: 1, maxLength: 5 })
const centre = fc.constantFrom('CC100', 'CC200', 'CC300')
const content = fc.uint8Array({ minLength: 1, maxLength: 40 })

const index = (sequenceNo: number, value: fc.Arbitrary<string>) =>
  value.map((indexValue) => ({ sequenceNo, indexValue }))
const invoice = fc.tuple(index(1, centre), index(2, word), fc.option(index(3, word), { nil: undefined }))
const contract = fc.tuple(index(10, word), fc.option(index(20, fc.constantFrom('100', '200')), { nil: undefined }))
const given = <T>(values: readonly (T | undefined)[]) => values.filter((value) => value !== undefined)
const filed = fc.oneof(
  invoice.map((values) => ({ docType: 'INVOICE', indexes: given(values) })),
  contract.map((values) => ({ docType: 'CONTRACT', indexes: given(values) })),
  fc.constantFrom('NOTE', 'MEMO').map((docType) => ({ docType, indexes: [] })),
)

const anyValue = fc.oneof(centre, word, fc.constantFrom('', '100', 'CC999'))
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: text.map((value) => replace('/title', value)) },
  { weight: 2, arbitrary: text.map((value) => replace('/description', value)) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(3), anyValue).map(([at, value]) => replace(`/indexes/${at}/indexValue`, value)),
  },
  { weight: 2, arbitrary: filed.map(({ indexes }) => replace('/indexes', indexes)) },
  { weight: 1, arbitrary: fc.constantFrom('/docType', '/status').map((path) => replace(path, 'x')) },
)

const pick = fc.nat(1_000)
/** Few filters at a time: more of them match nothing. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const values = fc.array(anyValue, { maxLength: 4 }).map((some) => some.map((value) => value.replaceAll(';', '')))
const filter: fc.Arbitrary<Filter> = fc.record({
  title: seldom(fc.oneof({ weight: 1, arbitrary: text }, { weight: 3, arbitrary: pick })),
  indexes: seldom(fc.oneof({ weight: 1, arbitrary: values }, { weight: 3, arbitrary: pick })),
  docType: seldom(fc.constantFrom('INVOICE', 'CONTRACT', 'NOTE', 'MEMO')),
  id: seldom(pick),
  start: seldom(fc.integer({ min: -2, max: 6 })),
  limit: seldom(fc.nat(6)),
  withFileContent: fc.boolean(),
})

type Step =
  | {
      readonly kind: 'create'
      readonly body: { docType: string; indexes: object[]; title: string; description: string }
      readonly content: Uint8Array
    }
  | { readonly kind: 'patch'; readonly at: number; readonly operations: readonly Operation[] }
  | { readonly kind: 'revise'; readonly at: number; readonly content: Uint8Array }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'read'; readonly at: number }
  | { readonly kind: 'list'; readonly filter: Filter }

type Change = Extract<Step, { kind: 'patch' | 'revise' | 'delete' }>

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      body: fc.tuple(filed, word, text).map(([what, title, description]) => ({ ...what, title, description })),
      content,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      at: pick,
      operations: fc.array(operation, { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revise' as const), at: pick, content }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), at: pick }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('list' as const), filter }) },
) satisfies fc.Arbitrary<Step>

const clock = { at: Date.now() }

onEachArchive(
  `Documents, whatever is done (TABULARIUM_SEED=${SEED}),`,
  (world) => {
    it('are what a model in memory says after every step', async () => {
      const counted = { changed: 0, refused: 0, found: 0 }
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(step, fc.nat(2)), { minLength: 5, maxLength: 30, size: 'max' }),
          async (steps) => {
            await deleteAll(world())
            const model = new Model()
            for (const [next, passedMs] of steps) {
              clock.at += passedMs
              const at = new Date(clock.at).toISOString().slice(0, 23)
              await take(world(), model, next, at, counted)
            }
            for (const { id } of model.documents) await expectRead(world(), model, id)
          },
        ),
        { numRuns: RUNS, seed: SEED },
      )
      console.log(`TABULARIUM_SEED=${SEED}: ${JSON.stringify(counted)}`)
      expect(counted.changed).toBeGreaterThan(counted.refused)
      expect(counted.found).toBeGreaterThan(RUNS)
    }, 600_000)
  },
  { clock: () => new Date(clock.at) },
)

async function take(
  world: World,
  model: Model,
  next: Step,
  at: string,
  counted: Record<'changed' | 'refused' | 'found', number>,
) {
  const send = (request: Sent): Promise<Answer> => world.send({ as: 'integration', ...request })
  const count = (status: number) => counted[status < 300 ? 'changed' : 'refused']++
  if (next.kind === 'create') {
    const answer = await send(post({ ...next.body, fileName: 'a.bin', fileContent: base64(Buffer.from(next.content)) }))
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
    const { id, expiryDate } = answer.json
    model.create({ id, expiryDate, ...next.body, content: next.content, at })
    expect(answer.json).toEqual(model.read(id))
    return
  }
  if (next.kind === 'list') {
    const { query, page } = model.list(next.filter)
    const { status, json } = await send({ url: `${DOCUMENTS}?${query}` })
    expect({ query, status, json }).toEqual({ query, status: 200, json: page })
    counted.found += page.count
    return
  }
  const id = model.idAt(next.at)
  if (id === undefined) return
  if (next.kind === 'read') return expectRead(world, model, id)
  const expected = statusBy(model, id, next, at)
  const answer = await send(requestOf(id, next))
  expect([answer.status, answer.text]).toEqual([expected, expected === 200 ? '' : answer.text])
  count(expected)
}

function statusBy(model: Model, id: string, next: Change, at: string): number {
  if (next.kind === 'patch') return model.patch(id, next.operations, at)
  if (next.kind === 'revise') return model.revise(id, next.content, at)
  return model.delete(id, at)
}

function requestOf(id: string, next: Change): Sent {
  if (next.kind === 'patch') return { method: 'PATCH', url: urlOf(id), body: next.operations }
  if (next.kind === 'revise') {
    return postRevision({ id, comment: 'c', fileName: 'b.bin', fileContent: base64(Buffer.from(next.content)) })
  }
  return { method: 'DELETE', url: urlOf(id) }
}

async function expectRead(world: World, model: Model, id: string): Promise<void> {
  const { status, json } = await world.send({ as: 'integration', url: urlOf(id) })
  expect({ status, json }).toEqual({ status: 200, json: model.read(id) })
}

/** Documents of an earlier sequence must not be listed. */
async function deleteAll(world: World): Promise<void> {
  const { json } = await world.send({ as: 'integration', url: `${DOCUMENTS}?limit=50000` })
  for (const { id } of json.items) await world.send({ as: 'integration', method: 'DELETE', url: urlOf(id) })
}
