// The records whose states of a moment are known. Their further changes tell nothing new of it, and a record that was
// created since was not there: such changes are passed over by their entries alone, because texts take many times as
// long.
import { byEntity, type JournaledKind } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { ERASED_KEY } from '../../store/audit/erased-entry.ts'
import { headOf } from '../log-entry.ts'
import type { LogTx } from '../log-source.ts'
import { findLogEnd, listHeads } from '../log-store.ts'
import { OwnerStates } from '../owner-states.ts'
import { entitiesOf } from '../read-changes.ts'

/** So many numbers are passed over at once: their entries are read in a few milliseconds. */
const NUMBERS_AT_ONCE = 1_000

/** The entries that were passed over. */
interface PassedOver {
  readonly upTo: number
  /** Whether there are no more. */
  readonly isAtEnd: boolean
  readonly changes: number
}

export class KnownRecords {
  readonly #kind: JournaledKind
  readonly #owners: OwnerStates
  readonly #entities: readonly string[]
  readonly #keys = new Set<string>()
  /** The values behind these records, to which entries of relations belong. */
  readonly #subjects = new Set<string>()
  #text = ''

  constructor(company: CompanyRules, kind: JournaledKind) {
    const kinds = byEntity([kind])
    this.#kind = kind
    this.#owners = new OwnerStates(company, kinds)
    this.#entities = entitiesOf(kinds)
  }

  get size(): number {
    return this.#keys.size
  }

  /** The keys as JSON, with commas between: there may be too many to join them in one step. */
  get text(): string {
    return this.#text
  }

  /** Takes the key as JSON, as all of these do. */
  has(key: string): boolean {
    return this.#keys.has(key)
  }

  add(key: string): void {
    this.#keys.add(key)
    this.#text += this.#text === '' ? key : `,${key}`
    const subject = this.#owners.subjectOf({ entity: this.#kind.journalEntity, recordKey: key })
    if (subject !== undefined) this.#subjects.add(subject)
  }

  /** The next entries, if the texts of none of them are needed. Adds the records that they create in any case. */
  async passOver(tx: LogTx, after: number): Promise<PassedOver | undefined> {
    const { last, oldest } = await findLogEnd(tx)
    if (after < oldest) return undefined
    const upTo = Math.min(last, after + NUMBERS_AT_ONCE)
    const rows = await listHeads(tx, { after, upTo, entities: this.#entities, most: NUMBERS_AT_ONCE })
    let changes = 0
    for (const row of rows) {
      if (row.record_key === ERASED_KEY) return undefined
      const head = headOf(row)
      if (head.entity === this.#kind.journalEntity) {
        changes += 1
        if (head.operation === 'create' && !this.has(head.recordKey)) this.add(head.recordKey)
        if (!this.has(head.recordKey)) return undefined
      } else if (!this.#subjects.has(this.#owners.subjectOf(head) ?? '')) return undefined
      await tx.steps.pause()
    }
    return { upTo, isAtEnd: upTo >= last, changes }
  }
}
