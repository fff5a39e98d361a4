// The settings of a run. Some flags have an environment variable: `--only` is BENCH_ONLY.
import { parseArgs } from 'node:util'
import { QUICK, REAL, type Scale } from './records/scale.ts'

export interface Settings {
  readonly scale: Scale
  /** The duration of each measurement, after the warm-up. */
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly rounds: number
  /** Whether a workload, or a subject, is selected. */
  isWanted(name: string): boolean
  isSubject(name: string): boolean
  /** Whether a start on ten million ledger lines is measured too. */
  readonly isLarge: boolean
  /** Whether the tables are written into the page of measurements. */
  readonly isWritten: boolean
  /** Whether each process writes a processor profile to data/. */
  readonly isProfiled: boolean
}

const FLAGS = {
  quick: { type: 'boolean', default: process.env.BENCH_QUICK === '1' },
  seconds: { type: 'string', default: process.env.BENCH_SECONDS },
  'warm-up': { type: 'string', default: process.env.BENCH_WARM_UP },
  rounds: { type: 'string', default: process.env.BENCH_ROUNDS },
  only: { type: 'string', default: process.env.BENCH_ONLY ?? '' },
  subjects: { type: 'string', default: process.env.BENCH_SUBJECTS ?? '' },
  large: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: process.env.BENCH_PROFILE === '1' },
} as const

/** Throws on an unknown flag or an invalid number. */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  const { quick } = values
  return {
    scale: quick ? QUICK : REAL,
    seconds: positive('seconds', values.seconds ?? (quick ? '2' : '5')),
    warmUpSeconds: positive('warm-up', values['warm-up'] ?? (quick ? '1' : '2')),
    rounds: positive('rounds', values.rounds ?? (quick ? '2' : '3')),
    isWanted: namedIn(values.only),
    isSubject: namedIn(values.subjects),
    isLarge: values.large,
    isWritten: values.write,
    isProfiled: values.profile,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${name} must be a whole number above 0, not '${text}'`)
}

/** Matches names that contain one of the parts, which are separated by commas; an empty list matches all. */
function namedIn(list: string): (name: string) => boolean {
  const parts = list.toLowerCase().split(',').filter(Boolean)
  return (name) => parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part))
}
