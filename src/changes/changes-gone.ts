import { Problem } from '../errors/problem.ts'

const MESSAGE =
  'The changes after this position are no longer kept, or your rights have changed since: load the records again, then go on from the X-ERP-Change-Number of that answer.'

/** 410: a reader has to start over, because some changes after its position cannot be told. */
export class ChangesGone extends Problem {
  /** The entities to load again. */
  readonly entities: readonly string[]

  constructor(entities: readonly string[]) {
    super(410, 1020, { code: 1020, message: MESSAGE }, MESSAGE)
    this.entities = entities
  }
}
