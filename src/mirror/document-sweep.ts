// Looks through all keys of the source: writes the records that are missing here, and removes those that are only here.

import type { CopiedKind } from '../records/kinds/copied-records.ts'
import type { RecordKey } from '../records/shared/record-type.ts'
import type { DocumentPages } from './document-pages.ts'
import { type DocumentReader, type WalkedPage, withState } from './document-reader.ts'
import type { DocumentWriter } from './document-writer.ts'
import { KeySet } from './key-set.ts'
import type { KeyTexts, RemovedRecords } from './removed-records.ts'

interface SweptParts {
  readonly kind: CopiedKind
  readonly states: readonly string[]
  readonly reader: DocumentReader
  readonly writer: DocumentWriter
  readonly pages: DocumentPages
  readonly removed: RemovedRecords
}

/** One look through all keys. */
export class DocumentSweep {
  readonly #parts: SweptParts
  readonly #known = new KeySet()
  /** Some of the keys that the source has shown. */
  readonly #witnesses: KeyTexts[] = []
  /** Whether pages have shifted meanwhile: some records may not have been seen. */
  hasShifted = false

  constructor(parts: SweptParts) {
    this.#parts = parts
  }

  /** How many records the source has. */
  get size(): number {
    return this.#known.size
  }

  /** Reads all keys, and the records that are missing here. */
  async readKeys(signal: AbortSignal): Promise<void> {
    const { states, reader, writer, pages, removed } = this.#parts
    for (const state of states) {
      for await (const page of pages.read({ state, select: reader.keyNames }, signal)) {
        const keys = this.#see(page, state)
        const [first, last] = [keys[0], keys.at(-1)]
        if (this.#witnesses.length === 0 && first) this.#witnesses.push(first.texts)
        if (last) this.#witnesses.splice(1, 1, last.texts)
        await removed.confirm(await writer.missing(keys), { signal })
      }
    }
  }

  /** Reads all records, where the source does not find them by their keys. */
  async readRecords(signal: AbortSignal): Promise<void> {
    const { states, pages } = this.#parts
    for (const state of states) {
      for await (const page of pages.read({ state }, signal)) {
        const [first] = this.#see(page, state)
        if (this.#witnesses.length < 2 && first) this.#witnesses.push(first.texts)
        await pages.write({ ...page, state }, signal)
      }
    }
  }

  #see({ rows, hasShifted }: WalkedPage, state: string): readonly RecordKey[] {
    this.hasShifted ||= hasShifted
    const keys: RecordKey[] = []
    for (const row of rows) {
      const key = this.#parts.kind.read(withState(row, state))?.key
      if (!key) continue
      this.#known.add(key.texts)
      keys.push(key)
    }
    return keys
  }

  #unseen(keys: readonly RecordKey[]): readonly KeyTexts[] {
    return keys.map(({ texts }) => texts).filter((texts) => !this.#known.has(texts))
  }

  /** Removes what was not seen, and is gone by its own key; returns how many records are here then. */
  async removeUnseen(signal: AbortSignal): Promise<number> {
    const { writer, removed } = this.#parts
    let rows = 0
    for await (const keys of writer.keys()) {
      const gone = await removed.confirm(this.#unseen(keys), { signal, witnesses: this.#witnesses })
      rows += keys.length - gone
    }
    return rows
  }

  /**
   * Removes what was not seen, when a read of its own path says so. Where the source has no such paths: what two sweeps
   * in turn have not seen, both with no page shifted. There is no other way to know then. `missedBefore` is what the
   * sweep before has not seen. `isSure`: the source has said of each what it is.
   */
  async removeMissed(missedBefore: KeySet | undefined, signal: AbortSignal) {
    const { writer, removed } = this.#parts
    const missed = new KeySet()
    let [rows, isSure] = [0, true]
    for await (const keys of writer.keys()) {
      const since = await writer.lastEntry()
      const gone = this.#unseen(keys)
      const alone = gone.length > 0 ? await removed.goneAlone(gone, this.#witnesses, signal) : undefined
      const twice = gone.filter((texts) => !this.hasShifted && missedBefore?.has(texts))
      for (const texts of gone) missed.add(texts)
      if (alone && !alone.isSure) isSure = false
      rows += keys.length - (await writer.remove(alone?.gone ?? twice, since))
    }
    return { rows, isSure, missed }
  }
}
