// The record that a body stands for, as a plain object: what is absent has its default or the empty value of its type.
import type { DocumentSetup, ListSetup, PropertySetup } from '../../../src/setup/file/document-schema.ts'
import type { Body } from './random-bodies.ts'

export type PlainRecord = Readonly<Record<string, unknown>>

/** Without what the service keeps of itself: the last change, contact points and relations. */
export function plainRecord({ properties }: DocumentSetup, company: string, body: Body): PlainRecord {
  const members = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const given = memberOf(body, name)
    if (name === 'companyId') return [[name, company]]
    if ('reference' in property || 'items' in property || 'computed' in property) return []
    if ('group' in property) return [[name, plainObject(property.group, given)]]
    if ('list' in property) return [[name, ((given ?? []) as Body[]).map((item) => plainObject(property.list, item))]]
    return [[name, plainValue(property, given)]]
  })
  return Object.fromEntries(members)
}

const plainObject = (members: ListSetup['list'], given: unknown): PlainRecord =>
  Object.fromEntries(
    Object.entries(members).map(([name, property]) => {
      const one = memberOf(given, name)
      return [name, 'group' in property ? plainObject(property.group, one) : plainValue(property, one)]
    }),
  )

/** The name may be one that every object has, such as `constructor`. */
const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? (body as Body)[name] : undefined

const EMPTY = {
  string: '',
  integer: 0,
  number: 0,
  decimal: 0,
  boolean: false,
  'date-time': '1900-01-01T00:00:00.000Z',
} as const

function plainValue({ type, default: otherwise }: PropertySetup, given: unknown): unknown {
  const value = given === undefined || given === '' ? (otherwise ?? EMPTY[type]) : given
  return type === 'date-time' ? instantOf(String(value)) : value
}

/** In UTC with milliseconds and without the zone, as records are answered; no zone is UTC. */
function instantOf(text: string): string {
  const whole = text.includes('T') ? text : `${text}T00:00:00`
  return new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(whole) ? whole : `${whole}Z`).toISOString().slice(0, -1)
}

/** Whether a value is the empty one of its type, which is not compared where a property is unique. */
export const isEmpty = ({ type }: PropertySetup, value: unknown): boolean =>
  type === 'date-time' ? value === instantOf(EMPTY[type]) : value === EMPTY[type]

/** The unique values of a record that are not empty, by their places. */
export function uniqueValues({ properties }: DocumentSetup, record: PlainRecord): [place: string, value: unknown][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if ('group' in property) {
      const group = record[name] as PlainRecord
      return Object.entries(property.group).flatMap(([inner, one]) => unique(`${name}/${inner}`, one, group[inner]))
    }
    return 'type' in property ? unique(name, property, record[name]) : []
  })
}

const unique = (place: string, property: PropertySetup, value: unknown): [string, unknown][] =>
  property.unique && !isEmpty(property, value) ? [[place, value]] : []
