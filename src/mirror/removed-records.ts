// Finds out which records the source has removed, and removes them. A record is taken for removed only when a read of
// its own key says so while others, the witnesses, are still shown: what the mirror may no longer see looks empty.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../base/strict-json.ts'
import type { CopiedKind } from '../records/kinds/copied-records.ts'
import { type DocumentReader, NotFiltered, ShowsNothing, withState } from './document-reader.ts'
import type { DocumentWriter } from './document-writer.ts'

/** The texts of a record's key. */
export type KeyTexts = readonly string[]

/** Where the source shows nothing, at most as many are asked for by paths of their own. */
const MOST_LAST = 100

interface Asking {
  /** Whether a client waits for it. */
  readonly isUrgent?: boolean
  readonly signal?: AbortSignal | undefined
  /** Keys of records that the source has shown; none: nothing is removed. */
  readonly witnesses?: readonly KeyTexts[]
  /** Whether the source has said of the records that they are gone: where no others are here, that is enough. */
  readonly isSure?: boolean
}

interface RemovedParts {
  /** That of the document. */
  readonly name: string
  readonly kind: CopiedKind
  readonly states: readonly string[]
  readonly reader: DocumentReader
  readonly writer: DocumentWriter
}

export class RemovedRecords {
  readonly #parts: RemovedParts

  constructor(parts: RemovedParts) {
    this.#parts = parts
  }

  /** Asks for records by their own keys: writes what is there, removes the others; returns how many these were. */
  async confirm(keys: readonly KeyTexts[], asking: Asking): Promise<number> {
    let removed = 0
    const { keysAtOnce } = this.#parts.reader
    for (let at = 0; at < keys.length; at += keysAtOnce) {
      const some = keys.slice(at, at + keysAtOnce)
      const found = new Set<string>()
      for (const state of this.#parts.states) {
        for (const key of (await this.#findSome(some, asking, [state])).found) found.add(key)
      }
      const gone = some.filter((key) => !found.has(JSON.stringify(key)))
      if (gone.length > 0) removed += await this.#removeGone(gone, asking)
    }
    return removed
  }

  /** Reads the record with this key again. `isGone`: the source has just said that it has removed it. */
  async refresh(key: KeyTexts, { isGone = false } = {}): Promise<void> {
    const known = this.#parts.kind.keyFrom(key)
    if (!known) return
    if (!this.#parts.reader.abilities.isFiltered) return this.#refreshAlone(known.texts, isGone)
    const witnesses = await this.#witnessesBut(known.texts)
    await this.confirm([known.texts], { isUrgent: true, witnesses, isSure: isGone })
  }

  /** Removes all records, if the source says of each that it is gone; returns how many these were. */
  async removeLast(signal: AbortSignal): Promise<number | undefined> {
    const since = await this.#parts.writer.lastEntry()
    const gone: KeyTexts[] = []
    for await (const keys of this.#parts.writer.keys(MOST_LAST)) {
      for (const { texts } of keys) {
        if (gone.length === MOST_LAST || (await this.#parts.reader.readOne(texts, { signal })) !== 'gone')
          return undefined
        gone.push(texts)
      }
    }
    return gone.length - (await this.#parts.writer.remove(gone, since))
  }

  /** Those of the records that are gone by their own paths; undefined where the source has none. */
  async goneAlone(keys: readonly KeyTexts[], witnesses: readonly KeyTexts[], signal: AbortSignal) {
    const hadSingles = this.#parts.reader.abilities.hasSingles
    const hasSingles = await this.#showsSingle(witnesses, { signal })
    if (hadSingles && !hasSingles) throw new ShowsNothing(this.#parts.name)
    this.#parts.reader.abilities = { ...this.#parts.reader.abilities, hasSingles }
    if (!hasSingles) return undefined
    const gone: KeyTexts[] = []
    let isSure = true
    for (const key of keys) {
      const found = await this.#parts.reader.readOne(key, { signal })
      // Some sources find a key in other letters too.
      const isOther = found !== undefined && found !== 'gone' && !isDeepStrictEqual(this.#keyOf(found, ''), key)
      if (found === undefined) isSure = false
      else if (found === 'gone' || isOther) gone.push(key)
    }
    return { gone, isSure }
  }

  /** By its own path, where the source does not find it by its key otherwise. */
  async #refreshAlone(texts: KeyTexts, isGone: boolean): Promise<void> {
    const since = await this.#parts.writer.lastEntry()
    const found = await this.#parts.reader.readOne(texts, { isUrgent: true })
    if (found === undefined) throw new NotFiltered(this.#parts.name)
    if (found !== 'gone') await this.#parts.writer.write({ rows: [found], state: '', since })
    else if (isGone || (await this.#showsSingle(await this.#witnessesBut(texts), { isUrgent: true }))) {
      await this.#parts.writer.remove([texts], since)
    }
  }

  /** Whether the source answers one of these records, which it has, by its own path. */
  async #showsSingle(
    witnesses: readonly KeyTexts[],
    asking: Parameters<DocumentReader['readOne']>[1],
  ): Promise<boolean> {
    for (const texts of witnesses) {
      const found = await this.#parts.reader.readOne(texts, asking)
      if (found !== undefined && found !== 'gone') return true
    }
    return false
  }

  async #witnessesBut(texts: KeyTexts): Promise<readonly KeyTexts[]> {
    for await (const keys of this.#parts.writer.keys(3)) {
      return keys.map((key) => key.texts).filter((key) => JSON.stringify(key) !== JSON.stringify(texts))
    }
    return []
  }

  /** Writes those of the records that the source has in these states; returns the keys that it has not. */
  async #findSome(keys: readonly KeyTexts[], asking: Asking, states: readonly string[]) {
    const { isUrgent, signal } = asking
    const since = await this.#parts.writer.lastEntry()
    const rows = await this.#parts.reader.find(keys, { states, isUrgent, signal })
    const [state = ''] = states
    const found = new Set(rows.map((row) => JSON.stringify(this.#keyOf(row, state))))
    // Records of several states tell by themselves in which they are, or not at all.
    if (states.length === 1) await this.#parts.writer.write({ rows, state, since }, {}, signal)
    return { since, found }
  }

  #keyOf(row: JsonObject, state: string): KeyTexts | undefined {
    return this.#parts.kind.read(withState(row, state))?.key.texts
  }

  /**
   * Removes records that are in no state, all of which are asked for at once: a record goes from one to another. At
   * least one witness, which the source has shown, must be shown again: what the mirror may not see is an empty list.
   */
  async #removeGone(keys: readonly KeyTexts[], asking: Asking): Promise<number> {
    const { witnesses = [], isSure = false } = asking
    if (witnesses.length === 0 && !isSure) return 0
    const { since, found } = await this.#findSome([...keys, ...witnesses], asking, this.#parts.states)
    const isShown = witnesses.length === 0 || witnesses.some((key) => found.has(JSON.stringify(key)))
    if (!isShown) throw new ShowsNothing(this.#parts.name)
    return this.#parts.writer.remove(
      keys.filter((key) => !found.has(JSON.stringify(key))),
      since,
    )
  }
}
