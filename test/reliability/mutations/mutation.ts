interface Edit {
  /** Occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
}

/** A deliberate bug that a named test must catch: `npm run test:mutations` makes each in a copy and runs its test. */
export interface Mutation extends Edit {
  readonly name: string
  /** The source file that is changed, from the project's root. */
  readonly file: string
  /** A second position in the same file. */
  readonly also?: Edit
  /** The test file that must fail, and a part of the name of the failing test. */
  readonly test: readonly [file: string, name: string]
}
