// `--faults 429=0.05,slow=0.1:2000,quota=500,shift`: how badly the demo behaves.

import { InvalidArgumentError } from 'commander'
import type { StartSettings } from '../../app/application.ts'
import { defined } from '../../base/defined.ts'
import type { ServeSettings } from './settings.ts'

/** A quota is a limit like any other. */
export type FaultFlags = Omit<NonNullable<StartSettings['faults']>, 'random'> &
  Pick<ServeSettings, 'rateRequests' | 'rateMegabytes'> & { readonly seed: number }

export const EXAMPLE = '429=0.05,503=0.02,slow=0.1:2000,cut=0.01,quota=500,shift,seed=7'

const SHARE = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/
const DEFAULT_SLOW_MS = 2000
const MAX_SLOW_MS = 600_000

const FORMS: Readonly<Record<string, string>> = {
  '429': 'a share of the requests from 0 to 1, such as 429=0.05',
  '503': 'a share of the requests from 0 to 1, such as 503=0.02',
  cut: 'a share of the requests from 0 to 1, such as cut=0.01',
  slow: `a share of the requests from 0 to 1, and milliseconds up to ${MAX_SLOW_MS}, such as slow=0.1:2000`,
  quota: 'requests a minute, and perhaps megabytes in five minutes, such as quota=500 or quota=500:635',
  shift: 'no value',
  seed: 'a whole number of at most nine digits, such as seed=7',
}

/** Throws what was expected where a part is not understood. */
export function parseFaults(text: string): FaultFlags {
  const parts = new Map<string, string | undefined>()
  for (const part of text.split(',')) {
    const [name = '', value] = part.trim().split(/=(.*)/s)
    if (!Object.hasOwn(FORMS, name)) {
      throw new InvalidArgumentError(`'${part.trim()}' is none of ${Object.keys(FORMS).join(', ')}: ${EXAMPLE}.`)
    }
    if (parts.has(name)) throw new InvalidArgumentError(`'${name}' is there twice.`)
    parts.set(name, value)
  }
  const shift = parts.get('shift')
  if (shift !== undefined) throw unexpected('shift', shift)
  const [slow, slowMs] = pairOf(parts, 'slow', SHARE)
  const [rateRequests, rateMegabytes] = pairOf(parts, 'quota', /^[1-9]\d{0,8}$/)
  const shares = { '429': shareOf(parts, '429'), '503': shareOf(parts, '503'), slow, cut: shareOf(parts, 'cut') }
  if (Object.values(shares).reduce((sum: number, share) => sum + (share ?? 0), 0) > 1 + 1e-9) {
    throw new InvalidArgumentError('The shares of 429, 503, slow and cut are more than 1 together.')
  }
  if (slowMs !== undefined && slowMs > MAX_SLOW_MS) throw unexpected('slow', parts.get('slow'))
  return {
    shares: defined(shares),
    slowMs: slowMs ?? DEFAULT_SLOW_MS,
    isShifting: parts.has('shift'),
    seed: parts.has('seed') ? numberOf('seed', parts.get('seed'), /^\d{1,9}$/) : 1,
    ...(rateRequests !== undefined && { rateRequests }),
    ...(rateMegabytes !== undefined && { rateMegabytes }),
  }
}

type Parts = ReadonlyMap<string, string | undefined>

function shareOf(parts: Parts, name: string): number | undefined {
  return parts.has(name) ? numberOf(name, parts.get(name), SHARE) : undefined
}

/** `first:second`, of which the second is a whole number and may be left out. */
function pairOf(parts: Parts, name: string, first: RegExp): [number?, number?] {
  if (!parts.has(name)) return []
  const value = parts.get(name)
  const [one, other, ...more] = value?.split(':') ?? []
  if (more.length > 0) throw unexpected(name, value)
  const given = numberOf(name, one, first)
  return other === undefined ? [given] : [given, numberOf(name, other, /^[1-9]\d{0,8}$/)]
}

function numberOf(name: string, value: string | undefined, form: RegExp): number {
  if (value !== undefined && form.test(value)) return Number(value)
  throw unexpected(name, value)
}

function unexpected(name: string, value: string | undefined): InvalidArgumentError {
  return new InvalidArgumentError(
    `'${name}' has ${value === undefined ? 'no value' : `'${value}'`}: expected ${FORMS[name]}.`,
  )
}
