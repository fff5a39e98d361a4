// The order of test files: what takes long begins first, so that no worker is left alone with it at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ORDER = ['measured', 'long', 'quick']

export class LongestFirst extends BaseSequencer {
  /** Within a project as Vitest has it: by the times of earlier runs, or else by the sizes of the files. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name)
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}
