import type { Chance } from './chance.ts'
import type { Json } from './legal-body.ts'

type Change = (chance: Chance) => Json

const replace =
  (path: string, make: (chance: Chance) => unknown): Change =>
  (chance) => ({ op: chance.pick(['replace', 'Replace', 'REPLACE']), path, value: make(chance) })

const add =
  (path: string, value: unknown): Change =>
  () => ({ op: 'Add', path, value })

const text = (chance: Chance) => chance.text()

/** Changes that are legal for every record of the fuzz test, whatever it contains. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'attribute-values': [
    replace('/description', text),
    replace('description', text),
    replace('/customValue', (chance) => chance.pick([1, '2.5', 1e300, -0.125])),
    replace('/status', (chance) => chance.pick(['N', 'P', 'C'])),
    replace('/owner', () => '300'),
    replace('/contactPoints', () => [{ contactPointType: '1', address: { place: 'Oslo' } }]),
    add('/contactPoints/-', { contactPointType: '2', phoneNumbers: { telephone1: '+47 1' } }),
    () => ({ op: 'remove', path: '/description' }),
  ],
  'attribute-relations': [
    replace('/percentage', (chance) => chance.between(0, 100)),
    replace('/PERCENTAGE', (chance) => `${chance.below(100)}.5`),
    replace('/dateTo', () => '2097-12-31'),
  ],
  customers: [
    replace('/customerName', text),
    replace('/invoice/creditLimit', (chance) => chance.below(1_000) + 0.5),
    replace('/invoice/currencyCode', (chance) => chance.pick(['NOK', 'SEK'])),
    replace('/payment/status', (chance) => chance.pick(['Active', 'Parked', 'Closed'])),
    replace('/contactPoints/0/address/place', text),
    replace('/customFieldGroups/delivery/stops', (chance) => chance.between(1, 9)),
    add('/contactPoints/-', { contactPointType: '3' }),
    () => ({ op: 'REMOVE', path: '/aliasName' }),
  ],
  subscriptions: [
    replace('/name', text),
    replace('/batch', (chance) => chance.pick([true, 'false'])),
    replace('/payload', (chance) => chance.pick(['thin', 'full'])),
    () => ({ op: 'remove', path: '/entities' }),
  ],
  'work-orders': [
    replace('/status', text),
    replace('stops', (chance) => chance.pick([0, -1, '12'])),
    replace('/plan', (chance) => ({ hours: chance.below(100), startDate: '2026-01-31' })),
    () => ({ op: 'remove', path: '/plan/hours' }),
  ],
  documents: [replace('/title', text), replace('/description', text), () => ({ op: 'remove', path: '/description' })],
}

/** Up to four changes that are legal together. */
export function legalPatch(chance: Chance, resource: string): Json[] {
  const changes = CHANGES[resource]
  if (!changes) throw new Error(`nothing is known of changes to ${resource}`)
  return Array.from({ length: chance.between(1, 4) }, () => chance.pick(changes)(chance))
}
