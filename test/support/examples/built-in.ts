// The examples of each built-in record are in a file of its name.
import { BUILT_IN_NAMES } from '../../../src/model/records/built-in.ts'
import type { ExampleRequests } from './example-request.ts'

interface RecordExamples {
  readonly examples: ExampleRequests
  /** CSV to be imported. */
  readonly rows: string
  /** A patch in a line. */
  readonly changes: string
  /** Options of a query. */
  readonly question: Readonly<Record<string, string>>
}

export const BUILT_IN_EXAMPLES: readonly (readonly [string, RecordExamples])[] = await Promise.all(
  BUILT_IN_NAMES.map(async (name) => [name, (await import(`./${name}.ts`)) as RecordExamples] as const),
)
