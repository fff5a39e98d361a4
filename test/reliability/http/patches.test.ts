// H8: the patch engine applies a patch completely or not at all, whatever its pointers and values are: it reaches no
// prototype, adds no member that the schema does not have, and does not modify its input.

import fc from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/strict-json.ts'
import { Problem } from '../../../src/errors/problem.ts'
import { MAX_ITEMS } from '../../../src/model/document.ts'
import { AttributeValue } from '../../../src/model/records/attribute-value.ts'
import { Customer } from '../../../src/model/records/customer.ts'
import { dateTime, integer, kindOf, number, record, text } from '../../../src/model/schema.ts'
import { applyOperations } from '../../../src/patch/apply-operations.ts'
import { parseOperations } from '../../../src/patch/operations.ts'
import { RelationDraft } from '../../../src/records/attribute-relations/attribute-relation.ts'
import { DocumentDraft } from '../../../src/records/documents/document.ts'
import { SubscriptionMembers } from '../../../src/subscriptions/subscription-schema.ts'
import { type DescribedOperation, Description } from '../../support/api-fuzz/description.ts'
import { type Draft, goodDraft, perform, resourceOf } from '../../support/api-fuzz/good-request.ts'
import { Reached, Session } from '../../support/api-fuzz/session.ts'
import { type RandomOperation, randomPatches } from '../../support/random-patch.ts'
import { reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { deepFrozen } from '../../support/schema-members.ts'
import { onEachStore, startWorld } from '../../support/world.ts'

const PATCHES = triesOf({ long: 8_000, full: 92_000 })
/** Requests for each store; two are tested. */
const SENT = triesOf({ long: 200, full: 4_000 })

const CODES = [3010, 4020, 4023, 4030]

/** As the setup declares it. */
const WorkOrder = record({
  status: text(),
  stops: integer(),
  plan: record({ startDate: dateTime(), hours: number() }),
})

const SCHEMAS: Readonly<Record<string, TObject>> = {
  AttributeValue: AttributeValue.schema,
  RelationDraft,
  Customer: Customer.schema,
  DocumentDraft,
  SubscriptionMembers,
  WorkOrder,
}
/** All members may be changed: no rule precedes the engine. */
const ALL = [{ path: '/**' }]

const point = { contactPointType: '1', address: { place: 'Oslo' } }
const RECORD = deepFrozen({
  description: 'before',
  contactPoints: [point, point],
  relatedValues: [{ relationId: 'REL1', relatedValue: '100' }],
  indexes: [{ sequenceNo: 1, indexValue: '100' }],
  invoice: { creditLimit: 1 },
})

describe('H8: the patch engine', () => {
  it('H8 changes members of the schema, or nothing', () =>
    reliabilityTest('H8', 'random patches to the engine', async () => {
      const kinds = Object.entries(SCHEMAS)
      let applied = 0
      for (const [title, schema] of kinds) {
        const patches = fc.property(randomPatches(schema), (operations) => {
          if (applyTo(schema, operations)) applied++
        })
        fc.assert(patches, { seed: SEED, numRuns: Math.ceil(PATCHES / kinds.length) })
        expect(applied, `patches to ${title} that were applied`).toBeGreaterThan(0)
      }
      return `${PATCHES} patches of ${kinds.length} schemas, ${applied} of them applied`
    }))
})

/** Whether the patch was applied; throws when the result has anything that it should not have. */
function applyTo(schema: TObject, operations: readonly RandomOperation[]): boolean {
  const known = Object.fromEntries(Object.entries(RECORD).filter(([name]) => name in schema.properties))
  const patched = patchedOf(schema, known, operations)
  if (patched?.record) {
    requireWithin(schema, patched.record, '')
    for (const list of ['contactPoints', 'relatedValues', 'indexes'])
      requireCounted(list, known, patched.record, operations)
  }
  for (const { code, index } of patched?.failures ?? []) {
    if (!CODES.includes(code) || !(index >= 0 && index < operations.length)) throw new Error(`code ${code} of ${index}`)
  }
  if ('polluted' in {} || Object.keys(Object.prototype).length > 0) throw new Error('a prototype was changed')
  return patched?.record !== undefined
}

/** Undefined when the body was rejected. */
function patchedOf(schema: TObject, known: object, operations: readonly RandomOperation[]) {
  try {
    return applyOperations(schema, ALL, known as never, parseOperations(operations as unknown as JsonValue))
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return undefined
    throw error
  }
}

/** The length of a list matches its operations, each of which was about an existing item. */
function requireCounted(list: string, before: object, after: object, operations: readonly RandomOperation[]): void {
  const itemsOf = (record: object) => (record as Record<string, unknown[] | undefined>)[list] ?? []
  let count = itemsOf(before).length
  for (const { op, path, value } of operations) {
    const [name = '', index, more] = path.replace(/^\//, '').split('/')
    if (name.toLowerCase() !== list.toLowerCase() || more !== undefined) continue
    const kind = op.toLowerCase()
    if (index === undefined) count = kind === 'remove' || !Array.isArray(value) ? 0 : value.length
    else {
      const at = index === '-' ? count : Number(index)
      if (at > count || (kind !== 'add' && at === count)) throw new Error(`${op} ${path}: there is no such item`)
      count += kind === 'add' ? 1 : kind === 'remove' ? -1 : 0
    }
  }
  if (itemsOf(after).length !== count) throw new Error(`${list} has ${itemsOf(after).length} items instead of ${count}`)
}

/** Every member is one of the schema and of its type, in an ordinary object. */
function requireWithin(schema: TSchema, value: unknown, place: string): void {
  if (value === undefined) return
  const kind = kindOf(schema)
  if (kind === 'array') {
    if (!Array.isArray(value) || value.length > MAX_ITEMS) throw new Error(`${place} is no list`)
    for (const [index, item] of value.entries())
      requireWithin((schema as never as { items: TSchema }).items, item, `${place}/${index}`)
  } else if (kind === 'object') {
    if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
      throw new Error(`${place} is no object`)
    for (const [name, member] of Object.entries(value as object)) {
      const { properties } = schema as TObject
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!part) throw new Error(`${place}/${name} is not in the schema`)
      requireWithin(part, member, `${place}/${name}`)
    }
  } else if (typeof value === 'object') throw new Error(`${place} is no scalar`)
}

/** Pointers of the plan with the expected status: an invalid path, or an index out of range on resources with lists. */
const POINTERS: readonly (readonly [path: string, hasLists: number, hasNone: number])[] = [
  ['/__proto__/polluted', 4020, 4020],
  ['/constructor/prototype/polluted', 4020, 4020],
  ['/LIST/__proto__', 4020, 4020],
  ['/LIST/0/__proto__/polluted', 4020, 4020],
  ['/LIST/-1', 4020, 4020],
  ['/LIST/01', 4020, 4020],
  ['/LIST/1e0', 4020, 4020],
  ['/~0~1', 4020, 4020],
  ['/~2', 4020, 4020],
  ['', 4020, 4020],
  ['/', 4020, 4020],
  ['/LIST/1000000/MEMBER', 4023, 4020],
  ['/LIST/99999999999999999999/MEMBER', 4023, 4020],
]
const LISTS: Readonly<Record<string, readonly [list: string, member: string]>> = {
  'attribute-values': ['contactPoints', 'sortOrder'],
  'attribute-relations': ['none', 'x'],
  customers: ['contactPoints', 'sortOrder'],
  documents: ['indexes', 'indexValue'],
  subscriptions: ['none', 'x'],
  'work-orders': ['none', 'x'],
}

onEachStore(
  'H8: patches',
  (world) => {
    it('H8 every endpoint rejects pointers that lead nowhere, with its code', () =>
      reliabilityTest('H8', 'pointers that lead nowhere', async () => {
        const { session, operations } = await patching()
        for (const operation of operations) {
          const [list, member] = LISTS[resourceOf(operation) ?? ''] ?? ['', '']
          const status = /values|relations/.test(operation.path) ? 422 : 400
          const draft = await goodDraft(session, operation)
          for (const [path, hasLists, hasNone] of POINTERS) {
            const pointer = path.replace('LIST', list).replace('MEMBER', member)
            const body = [{ op: 'rePLACE', path: pointer, value: '1' }]
            const answer = await perform(session, { ...draft, body, expected: [status] }, pointer)
            const code = list === 'none' ? hasNone : hasLists
            expect({ path: operation.path, pointer, text: answer.text }).toMatchObject({
              text: expect.stringContaining(`"code":${code}`),
            })
          }
        }
        return `${POINTERS.length} pointers on ${operations.length} endpoints`
      }))

    it('H8 a patch is applied completely, or rejected and leaves the record as it was', () =>
      reliabilityTest('H8', 'random patches to the endpoints', async () => {
        const { session, operations } = await patching()
        let taken = 0
        for (const operation of operations) {
          const schema = SCHEMAS[SCHEMA_OF[resourceOf(operation) ?? ''] ?? ''] as TObject
          const draft = await goodDraft(session, operation)
          const patches = fc.asyncProperty(randomPatches(schema), async (body) => {
            if (await tryPatch(session, { ...draft, query: [], body })) taken++
          })
          await fc.assert(patches, { seed: SEED, numRuns: Math.ceil(SENT / operations.length) })
        }
        return `${SENT} patches to ${operations.length} endpoints, ${taken} of them taken`
      }))

    async function patching() {
      const description = new Description((await world().send({ url: '/openapi.json' })).json)
      const session = new Session(world(), description, new Reached())
      session.reseed(SEED)
      return { session, operations: description.operations.filter(({ method }) => method === 'PATCH') }
    }
  },
  (kind) => startWorld(kind, 'test/fixtures/fuzz.yaml'),
)

const SCHEMA_OF: Readonly<Record<string, string>> = {
  'attribute-values': 'AttributeValue',
  'attribute-relations': 'RelationDraft',
  customers: 'Customer',
  documents: 'DocumentDraft',
  subscriptions: 'SubscriptionMembers',
  'work-orders': 'WorkOrder',
}

/** Whether it was accepted; a rejected patch must have changed nothing. */
async function tryPatch(session: Session, draft: Draft): Promise<boolean> {
  const before = await readBack(session, draft)
  const { status } = await perform(session, { ...draft, expected: [200, 400, 422] }, 'a random patch')
  // A relation with a changed value has a new address; the change is reverted.
  if (status === 200) return true
  expect(await readBack(session, draft)).toBe(before)
  return false
}

async function readBack(session: Session, draft: Draft): Promise<string> {
  const read: DescribedOperation | undefined = session.description.operations.find(
    ({ method, path }) => method === 'GET' && path === draft.operation.path,
  )
  if (!read) throw new Error(`nothing reads ${draft.operation.path}`)
  const answer = await perform(session, { ...draft, operation: read, headers: {}, body: undefined, expected: [200] })
  // How far the delivery is does not depend on the patch.
  return answer.text.replaceAll(/"(?:position|pending|oldestUndelivered)":[^,]+/g, '')
}
