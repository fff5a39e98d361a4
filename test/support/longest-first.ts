// The order of test files: the longest start first, so that no worker is left alone with one at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ORDER = ['measured', 'slow', 'quick']

export class LongestFirst extends BaseSequencer {
  /** Within a project the order is Vitest's: by the durations of earlier runs, or else by the sizes of the files. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project }: TestSpecification) => ORDER.findIndex((name) => project.name.startsWith(name))
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}
