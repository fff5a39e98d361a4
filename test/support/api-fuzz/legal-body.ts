// Bodies that a description allows and a setup accepts: random members of the schema, with values of the fixture where
// a member refers to something.
import type { Schema } from '../../../src/http/openapi/document.ts'
import type { Chance } from './chance.ts'
import type { Description } from './description.ts'

export type Json = Record<string, unknown>

type Maker = (chance: Chance) => unknown

let made = 0
/** A unique key of upper-case letters and digits. */
export const newKey = (): string => `K${(++made).toString(36).toUpperCase()}`

const either =
  (...values: readonly unknown[]): Maker =>
  (chance) =>
    chance.pick(values)

const base64 = (text: string) => Buffer.from(text).toString('base64')
const fileContent: Maker = (chance) => base64(`Content ${chance.text()}`)
const date: Maker = (chance) => `20${chance.between(20, 35)}-0${chance.between(1, 9)}-1${chance.below(10)}`
const batchOperation = (chance: Chance, id: string, isGrouped: boolean): Json => ({
  id,
  method: chance.pick(['POST', 'post']),
  url: chance.pick(['/v1/attribute-values', 'attribute-values']),
  body: { attributeId: 'C6', attributeValue: newKey() },
  ...(isGrouped ? { atomicityGroup: 'all' } : {}),
})
const contactPoints: readonly Json[] = [{ contactPointType: '1' }, { contactPointType: '2', sortOrder: 2 }]

/** By the name of the schema and the path of the member; undefined leaves it out. */
const LEGAL: Readonly<Record<string, Maker>> = {
  'AttributeValueInput/attributeId': either('C6'),
  'AttributeValueInput/attributeValue': newKey,
  'AttributeValueInput/companyId': either('EN', 'en', undefined),
  'AttributeValueInput/owner': either('100', '200', 100),
  'AttributeValueInput/periodFrom': either(0, 202001, '202001', undefined),
  'AttributeValueInput/periodTo': either(203012, '203012', 209912),
  'AttributeValueInput/status': either('N', 'P', 'C'),
  'AttributeValueInput/relatedValues': (chance) => [
    { relationId: 'REL1', relatedValue: chance.pick(['100', '200']), percentage: chance.between(0, 100) },
  ],
  'AttributeRelationInput/attributeId': either('C6'),
  'AttributeRelationInput/relatedAttributeId': either('C2'),
  'AttributeRelationInput/relationValue': either('300'),
  'AttributeRelationInput/companyId': either('EN', undefined),
  'AttributeRelationInput/dateFrom': either('2026-01-01', '2026-01-01T00:00:00Z', undefined),
  'AttributeRelationInput/dateTo': either('2026-12-31', '2099-12-31T00:00:00.000', undefined),
  'CustomerInput/customerId': newKey,
  'CustomerInput/companyId': either('EN', undefined),
  'CustomerInput/customerGroupId': either('DOM', 'EXP'),
  'CustomerInput/countryCode': either('NO', 'SE'),
  'CustomerInput/invoice/currencyCode': either('NOK', 'SEK'),
  'CustomerInput/payment/status': either('Active', 'Parked', 'Closed', 'N', 'p'),
  'CustomerInput/payment/expiryDate': date,
  'CustomerInput/contactPoints': (chance) => contactPoints.slice(0, chance.between(1, 2)),
  'CustomerInput/customFieldGroups': either({}, { delivery: { route: 'R1', stops: 3 } }, { delivery: {} }),
  'CustomerInput/relatedValues': either([], [{ relationId: 'REL2', relatedValue: '100' }]),
  'CustomerInput/externalReference': either('A-1', 42),
  'ContactPointInput/contactPointType': either('1', '2', '3'),
  'ContactPointInput/address/countryCode': either('NO', 'SE'),
  'WorkOrdersRecordInput/companyId': either('EN', undefined),
  'WorkOrdersRecordInput/workOrderId': newKey,
  'DocumentInput/companyId': either('EN', undefined),
  'DocumentInput/id': either('0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11', undefined),
  'DocumentInput/docType': either('NOTE'),
  'DocumentInput/indexes': either(undefined, []),
  'DocumentInput/expiryDate': either('2098-01-31', '2099-01-01T00:00:00.000'),
  'DocumentInput/fileName': either('note.txt', 'NOTE.TXT', 'a.b.txt', '\u00e6.txt'),
  'DocumentInput/mimeType': either('text/plain'),
  'DocumentInput/fileContent': fileContent,
  'DocumentInput/notificationMessages': either({}, undefined),
  'DocumentRevisionInput/id': either(undefined),
  'DocumentRevisionInput/fileName': either('next.txt', 'Next.bin'),
  'DocumentRevisionInput/mimeType': either(undefined),
  'DocumentRevisionInput/fileContent': fileContent,
  'BatchInput/requests': (chance) => {
    const count = chance.between(0, 3)
    // The operations of a group stand one behind the other.
    const grouped = chance.happens(0.3) ? chance.between(1, 3) : 0
    return Array.from({ length: count }, (_, at) => batchOperation(chance, String(at), at < grouped))
  },
  // Nobody listens there.
  'SubscriptionInput/url': either('http://localhost:9/hook', 'http://[::1]:9/'),
  'SubscriptionInput/entities': either(undefined, []),
  'SubscriptionInput/filter': either(undefined, ''),
  'SubscriptionInput/select': either(undefined, ''),
  'SubscriptionInput/payload': either('thin', 'full'),
  'SubscriptionInput/signature': either('hmac', 'ed25519'),
  'SubscriptionInput/since': either('now', 'NOW', undefined),
  'SecretRotationInput/until': either(undefined),
}

/** Includes the mandatory members, and each of the others with this probability. */
export function legalBody(description: Description, schema: Schema, chance: Chance, fullness: number): Json {
  const whole = description.resolve(schema)
  return legalValue(description, whole, String(whole.title), chance, fullness) as Json
}

function legalValue(description: Description, given: Schema, place: string, chance: Chance, fullness: number): unknown {
  const maker = LEGAL[place]
  if (maker) return maker(chance)
  const schema = description.resolve(given)
  const at = schema === given ? place : String(schema.title)
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
      const included = Object.entries(properties).filter(
        ([name]) => required.includes(name) || chance.happens(fullness),
      )
      const members = included.map(
        ([name, part]) => [name, legalValue(description, part, `${at}/${name}`, chance, fullness)] as const,
      )
      return Object.fromEntries(members.filter(([, value]) => value !== undefined))
    }
    case 'array':
      return [legalValue(description, schema.items as Schema, `${at}/*`, chance, fullness)]
    default:
      return scalarOf(schema, chance)
  }
}

/** Sometimes as a text, where it converts without loss. */
function scalarOf(schema: Schema, chance: Chance): unknown {
  const { type, minimum = 0, maximum = 1_000_000, maxLength = 40 } = schema as Readonly<Record<string, never>>
  const number = chance.between(minimum, maximum)
  const asText = chance.happens(0.1)
  if (type === 'integer') return asText ? String(number) : number
  if (type === 'number') return asText ? `${number}.0` : number === maximum ? number : number + 0.25
  if (type === 'boolean') return asText ? 'True' : chance.happens(0.5)
  if (/date/i.test(String(schema.examples))) return '2026-01-31'
  if (schema.examples) return chance.pick(schema.examples as string[])
  return chance.text(maxLength)
}
