// How many records there are.

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

/** A twentieth, for whoever works on the benchmark or with it. */
export const QUICK: Scale = { name: 'quick', values: 10_000, customers: 5_000, ledgerLines: 50_000, documents: 200 }

/** Only to start the service on: ten times the ledger. */
export const LARGE: Scale = { ...REAL, name: 'large', ledgerLines: 10_000_000 }
