// What a run measures and for how long. Each flag has a variable: `--only` is BENCH_ONLY.
import { parseArgs } from 'node:util'

export interface Settings {
  /** For each cell of the table, after the warm-up. */
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly rounds: number
  /** Parts of workload names; none are all. */
  readonly only: readonly string[]
  /** Names of subjects to measure; none are all. */
  readonly subjects: readonly string[]
  /** Whether the table goes into docs/performance.md. */
  readonly isWritten: boolean
  /** Whether each process leaves a processor profile in data/. */
  readonly isProfiled: boolean
}

const FLAGS = {
  seconds: { type: 'string', default: process.env.BENCH_SECONDS ?? '5' },
  'warm-up': { type: 'string', default: process.env.BENCH_WARM_UP ?? '2' },
  rounds: { type: 'string', default: process.env.BENCH_ROUNDS ?? '3' },
  only: { type: 'string', default: process.env.BENCH_ONLY ?? '' },
  subjects: { type: 'string', default: process.env.BENCH_SUBJECTS ?? '' },
  write: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: process.env.BENCH_PROFILE === '1' },
} as const

/** Throws when a flag is unknown or a number is none. */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({ args: [...args], options: FLAGS })
  return {
    seconds: positive('seconds', values.seconds),
    warmUpSeconds: positive('warm-up', values['warm-up']),
    rounds: positive('rounds', values.rounds),
    only: listed(values.only),
    subjects: listed(values.subjects),
    isWritten: values.write,
    isProfiled: values.profile,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${name} must be a whole number above 0, not '${text}'`)
}

function listed(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}
