// Lookups of existing attribute values for the rules of new records: from the store each time, or cached for the many
// records of one batch.

import { getOrInsert } from '../../../base/memo.ts'
import type { RelatedValue } from '../../../model/records/related-value.ts'
import type { CompanyRules, LegalValuesOf } from '../../../setup/rules/rules.ts'
import type { ReadTx } from '../../../store/store.ts'
import { type Checking, findOpen, findPresent, isLegalValue, type LegalValues, type ValueName } from './value-store.ts'

/** Lookups without a cache, for one record. */
export function storedLookups(tx: ReadTx): LegalValues {
  return { isLegalValue: (attributeId, attributeValue) => isLegalValue(tx, attributeId, attributeValue) }
}

interface CachedValues {
  readonly present: Set<string>
  readonly legal: Map<string, boolean | Promise<boolean>>
}

/**
 * The answer to a question that is asked once, as long as the answer stays true; a failure is asked for again. It is a
 * promise until it is there.
 */
export function askedOnce<Key, Answer>(
  known: Map<Key, Answer | Promise<Answer>>,
  key: Key,
  ask: () => Promise<Answer>,
  staysTrue: (answer: Answer) => boolean,
): Answer | Promise<Answer> {
  if (known.has(key)) return known.get(key) as Answer | Promise<Answer>
  const asked = ask()
  known.set(key, asked)
  const settle = (change: () => void) => {
    if (known.get(key) === asked) change()
  }
  const forget = () => settle(() => known.delete(key))
  asked.then((answer) => (staysTrue(answer) ? settle(() => known.set(key, answer)) : forget()), forget)
  return asked
}

/** Cached lookups for a batch. No other write of the company runs in between, so the cached results stay valid. */
export class BatchLookups implements LegalValues {
  protected readonly tx: ReadTx
  readonly #byAttribute = new Map<string, CachedValues>()

  constructor(tx: ReadTx) {
    this.tx = tx
  }

  /** Loads with one statement per attribute which of the values exist. */
  async findPresent(names: readonly ValueName[]): Promise<void> {
    for (const [attributeId, group] of Map.groupBy(names, (name) => name.attributeId)) {
      const { present } = this.#of(attributeId)
      const values = new Set(group.map(({ attributeValue }) => attributeValue))
      for (const value of await findPresent(this.tx, attributeId, [...values])) present.add(value)
    }
  }

  /** Loads in the same way which of the values of attributes are legal. */
  async findLegal(codes: CodesToFind): Promise<void> {
    for (const [attributeId, values] of codes.byAttribute) {
      const { legal } = this.#of(attributeId)
      const unknown = [...values].filter((value) => !legal.has(value))
      if (unknown.length === 0) continue
      for (const value of await findOpen(this.tx, attributeId, unknown)) legal.set(value, true)
    }
  }

  isLegalValue(attributeId: string, attributeValue: string): boolean | Promise<boolean> {
    const { legal } = this.#of(attributeId)
    // One that is missing may be added.
    const ask = () => isLegalValue(this.tx, attributeId, attributeValue)
    return askedOnce(legal, attributeValue, ask, (isLegal) => isLegal)
  }

  /** False only when the value exists in no period: then it has no relations and is no record. */
  mayExist(attributeId: string, attributeValue: string): boolean {
    return this.#of(attributeId).present.has(attributeValue)
  }

  /** Adds a value, or a further period of one, that a record of the batch has created. */
  add({ attributeId, attributeValue }: ValueName): void {
    const { present, legal } = this.#of(attributeId)
    present.add(attributeValue)
    legal.delete(attributeValue)
  }

  #of(attributeId: string): CachedValues {
    return getOrInsert(this.#byAttribute, attributeId, () => ({ present: new Set(), legal: new Map() }))
  }
}

/** Codes that must be legal values, by their attributes. */
export class CodesToFind {
  readonly byAttribute = new Map<string, Set<string>>()

  add(attributeId: string | undefined, code: string): void {
    if (attributeId !== undefined && code !== '') getOrInsert(this.byAttribute, attributeId, () => new Set()).add(code)
  }

  addRelated(company: CompanyRules, items: readonly RelatedValue[]): void {
    for (const { relationId, relatedValue } of items) {
      this.add(company.relationById(relationId)?.relatedAttributeId, relatedValue)
    }
  }
}

/** Whether a code is in the value list, or an open value of the attribute, that the setup names for a field. */
export function isLegalCode(
  { values, company }: Checking,
  legal: LegalValuesOf,
  code: string,
): boolean | Promise<boolean> {
  if ('valueList' in legal) return company.valueLists.has(legal.valueList, code)
  return values.isLegalValue(legal.attributeId, code)
}
