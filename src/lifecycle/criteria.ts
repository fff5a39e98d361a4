// Which records a purge removes, as filters of their Enterprise Documents.

import { literalOf } from '../query/literals.ts'
import { codeOf } from '../records/engine/plain-kind.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import { documentKind } from '../records/kinds/documents.ts'
import { ENGINE_KINDS, removableKindOf } from '../records/kinds/engine-records.ts'
import type { RemovableKind } from '../records/kinds/kind.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'

export interface Criterion {
  readonly kind: RemovableKind
  readonly filter: string
  /** As a line of output says it. */
  readonly why: string
}

/** Instants in the stored form; what is absent is not asked for. */
export interface PurgeLimits {
  /** Documents whose expiry date is before it. */
  readonly expiredBefore?: string | undefined
  /** Documents that were deleted before it. */
  readonly deletedBefore?: string | undefined
  /** Customers, attribute values and records of the setup that are closed and were not changed since. */
  readonly closedBefore?: string | undefined
}

export function criteriaOf(
  company: CompanyRules,
  declaredRecords: Iterable<RecordRules>,
  limits: PurgeLimits,
): Criterion[] {
  const { expiredBefore, deletedBefore, closedBefore } = limits
  const criteria: Criterion[] = []
  if (expiredBefore !== undefined) {
    criteria.push({ kind: documentKind, filter: `expiryDate lt ${literalOf(expiredBefore)}`, why: 'expired' })
  }
  if (deletedBefore !== undefined) {
    const filter = `status eq 'T' and ${unchangedSince(deletedBefore)}`
    criteria.push({ kind: documentKind, filter, why: 'deleted' })
  }
  if (closedBefore !== undefined) criteria.push(...closedCriteria(company, [...declaredRecords], closedBefore))
  return criteria
}

function closedCriteria(company: CompanyRules, declaredRecords: readonly RecordRules[], before: string): Criterion[] {
  const criteria: Criterion[] = []
  const add = (kind: RemovableKind, isClosed: string) =>
    criteria.push({ kind, filter: `${isClosed} and ${unchangedSince(before)}`, why: 'closed' })
  for (const kind of ENGINE_KINDS) {
    const { attributeId, state } = kind.kindIn(company)
    // A company without the attribute of a kind keeps no records of it.
    if (attributeId === '' || !state) continue
    add(kind, `${state.path.join('/')} eq ${literalOf(codeOf(kind.record.fields, state.path, state.closed))}`)
  }
  for (const rules of declaredRecords) {
    if (rules.state) add(removableKindOf(rules), `${rules.state.path.join('/')} eq ${literalOf(rules.state.closed)}`)
  }
  // The value of a record that is closed goes with the record.
  const closing = [company.customers, ...declaredRecords.filter(({ state }) => state)]
  const others = closing.flatMap((one) => (one?.attributeId === undefined ? [] : [one.attributeId]))
  add(valueKind, ["status eq 'C'", ...others.map((id) => `attributeId ne ${literalOf(id)}`)].join(' and '))
  return criteria
}

function unchangedSince(instant: string): string {
  return `lastUpdated/updatedAt lt ${literalOf(instant)}`
}
