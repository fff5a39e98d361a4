// Mutations of where a mirror goes on when its process was killed.
import type { Mutation } from './mutation.ts'

export const mirrorMutations: readonly Mutation[] = [
  {
    name: 'how far a document has come is not kept with its pages',
    find: 'putDocument(tx, name, next)',
    replace: 'putDocument(tx, name, { ...next, places: {} })',
    test: ['test/reliability/durability/kill-mirror.test.ts', 'asks for hardly anything twice'],
  },
  {
    name: 'what a killed process may have asked for is not counted',
    find: 'if (ahead.requests > 0) this.#add({ at: now, ...ahead })',
    replace: '',
    test: ['test/api/mirror.faults.test.ts', 'is asked for no more by processes that are killed one after the other'],
  },
]
