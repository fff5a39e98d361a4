// What the tests of customers test: customers, and documents that a setup declares alike. The tests speak of customers;
// of another resource they are sent with its own words, and the answers come back in those of customers.
import type { Scenario } from '../scenario.ts'
import { onEachStore, type Sent, startWorld, type World } from '../world.ts'

/** Where a resource may differ from customers. */
export type Difference =
  | 'customFieldGroups'
  | 'denial'
  | 'keyName'
  | 'mandatoryRelations'
  | 'statusNames'
  | 'textOrNumber'

export interface Resource {
  /** What one record is called: addresses, members and messages are named after it. */
  readonly noun: string
  /** The setup of the tests. */
  readonly setup: string
  /** The name of its changes in the change log. */
  readonly entity: string
  /**
   * The collections in the words of customers: that of most tests, one that is numbered, one with a short series, and one
   * in which every code is legal.
   */
  readonly collections: Readonly<Record<'usual' | 'numbered' | 'limited' | 'free', string>>
  /** Each difference from customers, with its reason. */
  readonly differs: Readonly<Partial<Record<Difference, string>>>
}

const COLLECTION = '/v1/customers'

export const CUSTOMERS: Resource = {
  noun: 'customer',
  setup: 'test/fixtures/customers.yaml',
  entity: 'customer',
  collections: { usual: COLLECTION, numbered: COLLECTION, limited: COLLECTION, free: COLLECTION },
  differs: {},
}

export const SUPPLIERS: Resource = {
  noun: 'supplier',
  setup: 'test/fixtures/suppliers.yaml',
  entity: 'suppliers',
  collections: {
    usual: COLLECTION,
    numbered: '/v1/numbered-customers',
    limited: '/v1/limited-customers',
    free: '/v1/free-customers',
  },
  differs: {
    customFieldGroups: 'The setup declares all groups side by side, with the same rules for their properties.',
    denial: 'The other wording is that of customers alone (specification, authentication 4).',
    keyName: 'Messages name the property of the key as the setup declares it.',
    mandatoryRelations: 'A declaration requires no relations.',
    statusNames: 'A declared property is answered by its code.',
    textOrNumber: 'A declared property has one type.',
  },
}

/** What the tests of customers are declared for. */
export const RESOURCES: readonly Resource[] = [CUSTOMERS, SUPPLIERS]

/** Declares the tests on each store, with the setup of the resource. */
export function onEachStoreWith(
  resource: Resource,
  title: string,
  declare: (world: () => World) => void,
  start: (kind: World['kind']) => ReturnType<typeof startWorld> = (kind) => startWorld(kind, resource.setup),
): void {
  const titleOfIt = inWordsOf(resource, title)
  onEachStore(titleOfIt, declare, async (kind) => spokenTo(resource, await start(kind)))
}

/** The same world, whose requests and answers are in the words of customers. */
function spokenTo<Started extends World>(resource: Resource, world: Started): Started {
  if (resource.noun === CUSTOMERS.noun) return world
  const send = world.send.bind(world)
  return Object.assign(world, {
    send: async (sent: Sent) => {
      const answer = await send(sentInWordsOf(resource, sent))
      const told = JSON.stringify([answer.headers, answer.text])
      if (/customer/i.test(told)) throw new Error(`${sent.method ?? 'GET'} ${sent.url} tells of customers: ${told}`)
      const { text, json, headers } = answer
      return { ...answer, text: asCustomers(resource, text), ...asCustomers(resource, { json, headers }) }
    },
  })
}

function sentInWordsOf(resource: Resource, sent: Sent): Sent {
  const { url, body } = sent
  return {
    ...sent,
    url: inWordsOf(resource, url),
    ...(body === undefined || Buffer.isBuffer(body) ? {} : { body: inWordsOf(resource, body) }),
  }
}

/** A value whose texts speak of the resource instead of customers. */
export const inWordsOf = <Value>({ noun }: Resource, value: Value): Value => renamed(value, CUSTOMERS.noun, noun)

/** A value whose texts speak of customers instead of the resource. */
const asCustomers = <Value>({ noun }: Resource, value: Value): Value => renamed(value, noun, CUSTOMERS.noun)

function renamed<Value>(value: Value, from: string, to: string): Value {
  if (value === undefined) return value
  const spellings: ((word: string) => string)[] = [String, capitalised, (word) => word.toUpperCase()]
  return JSON.parse(
    spellings.reduce((text, spell) => text.replaceAll(spell(from), spell(to)), JSON.stringify(value)),
  ) as Value
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Scenarios that hold unless the resource differs. */
export const unless = ({ differs }: Resource, difference: Difference, ...scenarios: Scenario[]): Scenario[] =>
  differs[difference] === undefined ? scenarios : []
