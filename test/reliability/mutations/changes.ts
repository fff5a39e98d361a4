// Mutations of what a caller is told of changes.
import type { Mutation } from './mutation.ts'

const TEST: Mutation['test'] = [
  'test/api/changes-rights.test.ts',
  'are told so that each copy equals the collection as its caller reads it, after every write',
]

export const changeMutations: readonly Mutation[] = [
  {
    name: 'the conditions of a feed are asked of the state after a change only',
    find: "return [...stateOf(['before'], before, unseen.before), ...stateOf(['after'], after, unseen.after)]",
    replace: "return stateOf(before === '' ? ['after'] : ['before', 'after'], after, unseen.after)",
    test: TEST,
  },
  {
    name: 'a record that has left is told with more than its key',
    find: 'return before ? { ...inView, operation: operationOf(change, false) } : undefined',
    replace: 'return before ? { ...inView, record: change.after, operation: operationOf(change, false) } : undefined',
    test: TEST,
  },
]
