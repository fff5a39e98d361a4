// Measurements other than request rates: seconds, rows per second, memory.

export interface Figure {
  readonly work: string
  /** One value for each round; empty after a failure. */
  readonly rounds: readonly number[]
  readonly unit: 'times' | 's' | 'ms' | 'us' | 'rows/s' | 'MB/s' | 'MiB'
  /** Further measurements without a target, as text. */
  readonly beside: string
}

export const FAILED = 'failed; the log of the run says why'

/** Runs a trial. A failed one becomes a figure without rounds, because the rest of a long run is still useful. */
export async function tried(work: string, trial: () => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  try {
    return await trial()
  } catch (error) {
    process.stderr.write(`${work}: ${error}\n`)
    process.exitCode = 1
    return [{ work, rounds: [], unit: 'times', beside: FAILED }]
  }
}
