// Writes to a mirror, and who may make them.
import { parse, stringify } from 'yaml'

const CONTACT = { contactPointType: '1', address: { countryCode: 'NO' } }
export const CUSTOMER = {
  customerName: 'Nobody AS',
  customerGroupId: 'DOM',
  countryCode: 'NO',
  contactPoints: [CONTACT],
} as const
export const rename = (name: string) => [{ op: 'replace', path: '/customerName', value: name }]

const ALL = ['read', 'create', 'update', 'delete']
const MOST = ['read', 'create', 'update']
const OWN = { 'attribute-relations': ALL, 'purchase-orders': ALL }
const permissions = { customers: MOST, 'attribute-values': MOST, documents: ALL, ...OWN }

/** The setup of a mirror, in which programs may write too. */
export function withWriters(setup: string): string {
  const changed = parse(setup)
  Object.assign(changed.roles[0].apis, permissions)
  return stringify(changed)
}
