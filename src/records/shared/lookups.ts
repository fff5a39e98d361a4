// What the rules of a new record ask of the values that are there: of the store each time, or remembered for the many
// records of one write.
import type { ReadTx } from '../../store/store.ts'
import { findPresent, isLegalValue, type LegalValues } from './value-store.ts'

export interface Lookups extends LegalValues {
  /** False only when the value is there in no period: then it has no relations, and is no customer. */
  mayExist(attributeId: string, attributeValue: string): boolean
}

/** For one record. */
export function storedLookups(tx: ReadTx): Lookups {
  return {
    isLegalValue: (attributeId, attributeValue) => isLegalValue(tx, attributeId, attributeValue),
    mayExist: () => true,
  }
}

/** The attribute of a value that a record is to make, and the value itself. */
export type NewKey = readonly [attributeId: string, attributeValue: string]

interface Remembered {
  readonly present: Set<string>
  readonly legal: Map<string, boolean>
}

/** For many new records in one write. No other write of the company comes between, so what was found stays true. */
export class BatchLookups implements Lookups {
  protected readonly tx: ReadTx
  readonly #byAttribute = new Map<string, Remembered>()

  constructor(tx: ReadTx) {
    this.tx = tx
  }

  /** Finds out in one go which of the values are there. */
  async findPresent(keys: readonly NewKey[]): Promise<void> {
    const wanted = new Map<string, Set<string>>()
    for (const [attributeId, attributeValue] of keys) {
      const values = wanted.get(attributeId)
      if (values) values.add(attributeValue)
      else wanted.set(attributeId, new Set([attributeValue]))
    }
    for (const [attributeId, values] of wanted) {
      const { present } = this.#of(attributeId)
      for (const value of await findPresent(this.tx, attributeId, [...values])) present.add(value)
    }
  }

  async isLegalValue(attributeId: string, attributeValue: string): Promise<boolean> {
    const { legal } = this.#of(attributeId)
    let isLegal = legal.get(attributeValue)
    if (isLegal === undefined) {
      isLegal = await isLegalValue(this.tx, attributeId, attributeValue)
      legal.set(attributeValue, isLegal)
    }
    return isLegal
  }

  mayExist(attributeId: string, attributeValue: string): boolean {
    return this.#of(attributeId).present.has(attributeValue)
  }

  /** A record has made the value, or a further period of it. */
  add([attributeId, attributeValue]: NewKey): void {
    const { present, legal } = this.#of(attributeId)
    present.add(attributeValue)
    legal.delete(attributeValue)
  }

  #of(attributeId: string): Remembered {
    let remembered = this.#byAttribute.get(attributeId)
    if (!remembered) {
      remembered = { present: new Set(), legal: new Map() }
      this.#byAttribute.set(attributeId, remembered)
    }
    return remembered
  }
}
