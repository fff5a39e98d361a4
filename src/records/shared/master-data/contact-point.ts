// Contact points: the addresses and persons of a value or a customer.
import type { Findings } from '../../../errors/findings.ts'
import { type ContactPoint, TYPE_ATTRIBUTE } from '../../../model/records/contact-point.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { required } from '../required-field.ts'
import type { LegalValues } from './value-store.ts'

/**
 * Checks that the type of each contact point is legal. Those for which `isKnown` returns true are stored and not
 * checked again.
 */
export async function checkContactPoints(
  values: LegalValues,
  company: CompanyRules,
  points: readonly ContactPoint[],
  isKnown: (point: ContactPoint) => boolean,
  findings: Findings,
): Promise<void> {
  const types = company.attributeByName(TYPE_ATTRIBUTE)
  for (const [index, { contactPointType: type, ...rest }] of points.entries()) {
    const path = ['contactPoints', index, 'contactPointType']
    if (findings.has(path) || isKnown({ contactPointType: type, ...rest })) continue
    if (type === '') findings.add(path, 1010, required(path))
    else if (!types || !(await values.isLegalValue(types.id, type))) {
      findings.add(path, 3010, `${type} is not a legal ${TYPE_ATTRIBUTE}`)
    }
  }
}
