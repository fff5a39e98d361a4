// Single records: as object endpoints have them and as their own paths do. They differ in names and forms.
import { type Row, stamp, timeOf, type Value } from './kind.ts'

/** Members in the order of the alphabet, at every depth. */
export function sorted<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)])) as T
}

const withoutZone = (value: Value | undefined): string => stamp(timeOf(value), '')

function contactPoints(row: Row): Row[] {
  return (row.contactPoints as Row[]).map(({ phoneNumber, sequenceNumber, ...rest }) => ({
    ...rest,
    phoneNumbers: phoneNumber!,
    sortOrder: sequenceNumber!,
  }))
}

function relatedValues(row: Row): Row[] {
  return (row.relatedValues as Row[]).map((related) => ({
    ...related,
    dateFrom: withoutZone(related.dateFrom),
    dateTo: withoutZone(related.dateTo),
    relatedValue: (related.relatedValue as Row).dimValue!,
  }))
}

export function singleValue(row: Row): Row {
  return sorted({
    ...row,
    contactPoints: contactPoints(row),
    periodFrom: Number(row.periodFrom),
    periodTo: Number(row.periodTo),
    relatedValues: relatedValues(row),
  })
}

const STATES: Readonly<Record<string, string>> = { N: 'Active', P: 'Parked', C: 'Closed' }

export function singleCustomer(row: Row): Row {
  const payment = row.payment as Row
  const status = String(payment.status)
  return sorted({
    ...row,
    contactPoints: contactPoints(row),
    customFieldGroups: {},
    payment: { ...payment, status: STATES[status] ?? status },
    relatedValues: relatedValues(row),
  })
}

/** The row that a customer of its own path is kept as. */
export function rowOfCustomer({ customFieldGroups: _, ...customer }: Row): Row {
  const payment = (customer.payment ?? {}) as Row
  const code = Object.keys(STATES).find((known) => STATES[known] === payment.status)
  return { ...customer, payment: { ...payment, status: code ?? payment.status ?? 'N' } }
}

export function singleDocument({ lastUpdated, ...row }: Row): Row {
  return sorted({ ...row, lastUpdate: lastUpdated! })
}
