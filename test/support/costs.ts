// What tests cost besides their time: the programs that they start, and the worlds that they make or copy.

export interface Costs {
  /** Starts of `tabularium` as a process of its own. */
  programs: number
  /** Places made from nothing, with all migrations. */
  made: number
  /** Setups applied to a copy of such a place. */
  setUp: number
  /** Copies of such places. */
  copied: number
  /** Processor time of the process and of those that it has started and that have ended, in milliseconds. */
  processorMs: number
}

/** A complete `npm test` that costs more fails. */
export const BUDGET = { programs: 90, made: 60, setUp: 150 } as const

/** Counted since the process started; it runs one test file after the other. */
export const counted = { programs: 0, made: 0, setUp: 0, copied: 0 }
