// A company of the ERP: its tables, and the files of its archive.
import { isGroup, isList, type Kind, type Row, type Shape, stamp, timeOf, type Value } from './kind.ts'
import { attributeName } from './rows/attribute-values.ts'
import { baseOf } from './rows/bases.ts'
import { contentOf } from './rows/documents.ts'
import type { World } from './rows/world.ts'
import { type Collation, Table } from './table.ts'

export interface Revision {
  readonly comment: string
  readonly fileName: string
  /** In base64. */
  readonly content: string
  readonly updatedAt: string
}

export class Company {
  readonly id: string
  readonly #tables: ReadonlyMap<string, Table>
  /** What has been sent, by `id/revisionNo`. */
  readonly #revisions = new Map<string, Revision>()

  constructor(world: World, kinds: ReadonlyMap<string, Kind>, collation: Collation) {
    this.id = world.companyId
    this.#tables = new Map([...kinds].map(([name, kind]) => [name, new Table(kind, baseOf(kind, world), collation)]))
  }

  table(name: string): Table {
    const table = this.#tables.get(name)
    if (!table) throw new Error(`The ERP has no document ${name}`)
    return table
  }

  /** Writes a row, whose missing members are empty, and says when and by whom. */
  write(name: string, row: Row, updated: { at: number; by: string }): Row {
    const table = this.table(name)
    const { zone, localMs, shape } = table.kind
    const whole = normal({ ...row, companyId: this.id }, shape, zone)
    if ('lastUpdated' in shape) {
      whole.lastUpdated = { updatedAt: stamp(updated.at + localMs, zone), updatedBy: updated.by }
    }
    // These stand in attribute-relations.
    if ('relatedValues' in shape) whole.relatedValues = []
    table.write(whole)
    return whole
  }

  /** A row as it is answered, with its relations. */
  withRelations(name: string, row: Row): Row {
    if (name !== 'attribute-values' && name !== 'customers') return row
    const [attributeId, value] = name === 'customers' ? ['A4', row.customerId] : [row.attributeId, row.attributeValue]
    const relations = this.table('attribute-relations')
    const zone = this.table(name).kind.zone
    const parts = [String(attributeId), String(value)].map((part) => relations.collated(part))
    const found = [...relations.between({ parts, isAfter: false }, { parts, isAfter: true })]
    return { ...row, relatedValues: found.map((ref) => relatedValue(relations.rowOf(ref), zone)) }
  }

  /** A revision of a document; undefined where there is none. */
  revision(row: Row, revisionNo: number): Revision | undefined {
    const latest = Number(row.revisionNo)
    if (!Number.isInteger(revisionNo) || revisionNo < 1 || revisionNo > latest) return undefined
    const id = String(row.id)
    const { updatedAt } = row.lastUpdated as { updatedAt: string }
    return (
      this.#revisions.get(`${id}/${revisionNo}`) ?? {
        comment: `Revision ${revisionNo}`,
        fileName: String(row.fileName),
        content: Buffer.from(contentOf(id, revisionNo)).toString('base64'),
        updatedAt,
      }
    )
  }

  keepRevision(id: string, revisionNo: number, revision: Revision): void {
    this.#revisions.set(`${id}/${revisionNo}`, revision)
  }
}

export const RELATIONS: Readonly<Record<string, { id: string; name: string; group: string }>> = {
  'C1/C2': { id: 'REL1', name: 'Department', group: 'ORG' },
  'A4/LI': { id: 'LEGALID', name: 'Legal entity', group: 'LEGAL' },
  'C0/C1': { id: 'REL2', name: 'Absence owner', group: 'HR' },
}

function relatedValue(relation: Row, zone: 'Z' | ''): Row {
  const { relatedAttributeId, relationValue, percentage, dateFrom, dateTo } = relation
  const known = RELATIONS[`${relation.attributeId}/${relatedAttributeId}`]
  return {
    dateFrom: stamp(timeOf(dateFrom), zone),
    dateTo: stamp(timeOf(dateTo), zone),
    percentage: percentage!,
    relatedValue: { attributeId: relatedAttributeId!, dimValue: relationValue! },
    relationGroup: known?.group ?? '',
    relationId: known?.id ?? '',
    relationName: known?.name ?? attributeName(String(relatedAttributeId)),
    unitValue: 0,
  }
}

/** Other names by which single records know members. */
const NAMES: Readonly<Record<string, string>> = { phoneNumbers: 'phoneNumber', sortOrder: 'sequenceNumber' }

/** A row with all members of the shape in the order of the alphabet, times as the kind writes them. */
export function normal(row: Row, shape: Shape, zone: 'Z' | ''): Row {
  const named = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [!(name in shape) ? (NAMES[name] ?? name) : name, value]),
  )
  const names = [...new Set([...Object.keys(shape), ...Object.keys(named)])].sort()
  return Object.fromEntries(names.map((name) => [name, normalMember(named[name], shape[name], zone)]))
}

function normalMember(value: Value | undefined, member: Shape[string] | undefined, zone: 'Z' | ''): Value {
  if (!member) return value!
  if (isList(member)) {
    return Array.isArray(value) ? value.map((item) => normal(item as Row, member.list, zone)) : []
  }
  if (isGroup(member)) return normal((value ?? {}) as Row, member.group, zone)
  if (value === undefined) return absent(member.type, zone)
  if (member.isText && typeof value === 'number') return String(value)
  const time = member.type === 'date-time' ? timeOf(value) : Number.NaN
  return Number.isNaN(time) ? value : stamp(time, zone)
}

function absent(type: string, zone: 'Z' | ''): Value {
  if (type === 'string') return ''
  if (type === 'boolean') return false
  return type === 'date-time' ? `1900-01-01T00:00:00.000${zone}` : 0
}
