// Content negotiation by `Accept`. Unknown types get JSON; there is no 406 (decision 0).
import type { AnswerFormat } from '../store/store.ts'

export type ResponseFormat = AnswerFormat | 'schema'

const TYPES: Readonly<Record<string, ResponseFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  'application/schema+json': 'schema',
}

export const CONTENT_TYPES: Readonly<Record<ResponseFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  schema: 'application/schema+json; charset=utf-8',
}

/** The known format with the highest weight in the header; the first of equal weights. */
export function negotiateFormat(accept: string | undefined): ResponseFormat {
  if (accept === undefined || accept === '*/*') return 'json'
  const preferred = preferences(accept).find(({ name }) => Object.hasOwn(TYPES, name))
  return (preferred && TYPES[preferred.name]) ?? 'json'
}

/** The languages of an `Accept-Language` header without regions, in descending order of weight. */
export function languagesOf(header: string | undefined): string[] {
  return header === undefined ? [] : preferences(header).map(({ name }) => name.split('-')[0] ?? '')
}

/** Maximum length that is parsed, longer than legitimate headers; the rest of a longer one is ignored. */
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
