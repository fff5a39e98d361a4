// Everything worth noticing, as one union: the log (and later the metrics) are readers of it.

export type Observation =
  | { kind: 'listening'; address: string }
  | { kind: 'stopping'; signal: string }
  | { kind: 'stopped' }
  | { kind: 'setup-applied'; file: string; created: number; changed: number; values: number }
  | { kind: 'rules-reloaded'; companies: number }
  | { kind: 'request-refused'; requestId: string; method: string; path: string; status: number; reason: string }
  | { kind: 'request-failed'; requestId: string; method: string; path: string; error: unknown }
  | { kind: 'answer-broken'; requestId: string; method: string; path: string; reason: string }
  | { kind: 'record-written'; entity: string; operation: string; companyId: string; requestId: string }
  | { kind: 'store-failed'; error: unknown }
  | { kind: 'store-warning'; message: string }
  | { kind: 'keys-rotated'; keyId: string }
  | { kind: 'text-not-read'; companyId: string; reason: string }

export type Observe = (observation: Observation) => void
