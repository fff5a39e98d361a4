// Legal holds: what a setup says must be kept is neither purged nor erased. Their filters are bound by the engine that
// answers queries, and asked for one record within the write that would remove it.
import type { DocumentDefinition } from '../model/document.ts'
import { planFilter } from '../query/plan.ts'
import { keyOf } from '../records/engine/record.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import type { RemovableKind } from '../records/kinds/kind.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { compileCount } from '../sql/compile/compile-query.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import type { ReadTx } from '../store/store.ts'
import { keyFilterOf, type RecordName, valueBehind } from './record-name.ts'

/** The definition of an Enterprise Document for the company. */
type DefinitionOf = (kind: RemovableKind) => DocumentDefinition

/** The id of a hold that keeps the record; undefined when there is none. */
export async function findHold(
  tx: ReadTx,
  company: CompanyRules,
  definitionOf: DefinitionOf,
  target: RecordName,
): Promise<string | undefined> {
  for (const { id, document, filter } of company.holds) {
    if (document === undefined) return id
    for (const held of withValue(company, target)) {
      if (document !== held.kind.document) continue
      if (filter === undefined || (await meets(tx, definitionOf(held.kind), filter, keyFilterOf(held)))) return id
    }
  }
  return undefined
}

/** A record goes with its value, which may be held by itself. */
function withValue(company: CompanyRules, target: RecordName): readonly RecordName[] {
  const value = target.kind === valueKind ? undefined : valueBehind(company, target)
  return value ? [target, { kind: valueKind, key: keyOf(valueKind, { ...value, periodFrom: 0 }) }] : [target]
}

/** Whether the record with this key meets a filter now. */
export async function meets(
  tx: ReadTx,
  definition: DocumentDefinition,
  filter: string,
  key: KeyFilter,
): Promise<boolean> {
  const scope: KeyFilter = [[definition.companyColumn, tx.companyId], ...key]
  const bound = planFilter(definition, filter)
  return (await tx.count((dialect) => compileCount(definition, bound, scope, dialect))) > 0
}
