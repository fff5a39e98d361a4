// Lookups that are asked once for what many records have in common. What was found stays true as long as nothing is
// written that it depends on.
import type { ReferenceRules } from '../../setup/rules/record-rules.ts'
import type { ReferenceLookups } from './check-others.ts'
import type { RecordLookups } from './insert-record.ts'
import { valueAt } from './record-kind.ts'

type Problem = ReturnType<ReferenceLookups['problemOf']>

/** What is at a key; made where it is not there yet. */
function madeOnce<Key, Made>(known: Map<Key, Made>, key: Key, make: () => Made): Made {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

/** Why records cannot be referred to, by the references and their values. */
export class KnownReferences implements ReferenceLookups {
  readonly #lookups: ReferenceLookups
  readonly #known = new Map<ReferenceRules, Map<string, Problem>>()

  constructor(lookups: ReferenceLookups) {
    this.#lookups = lookups
  }

  problemOf(...[references, reference, draft]: Parameters<ReferenceLookups['problemOf']>): Problem {
    const known = madeOnce(this.#known, reference, () => new Map<string, Problem>())
    const values = reference.key.map((path) => valueAt(draft, path))
    const key = values.length === 1 ? String(values[0]) : JSON.stringify(values)
    return madeOnce(known, key, () => {
      const problem = this.#lookups.problemOf(references, reference, draft)
      // A record that is missing may be added.
      const forget = () => known.delete(key)
      problem.then((found) => found === undefined || forget(), forget)
      return problem
    })
  }
}

/** For records that are checked together, before anything is written. */
export function onceEach(lookups: RecordLookups): RecordLookups {
  const legal = new Map<string, Promise<boolean>>()
  const references = new KnownReferences(lookups)
  return {
    ...lookups,
    problemOf: (...asked) => references.problemOf(...asked),
    isLegalValue: (...asked) => madeOnce(legal, JSON.stringify(asked), () => lookups.isLegalValue(...asked)),
  }
}
