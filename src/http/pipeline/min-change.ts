// The header `Min-Change` of reads: the number of a change that the answer must have, such as one that the client has
// made itself.
import type { IncomingHttpHeaders } from 'node:http'
import { shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'

/** 0 without the header; undefined when it is no number. */
export function findMinChange(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['min-change'] as string | undefined
  if (text === undefined) return 0
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Throws 400 when it is no number. */
export function minChangeOf(headers: IncomingHttpHeaders): number {
  const number = findMinChange(headers)
  if (number !== undefined) return number
  const text = shortened(String(headers['min-change']), 40)
  throw invalidOption(`The value '${text}' is not valid for Min-Change; it must be the number of a change.`)
}
