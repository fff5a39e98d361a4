import type { FieldPath, Findings } from '../../errors/findings.ts'
import { required } from '../shared/required-field.ts'

/**
 * Checks a required member of a POST. A missing one is 400, in the plain shape if it is the only finding
 * (specification, documents 1).
 */
export function checkRequired(path: string | FieldPath, value: string, findings: Findings): boolean {
  if (value !== '' || findings.has(path)) return value !== ''
  findings.addUnreadable(path, required(path))
  return false
}
