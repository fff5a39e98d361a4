// Rows in one form, wherever they come from, so that those of the ERP and those of a copy can be compared.
import { hash } from 'node:crypto'
import { isGroup, isList, type Kind, type Row, type Shape, timeOf, type Value } from './kind.ts'

/** What members are called elsewhere. */
const NAMES: Readonly<Record<string, string>> = {
  phoneNumber: 'phoneNumbers',
  sequenceNumber: 'sortOrder',
  lastUpdated: 'lastUpdate',
}

/**
 * The members that a kind declares, in its order: times with milliseconds and Z, numbers that come as texts as numbers,
 * contact points under the names of object endpoints, related values flat, nothing absent.
 */
export function canonical(kind: Kind, row: Row): Row {
  return ofShape(row, kind.shape)
}

function ofShape(row: Row, shape: Shape): Row {
  const members: Row = {}
  for (const name in shape) members[name] = ofMember(name, row[name] ?? row[NAMES[name] ?? name], shape[name]!)
  return members
}

function ofMember(name: string, value: Value | undefined, member: Shape[string]): Value {
  if (isList(member)) {
    const items = Array.isArray(value) ? (value as Row[]) : []
    return name === 'relatedValues' ? items.map(flat).sort(byText) : items.map((item) => ofShape(item, member.list))
  }
  if (isGroup(member)) return ofShape((value ?? {}) as Row, member.group)
  if (member.type === 'string') return value === undefined || value === null ? '' : String(value)
  if (member.type === 'boolean') return value === true || value === 'true'
  if (member.type === 'date-time')
    return Number.isNaN(timeOf(value)) ? String(value ?? '') : new Date(timeOf(value)).toISOString()
  const number = Number(value ?? 0)
  return Number.isNaN(number) ? String(value) : number
}

function flat(related: Row): Row {
  const value = related.relatedValue
  const code = value !== null && typeof value === 'object' ? (value as Row).dimValue! : value!
  const { percentage = 0, relationId = '' } = related
  const [from, to] = [timeOf(related.dateFrom), timeOf(related.dateTo)]
  return { dateFrom: from, dateTo: to, percentage, relatedValue: code, relationId }
}

const byText = (a: Row, b: Row) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** A hash of rows in any order; two rows that are the same count twice. */
export function hashOf(kind: Kind, rows: Iterable<Row>, without: readonly string[] = []): string {
  let sum = 0n
  let count = 0
  for (const row of rows) {
    const kept = canonical(kind, row)
    for (const name of without) delete kept[name]
    sum += BigInt(`0x${hash('sha256', JSON.stringify(kept))}`)
    count += 1
  }
  return `${count}:${BigInt.asUintN(256, sum).toString(16)}`
}
