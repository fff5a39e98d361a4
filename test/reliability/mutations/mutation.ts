/** A deliberate bug that a named test must catch: `npm run test:mutations` makes each in a copy and runs its test. */
export interface Mutation {
  readonly name: string
  /** Stands in `src` exactly once. No file is named, so that sources may move. */
  readonly find: string
  readonly replace: string
  /** The test runs on PostgreSQL, otherwise on SQLite. */
  readonly needsPostgres?: true
  /** The test file that must fail, and a part of the name of the failing test. */
  readonly test: readonly [file: string, name: string]
}
