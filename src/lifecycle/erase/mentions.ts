// Entries of the change log that name an attribute value though they are of another record: relations to it, and
// records whose texts refer to it.
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { LinkedEntry } from '../../store/journal/audit-chain.ts'

interface Value {
  readonly attributeId: string
  readonly attributeValue: string
}

type Members = Readonly<Record<string, unknown>>

/** Whether an entry names the value. */
export type Mentions = (entry: LinkedEntry) => boolean

export function mentionsOf(company: CompanyRules, value: Value): Mentions {
  const { attributeValue } = value
  const quoted = JSON.stringify(attributeValue)
  return (entry) => {
    const { entity, record_key, before, after } = entry
    if (entity === 'access') return pathNames(record_key, attributeValue)
    if (![record_key, before, after].some((text) => text.includes(quoted))) return false
    if (entity === 'attribute-relation') return isRelatedTo(record_key, value)
    return [before, after].some((text) => refersTo(company, value, entity, membersOf(text)))
  }
}

/** The path of refused access may have the key of a record. */
export function pathNames(recordKey: string, key: string): boolean {
  const [, path = ''] = partsOf(recordKey)
  return path.split('/').some((segment) => segment === key || decoded(segment) === key)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function isRelatedTo(recordKey: string, { attributeId, attributeValue }: Value): boolean {
  const [own, ownValue, related, relatedValue] = partsOf(recordKey)
  return (
    (own === attributeId && ownValue === attributeValue) || (related === attributeId && relatedValue === attributeValue)
  )
}

function partsOf(recordKey: string): string[] {
  const parts = parsed(recordKey)
  return Array.isArray(parts) ? parts.map(String) : []
}

function membersOf(text: string): Members {
  const found = parsed(text)
  return typeof found === 'object' && found !== null ? (found as Members) : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a record refers to the value in a property whose codes are the values of the attribute. */
function refersTo(company: CompanyRules, value: Value, entity: string, record: Members): boolean {
  const { attributeId, attributeValue } = value
  const related = itemsOf(record.relatedValues).some(
    ({ relationId, relatedValue }) =>
      relatedValue === attributeValue && company.relationById(String(relationId))?.relatedAttributeId === attributeId,
  )
  if (related || hasContactPointType(company, value, record)) return true
  switch (entity) {
    case 'attribute-value': {
      const own = company.attributes.get(String(record.attributeId))
      return (own?.owner === attributeId && record.owner === attributeValue) || isValue(value, record)
    }
    case 'document':
      return isIndexed(company, value, record)
    case 'customer':
      return isCodeOf(company, value, record)
    default:
      return false
  }
}

function isValue({ attributeId, attributeValue }: Value, record: Members): boolean {
  return record.attributeId === attributeId && record.attributeValue === attributeValue
}

function hasContactPointType(company: CompanyRules, { attributeId, attributeValue }: Value, record: Members): boolean {
  if (company.attributeByName('ADDRTYPE')?.id !== attributeId) return false
  return itemsOf(record.contactPoints).some(({ contactPointType }) => contactPointType === attributeValue)
}

function isIndexed(company: CompanyRules, { attributeId, attributeValue }: Value, record: Members): boolean {
  const indexes = company.documentTypes.get(String(record.docType))?.indexes ?? []
  return itemsOf(record.indexes).some(
    ({ sequenceNo, indexValue }) =>
      indexValue === attributeValue &&
      indexes.some((index) => index.sequenceNo === sequenceNo && index.attributeId === attributeId),
  )
}

/** Whether a field of a customer with legal values of the attribute has the value. */
function isCodeOf({ customers }: CompanyRules, { attributeId, attributeValue }: Value, record: Members): boolean {
  const isOf = (legal: object | undefined) =>
    legal !== undefined && 'attributeId' in legal && legal.attributeId === attributeId
  const groups = [record, record.invoice, record.payment] as readonly (Members | undefined)[]
  const coded = Object.entries(customers?.legalValues ?? {}).some(
    ([name, legal]) => isOf(legal) && groups.some((group) => group?.[name] === attributeValue),
  )
  const custom = (record.customFieldGroups ?? {}) as Readonly<Record<string, Members>>
  return (
    coded ||
    (customers?.customFieldGroups ?? []).some(({ name, fields }) =>
      fields.some((field) => isOf(field.legalValues) && String(custom[name]?.[field.name]) === attributeValue),
    )
  )
}

function itemsOf(list: unknown): Members[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}
