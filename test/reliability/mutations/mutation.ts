interface Edit {
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
}

/** A bug that a named test must catch: `npm run test:planted` plants each and runs its test. */
export interface Mutation extends Edit {
  readonly name: string
  /** The source file that is changed, from the project's root. */
  readonly file: string
  /** A second place of the same file. */
  readonly also?: Edit
  /** The test file that must fail, and the part of the test's name that must be among the failed. */
  readonly test: readonly [file: string, name: string]
}
