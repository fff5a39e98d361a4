// Changes that tell nothing new of how records were at a moment: those of records whose state of then is known, and of
// records that were created since. They are passed over by their entries alone, because texts take many times as long.
import { byEntity, type JournaledKind } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { ERASED_KEY } from '../../store/audit/erased-entry.ts'
import { headOf, type LogHead } from '../log/log-entry.ts'
import type { LogTx } from '../log/log-source.ts'
import { findLogEnd, listHeads } from '../log/log-store.ts'
import { OwnerStates } from '../log/owner-states.ts'
import { entitiesOf } from '../log/read-changes.ts'

/** So many numbers are passed over at once: their entries are read in a few milliseconds. */
const NUMBERS_AT_ONCE = 1_000

/** What is found in entries that were passed over. */
export interface Unread {
  readonly upTo: number
  /** Whether there are no more. */
  readonly isAtEnd: boolean
  /** The keys of records that were created, as JSON. */
  readonly created: readonly string[]
  readonly changes: number
}

export class UnreadChanges {
  readonly #kind: JournaledKind
  readonly #owners: OwnerStates
  readonly #entities: readonly string[]
  /** The values behind records that are known, to which entries of relations belong. */
  readonly #subjects = new Set<string>()

  constructor(company: CompanyRules, kind: JournaledKind) {
    const kinds = byEntity([kind])
    this.#kind = kind
    this.#owners = new OwnerStates(company, kinds)
    this.#entities = entitiesOf(kinds)
  }

  /** From now on the state of then of a record is known. */
  know(key: string): void {
    const subject = this.#owners.subjectOf({ entity: this.#kind.journalEntity, recordKey: key })
    if (subject !== undefined) this.#subjects.add(subject)
  }

  /** The next entries, if the texts of none of them are needed. */
  async passOver(tx: LogTx, after: number, isKnown: (key: string) => boolean): Promise<Unread | undefined> {
    // An import of own records may have one entry for many of them, which only its text tells.
    if (this.#kind.own) return undefined
    const { last, oldest } = await findLogEnd(tx)
    if (after < oldest) return undefined
    const upTo = Math.min(last, after + NUMBERS_AT_ONCE)
    const rows = await listHeads(tx, { after, upTo, entities: this.#entities, most: NUMBERS_AT_ONCE })
    const created = new Set<string>()
    const subjects = new Set<string>()
    let changes = 0
    for (const row of rows) {
      if (row.record_key === ERASED_KEY) return undefined
      const head = headOf(row)
      const subject = this.#owners.subjectOf(head) ?? ''
      if (this.#isOwn(head)) {
        changes += 1
        if (head.operation === 'create' && !isKnown(head.recordKey)) {
          created.add(head.recordKey)
          subjects.add(subject)
        } else if (!isKnown(head.recordKey) && !created.has(head.recordKey)) return undefined
      } else if (!this.#subjects.has(subject) && !subjects.has(subject)) return undefined
      await tx.steps.pause()
    }
    return { upTo, isAtEnd: upTo >= last, created: [...created], changes }
  }

  #isOwn({ entity }: LogHead): boolean {
    return entity === this.#kind.journalEntity
  }
}
