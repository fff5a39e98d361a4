// Codes that rows name and that no attribute has yet: added as values, before the rows, where that is asked for.
import type { Caller } from '../access/caller.ts'
import { didYouMean } from '../base/text.ts'
import { Problem } from '../errors/problem.ts'
import { VALUES } from '../records/attribute-values/attribute-value-record.ts'
import { insertNewValue } from '../records/attribute-values/create-attribute-value.ts'
import { recordBatches } from '../records/engine/create-records.ts'
import type { ValueName } from '../records/shared/master-data/value-store.ts'
import type { DeclaredRecords } from '../records/shared/service.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { EntryNumbers } from '../store/journal/journal.ts'
import type { Tx } from '../store/store.ts'

/** Why values of the attribute cannot be added; undefined if they can. */
export function addingRefusal(company: CompanyRules, attributeId: string): string | undefined {
  const attribute = company.attributes.get(attributeId)
  if (!attribute)
    return `${company.id} has no attribute '${attributeId}'${didYouMean(attributeId, [...company.attributes.keys()])}`
  if (!attribute.manual) return `the values of ${attributeId} are those of records, or are kept by the system`
  return attribute.numbering ? `the values of ${attributeId} get their numbers by a series` : undefined
}

/** Adds codes by the rules of a POST of a value; the code is its own description. */
export function codeAdder(caller: Caller, company: CompanyRules, documents: DeclaredRecords) {
  const rules = recordBatches(caller, company, VALUES, documents, insertNewValue)
  /** Those that were added: one that breaks a rule of its attribute is not, and its row is refused as without. */
  return async (tx: Tx, codes: readonly ValueName[], numbers: EntryNumbers): Promise<ValueName[]> => {
    const values = codes.map((code) => rules.read({ ...code, description: code.attributeValue }))
    const create = await rules.prepare(tx, values)
    const added: ValueName[] = []
    for (const [at, value] of values.entries()) {
      try {
        await create(numbers.current(), value)
        numbers.use()
        added.push(codes[at] as ValueName)
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
      }
    }
    return added
  }
}

/** The codes of each attribute, in their order, for reports. */
export function byAttribute(codes: Iterable<ValueName>): [attributeId: string, values: string[]][] {
  const groups = Map.groupBy(codes, ({ attributeId }) => attributeId)
  return [...groups].map(([attributeId, group]) => [attributeId, group.map(({ attributeValue }) => attributeValue)])
}
