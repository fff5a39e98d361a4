// What is measured but is no rate of requests: seconds, rows a second, memory.

export interface Figure {
  readonly work: string
  /** One for each round. */
  readonly rounds: readonly number[]
  readonly unit: 'times' | 's' | 'us' | 'rows/s' | 'MiB'
  /** What belongs to it and has no goal. */
  readonly beside: string
}

export interface Trial {
  readonly name: string
  run(): Promise<readonly Figure[]>
}
