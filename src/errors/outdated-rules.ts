import { Problem } from './problem.ts'

/** 503: the write follows rules that a later setup has replaced. */
export class OutdatedRules extends Problem {
  constructor() {
    const message = 'Another setup was applied meanwhile. Nothing was written; try again.'
    super(503, 1020, { code: 1020, message }, message, { headers: { 'retry-after': '1' } })
  }
}
