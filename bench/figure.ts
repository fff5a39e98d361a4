// What is measured but is no rate of requests: seconds, rows a second, memory.

export interface Figure {
  readonly work: string
  /** One for each round; none where it failed. */
  readonly rounds: readonly number[]
  readonly unit: 'times' | 's' | 'us' | 'rows/s' | 'MiB'
  /** What belongs to it and has no goal. */
  readonly beside: string
}

export const FAILED = 'failed; the log of the run says why'

/** What a trial measures; one that fails is told as a figure without rounds, because the rest of a long run is worth having. */
export async function tried(work: string, trial: () => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  try {
    return await trial()
  } catch (error) {
    process.stderr.write(`${work}: ${error}\n`)
    process.exitCode = 1
    return [{ work, rounds: [], unit: 'times', beside: FAILED }]
  }
}
