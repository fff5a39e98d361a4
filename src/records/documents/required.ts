import { capitalised } from '../../base/text.ts'
import type { FieldPath, Findings } from '../../errors/findings.ts'

/** A member that must be given: 400 in a POST, in the plain shape when nothing else is wrong (specification, documents 1). */
export function checkRequired(path: string | FieldPath, value: string, findings: Findings): boolean {
  if (value !== '' || findings.has(path)) return value !== ''
  findings.addUnreadable(path, required(path))
  return false
}

export function required(path: string | FieldPath): string {
  return `The ${capitalised(String(typeof path === 'string' ? path : path.at(-1)))} field is required.`
}
