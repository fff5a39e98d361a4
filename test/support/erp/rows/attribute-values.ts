// Attributes, their values, and the relations of cost centres to departments and of customers to legal entities.
import type { Base, Row } from '../kind.ts'
import { stamp } from '../kind.ts'
import { mixed, seedOf } from '../random.ts'
import { contactPoint } from './contact-point.ts'
import { firstCustomer } from './customers.ts'
import { momentOf, padded, type World } from './world.ts'

interface Attribute {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isManual: boolean
  readonly hasContacts?: boolean
  readonly prefix?: string
  readonly values?: readonly string[]
  readonly ownerAttributeId?: string
}

/** In the order of their ids. Those with a prefix share the values that a size asks for. */
export const ATTRIBUTES: readonly Attribute[] = [
  { id: 'A0', name: 'ACCOUNT', description: 'Accounts', isManual: false, values: ['1500', '2400', '3000'] },
  { id: 'A4', name: 'CUSTOMER', description: 'Customers', isManual: false, values: [] },
  { id: 'A5', name: 'CUSTGROUP', description: 'Customer groups', isManual: true, values: ['DOM', 'EXP'] },
  { id: 'AT', name: 'ADDRTYPE', description: 'Contact types', isManual: true, values: ['1', '2', '3'] },
  { id: 'B0', name: 'PROJECT', description: 'Projects', isManual: true, prefix: 'P' },
  { id: 'C0', name: 'ABSREASON', description: 'Absence', isManual: true, values: ['HOL', 'SICK', 'TRAIN'] },
  { id: 'C1', name: 'COSTC', description: 'Cost centres', isManual: true, hasContacts: true, prefix: 'CC' },
  { id: 'C2', name: 'DEPT', description: 'Departments', isManual: true, values: ['100', '200', '300'] },
  { id: 'LI', name: 'LEGALENTITY', description: 'Legal entities', isManual: true, values: ['NO1'] },
]

/** Every so many rows of a large attribute are one value less: the last has two periods. */
const GROUP = 51
const [FROM, SPLIT, TO] = [0, 202_501, 209_912]
const CUSTOMERS_PER_RELATION = 10

/** The number of values that so many rows have. */
const valuesIn = (rows: number) => rows - Math.floor(rows / GROUP)

interface Part {
  readonly attribute: Attribute
  readonly from: number
  readonly rows: number
}

function partsOf(values: number): Part[] {
  const fixed = ATTRIBUTES.reduce((sum, { values: given }) => sum + (given?.length ?? 0), 0)
  const each = Math.max(0, Math.ceil((values - fixed) / 2))
  let from = 0
  return ATTRIBUTES.map((attribute) => {
    const rows = attribute.values?.length ?? each
    const part = { attribute, from, rows }
    from += rows
    return part
  })
}

function numberAndPeriod(at: number): [number: number, from: number, to: number] {
  const inGroup = at % GROUP
  const number = Math.floor(at / GROUP) * (GROUP - 1) + Math.min(inGroup, GROUP - 2)
  if (inGroup < GROUP - 2) return [number, FROM, TO]
  return inGroup === GROUP - 2 ? [number, FROM, SPLIT - 89] : [number, SPLIT, TO]
}

export function attributeValuesBase({ companyId, seed, sizes }: World, zone: 'Z' | ''): Base {
  const own = seedOf(seed, 'attribute-values')
  const parts = partsOf(sizes.values)
  const size = parts.reduce((sum, { rows }) => sum + rows, 0)
  const partAt = (at: number) => parts.findLast(({ from, rows }) => from <= at && rows > 0)!
  const updatedAt = (at: number) => momentOf(mixed(own + 1, at) / 2 ** 32)

  function placeOf(at: number): { attribute: Attribute; value: string; periodFrom: number; periodTo: number } {
    const { attribute, from } = partAt(at)
    const fixed = attribute.values?.[at - from]
    if (fixed !== undefined) return { attribute, value: fixed, periodFrom: FROM, periodTo: TO }
    const [number, periodFrom, periodTo] = numberAndPeriod(at - from)
    return { attribute, value: `${attribute.prefix}${padded(number, 7)}`, periodFrom, periodTo }
  }

  function row(at: number): Row {
    const { attribute, value, periodFrom, periodTo } = placeOf(at)
    const number = mixed(own, at)
    return {
      attributeId: attribute.id,
      attributeName: attribute.name,
      attributeValue: value,
      companyId,
      contactPoints: attribute.hasContacts && number % 8 === 0 ? [contactPoint('1', 0, number, 'NO')] : [],
      customValue: (number % 400) / 4,
      description: `${attribute.description} ${value}`,
      lastUpdated: { updatedAt: stamp(updatedAt(at), zone), updatedBy: `USER${number % 7}` },
      owner: '',
      ownerAttributeId: '',
      ownerAttributeName: '',
      periodFrom: String(periodFrom),
      periodTo: String(periodTo),
      relatedValues: [],
      status: number % 16 === 0 ? 'C' : 'N',
    }
  }
  function key(at: number): [string, string, number] {
    const { attribute, value, periodFrom } = placeOf(at)
    return [attribute.id, value, periodFrom]
  }
  return { size, row, updatedAt, key }
}

export function attributeRelationsBase({ companyId, sizes }: World, zone: 'Z' | ''): Base {
  const customers = Math.ceil(sizes.customers / CUSTOMERS_PER_RELATION)
  const centres = valuesIn(partsOf(sizes.values).find(({ attribute }) => attribute.id === 'C1')!.rows)
  const first = firstCustomer(sizes.customers)

  function key(at: number): [string, string, string, string] {
    if (at < customers) return ['A4', String(first + at * CUSTOMERS_PER_RELATION), 'LI', 'NO1']
    const number = at - customers
    return ['C1', `CC${padded(number, 7)}`, 'C2', String(100 * (1 + (number % 3)))]
  }
  function row(at: number): Row {
    const [attributeId, attributeValue, relatedAttributeId, relationValue] = key(at)
    return relationRow(companyId, { attributeId, attributeValue, relatedAttributeId, relationValue }, zone)
  }
  return { size: customers + centres, row, key }
}

export interface RelationKey {
  readonly attributeId: string
  readonly attributeValue: string
  readonly relatedAttributeId: string
  readonly relationValue: string
}

export function relationRow(companyId: string, key: RelationKey, zone: 'Z' | ''): Row {
  const number = /^\d{1,15}$/.test(key.attributeValue) ? Number(key.attributeValue) : 0
  return {
    attributeId: key.attributeId,
    attributeName: attributeName(key.attributeId),
    attributeValue: key.attributeValue,
    attributeValueFrom: number,
    attributeValueTo: number,
    companyId,
    dateFrom: `1900-01-01T00:00:00.000${zone}`,
    dateTo: `2099-12-31T00:00:00.000${zone}`,
    percentage: 100,
    relatedAttributeId: key.relatedAttributeId,
    relatedAttributeName: attributeName(key.relatedAttributeId),
    relationValue: key.relationValue,
  }
}

export function attributeName(id: string): string {
  return ATTRIBUTES.find((attribute) => attribute.id === id)?.name ?? ''
}

export function attributesBase({ companyId }: World): Base {
  return {
    size: ATTRIBUTES.length,
    key: (at) => [ATTRIBUTES[at]!.id],
    row: (at) => {
      const { id, name, description, isManual, hasContacts = false } = ATTRIBUTES[at]!
      return {
        attributeId: id,
        attributeName: name,
        autoNumbering: false,
        companyId,
        contactPoints: hasContacts,
        description,
        maintenance: isManual ? 'manual' : 'system',
        ownerAttributeId: '',
      }
    },
  }
}
