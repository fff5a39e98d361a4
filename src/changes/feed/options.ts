// The query options of the feed. Names are case-insensitive, with or without `$`, as those of collections.
import { asBoolean } from '../../base/numbers/scalars.ts'
import { type QueryPairs, shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { readTogether } from '../../errors/read-together.ts'
import { givenTexts } from '../../query/options.ts'

export interface ChangeOptions {
  /** A cursor, a change number, or `now`; undefined if none was sent. */
  readonly since: string | undefined
  /** Absent: all that the caller may read. */
  readonly entities: readonly string[] | undefined
  readonly filter: string | undefined
  readonly select: string | undefined
  /** The most changes of one answer, or of one read of a stream. */
  readonly limit: number
  /** How long to wait for a change when there is none, in milliseconds. */
  readonly waitMs: number
  /** Whether only the newest state of each record is told. */
  readonly latest: boolean
}

const KNOWN = ['since', 'entities', 'filter', 'select', 'limit', 'wait', 'latest', 'companyid']
export const DEFAULT_LIMIT = 100
/** A change may have a record of 1 MiB; a page is bounded by its size as well. */
export const MAX_LIMIT = 1_000
/** Below the minute after which proxies close a connection on which nothing comes. */
export const MAX_WAIT_SECONDS = 55
/** More than there are. */
const MAX_ENTITIES = 200

/** Throws 400 for a repeated option, an unknown one with a `$`, or an illegal value. */
export function readChangeOptions(pairs: QueryPairs): ChangeOptions {
  const text = givenTexts(pairs, KNOWN)
  return {
    since: text('since')?.trim(),
    filter: text('filter'),
    select: text('select'),
    ...readTogether({
      entities: () => readEntities(text('entities')),
      limit: () => readInteger('limit', text('limit'), 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
      waitMs: () => (readInteger('wait', text('wait'), 0, MAX_WAIT_SECONDS) ?? 0) * 1_000,
      latest: () => readFlag('latest', text('latest')),
    }),
  }
}

function readEntities(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw invalidOption('The query option entities has an empty name.')
  if (names.length > MAX_ENTITIES) throw invalidOption(`The query option entities has more than ${MAX_ENTITIES} names.`)
  // In any order they are the same question.
  return [...new Set(names)].sort()
}

function readInteger(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined
  const number = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw invalidOption(
    `The value '${shortened(text, 40)}' is not valid for ${option}: it must be a whole number from ${least} to ${most}.`,
  )
}

function readFlag(option: string, text: string | undefined): boolean {
  const flag = text === undefined ? false : asBoolean(text.trim())
  if (flag !== undefined) return flag
  throw invalidOption(`The value '${shortened(text ?? '', 40)}' is not valid for ${option}: it must be true or false.`)
}
