// C8: a patch of a hundred operations with one invalid operation changes nothing, and the answer names that operation.
import { expect, it } from 'vitest'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { type Answer, onEachStore, startWorld, type World } from '../../support/world.ts'
import { inThousands, RELIABILITY_TIMEOUT_MS } from './race.ts'
import { customers, documents, relations, values } from './records.ts'

const OPERATIONS = 100

interface Operation {
  readonly op?: string
  readonly path?: string
  readonly value?: unknown
}

/** An invalid operation and its expected answer. */
interface Fault {
  readonly name: string
  readonly operation: Operation
  readonly status: number
  readonly code: number
  /** The reported field, if the resulting record is invalid rather than the operation. */
  readonly field?: string
  /** The start of the message; `INDEX` stands for the index of the operation in the body. */
  readonly message: string
}

interface Endpoint {
  readonly name: string
  /** Creates a record and what it refers to; returns its address. */
  make(world: World): Promise<string>
  /** An allowed change, different at each index. */
  good(place: number): Operation
  readonly faults: readonly Fault[]
}

/** Body errors are the same for every resource; a path that does not exist is 400 or 422 (`nowhere`). */
function faultsOf(nowhere: number, others: readonly Fault[]): readonly Fault[] {
  const named = (name: string, operation: Operation, message: string, status = 400): Fault => {
    return { name, operation, status, code: 4020, message: `PatchOperation index INDEX: ${message}` }
  }
  return [
    named('a path that leads nowhere', replace('/nowhere', 1), "Provided path '/nowhere' is invalid", nowhere),
    named('an unknown op', { op: 'move', path: '/x', value: 1 }, "Operation 'move' is not supported: expected"),
    named('no path', { op: 'replace', value: 1 }, "The property 'path' is missing"),
    named('no value', { op: 'replace', path: '/x' }, "The property 'value' is missing"),
    ...others,
  ]
}

const replace = (path: string, value: unknown): Operation => ({ op: 'replace', path, value })

/** The operation is valid, the resulting record is not. No other operation may correct it. */
function againstRule(field: string, operation: Operation, message: string, status = 422): Fault {
  return { name: 'a rule is not met', operation, status, code: 3010, field, message }
}

function notConvertible(path: string, type: string, status: number): Fault {
  const message = `PatchOperation index INDEX: The value '["x"]' of path '${path}' cannot be converted to ${type}`
  return { name: 'a value of another type', operation: replace(path, ['x']), status, code: 4030, message }
}

/** The reported index is that of the list. */
function outOfRange(path: string, status: number): Fault {
  const operation = replace(path.replace('INDEX', '150'), 'x')
  return {
    name: 'an index out of range',
    operation,
    status,
    code: 4023,
    message: 'Provided index (150) is out of range',
  }
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'value',
    async make(world) {
      await created(world, values.all, values.body('C8', { contactPoints: [{ contactPointType: '2' }] }))
      return values.at('C8')
    },
    good: (place) =>
      [
        replace('/description', `change ${place}`),
        replace('/customValue', place),
        replace('/contactPoints/0/phoneNumbers/telephone1', `${place}`),
        { op: 'add', path: '/contactPoints/-', value: { contactPointType: '1', sortOrder: place } },
      ][place % 4] as Operation,
    faults: faultsOf(422, [
      notConvertible('/customValue', 'number', 422),
      outOfRange('/contactPoints/INDEX/address/place', 422),
      againstRule('periodTo', replace('/periodTo', 202613), 'Illegal period'),
    ]),
  },
  {
    name: 'relation',
    async make(world) {
      await created(world, values.all, values.body('C8R'))
      await created(world, relations.all, relations.body('C8R', 'D1'))
      return relations.at('C8R', 'D1')
    },
    good: (place) =>
      [replace('/percentage', place), replace('/relationValue', `D${place % 10}`)][place % 2] as Operation,
    faults: faultsOf(422, [
      notConvertible('/percentage', 'number', 422),
      againstRule('dateTo', replace('/dateTo', '1800-01-01'), 'The field DateTo must not be before DateFrom'),
    ]),
  },
  {
    name: 'customer',
    async make(world) {
      await created(world, customers.all, customers.body('C8'))
      return customers.at('C8')
    },
    good: (place) =>
      [
        replace('/aliasName', `change ${place}`),
        replace('/invoice/creditLimit', place),
        replace('/contactPoints/0/address/place', `place ${place}`),
        { op: 'add', path: '/contactPoints/-', value: { contactPointType: '2', sortOrder: place } },
      ][place % 4] as Operation,
    faults: faultsOf(400, [
      notConvertible('/invoice/creditLimit', 'number', 400),
      outOfRange('/contactPoints/INDEX/address/place', 400),
      againstRule('countryCode', replace('/countryCode', 'XX'), 'Illegal value'),
    ]),
  },
  {
    name: 'document',
    async make(world) {
      const indexes = ['CC100', '1'].map((indexValue, at) => ({ sequenceNo: at + 1, indexValue }))
      const { id } = await created(world, documents.all, { ...documents.body('C8'), docType: 'INVOICE', indexes })
      return documents.at(id)
    },
    good: (place) =>
      [
        replace('/title', `change ${place}`),
        replace('/description', `change ${place}`),
        replace('/indexes/1/indexValue', `${place}`),
      ][place % 3] as Operation,
    faults: faultsOf(400, [
      notConvertible('/title', 'string', 422),
      outOfRange('/indexes/INDEX/indexValue', 400),
      againstRule('indexes', replace('/indexes/0/indexValue', 'NONE'), 'Value NONE is not valid for attribute', 400),
    ]),
  },
]

async function created(world: World, url: string, body: unknown): Promise<Answer['json']> {
  const answer = await world.send({ as: 'integration', method: 'POST', url, body })
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
  return answer.json
}

onEachStore(
  `C8 A patch of ${OPERATIONS} operations`,
  (world, kind) => {
    for (const endpoint of ENDPOINTS) {
      it(`C8 of a ${endpoint.name} changes nothing when one is bad`, { timeout: RELIABILITY_TIMEOUT_MS }, () =>
        reliabilityTest(
          'C8',
          `patches of ${OPERATIONS} operations of a ${endpoint.name}, one bad, on ${kind}`,
          async () => {
            const url = await endpoint.make(world())
            const before = await world().dump()
            const { faults } = endpoint
            const tries = triesOf({ long: 1, full: faults.length })
            for (let place = 0; place < OPERATIONS; place++) {
              for (let one = 0; one < tries; one++) {
                await refuse(world(), url, endpoint, place, faults[(place + one) % faults.length] as Fault)
              }
            }
            expect(await world().changesSince(before)).toEqual([])
            await acceptWithout(world(), url, endpoint)
            return `${inThousands(OPERATIONS * tries)} patches, bad at each of ${OPERATIONS} places: nothing changed, the place named`
          },
        ),
      )
    }
  },
  (kind) => startWorld(kind, 'test/fixtures/races.yaml'),
)

async function refuse(world: World, url: string, endpoint: Endpoint, place: number, fault: Fault): Promise<void> {
  const body = Array.from({ length: OPERATIONS }, (_, at) => (at === place ? fault.operation : endpoint.good(at)))
  const { status, json } = await world.send({ as: 'integration', method: 'PATCH', url, body })
  const what = `${fault.name} at ${place}`
  const told = fault.field === undefined ? json : json.notificationMessages?.[fault.field]?.[0]
  expect([what, status, told?.code]).toEqual([what, fault.status, fault.code])
  const expected = fault.message.replace('INDEX', String(place))
  expect([what, told.message.slice(0, expected.length)]).toEqual([what, expected])
  // No other operation is reported.
  expect(told.message.match(/index /g) ?? []).toHaveLength(fault.field === undefined ? 1 : 0)
}

/** The other operations are valid: without the invalid one the patch succeeds. */
async function acceptWithout(world: World, url: string, endpoint: Endpoint): Promise<void> {
  const body = Array.from({ length: OPERATIONS }, (_, at) => endpoint.good(at))
  const { status, text } = await world.send({ as: 'integration', method: 'PATCH', url, body })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
}
