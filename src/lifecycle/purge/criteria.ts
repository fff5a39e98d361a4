// Which records a purge removes, as filters of their Enterprise Documents.
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { literalOf } from '../references.ts'
import type { RecordKind } from '../removal/record-name.ts'

export interface Criterion {
  readonly kind: RecordKind
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
  /** Customers and attribute values that are closed and were not changed since. */
  readonly closedBefore?: string | undefined
}

export function criteriaOf(company: CompanyRules, limits: PurgeLimits): Criterion[] {
  const { expiredBefore, deletedBefore, closedBefore } = limits
  const criteria: Criterion[] = []
  const unchangedSince = (instant: string) => `lastUpdated/updatedAt lt ${literalOf(instant)}`
  if (expiredBefore !== undefined) {
    criteria.push({ kind: 'document', filter: `expiryDate lt ${literalOf(expiredBefore)}`, why: 'expired' })
  }
  if (deletedBefore !== undefined) {
    const filter = `status eq 'T' and ${unchangedSince(deletedBefore)}`
    criteria.push({ kind: 'document', filter, why: 'deleted' })
  }
  if (closedBefore !== undefined) {
    const since = unchangedSince(closedBefore)
    if (company.customers)
      criteria.push({ kind: 'customer', filter: `payment/status eq 'C' and ${since}`, why: 'closed' })
    // The value of a customer goes with its customer.
    const isOther = company.customers ? ` and attributeId ne ${literalOf(company.customers.attributeId)}` : ''
    criteria.push({ kind: 'value', filter: `status eq 'C' and ${since}${isOther}`, why: 'closed' })
  }
  return criteria
}
