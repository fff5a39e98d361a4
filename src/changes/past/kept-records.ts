// What was gathered for an answer of the past is kept for a moment: who reads a collection in pages asks for it again
// with each page.
import { LRUCache } from 'lru-cache'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ChangeKind } from '../change-kind.ts'
import type { ChangedRecords } from './changed-records.ts'

const KEPT_MS = 30_000
/** In characters. */
const MOST = 32 * 1024 * 1024

export class KeptRecords {
  readonly #kept = new LRUCache<string, ChangedRecords>({
    maxSize: MOST,
    ttl: KEPT_MS,
    sizeCalculation: ({ size }) => size + 1,
  })

  /** Takes out what is kept, because only one answer at a time can go on with it. */
  take(company: CompanyRules, kind: ChangeKind, since: number): ChangedRecords | undefined {
    const key = keyOf(company, kind, since)
    const found = this.#kept.get(key)
    this.#kept.delete(key)
    // After another setup its rows may be others.
    return found?.company === company && found.kind.own === kind.own ? found : undefined
  }

  keep(changed: ChangedRecords): void {
    this.#kept.set(keyOf(changed.company, changed.kind, changed.since), changed)
  }
}

function keyOf({ id }: CompanyRules, { name }: ChangeKind, since: number): string {
  return JSON.stringify([id, name, since])
}
