// The number of records.

export interface Scale {
  readonly name: 'quick' | 'real' | 'large'
  readonly values: number
  readonly customers: number
  readonly ledgerLines: number
  readonly documents: number
}

export const REAL: Scale = {
  name: 'real',
  values: 200_000,
  customers: 100_000,
  ledgerLines: 1_000_000,
  documents: 2_000,
}

/** A twentieth of the data, for work on the benchmark itself. */
export const QUICK: Scale = { name: 'quick', values: 10_000, customers: 5_000, ledgerLines: 50_000, documents: 200 }

/** Ten times the ledger, used only to measure a start. */
export const LARGE: Scale = { ...REAL, name: 'large', ledgerLines: 10_000_000 }
