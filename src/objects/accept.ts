// What an answer is made of, by `Accept`: what is not known answers JSON, and nothing is 406 (decision 0).
import type { AnswerFormat } from '../store/store.ts'

export type Wanted = AnswerFormat | 'schema'

const TYPES: Readonly<Record<string, Wanted>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  'application/schema+json': 'schema',
}

export const CONTENT_TYPES: Readonly<Record<Wanted, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  schema: 'application/schema+json; charset=utf-8',
}

/** The best of those known that the header allows, the first of equals. */
export function wantedBy(accept: string | undefined): Wanted {
  if (accept === undefined || accept === '*/*') return 'json'
  const known = preferences(accept).find(({ name }) => Object.hasOwn(TYPES, name))
  return (known && TYPES[known.name]) ?? 'json'
}

/** The languages of an `Accept-Language` header without their regions, the best first. */
export function languagesOf(header: string | undefined): string[] {
  return header === undefined ? [] : preferences(header).map(({ name }) => name.split('-')[0] ?? '')
}

/** More than anybody sends; the rest of a longer header is passed over. */
const MAX_HEADER = 500

function preferences(header: string): { name: string; weight: number }[] {
  return header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
      return { name, weight: Number.isNaN(weight) ? 0 : weight }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
}
