import type { TSchema } from 'typebox'
import { capitalised } from '../../base/text.ts'
import type { FieldPath, Findings } from '../../errors/findings.ts'
import { requiredMembers } from '../../model/record-fields.ts'

/** The message about a field that must be given, as clients of the interface know it. */
export function required(path: string | FieldPath): string {
  return `The ${capitalised(String(typeof path === 'string' ? path : path.at(-1)))} field is required.`
}

/** Adds a finding (422) for each text that a new record of the schema needs and does not have. */
export function requireTexts(schema: TSchema, record: object, findings: Findings): void {
  for (const name of requiredMembers(schema)) {
    const value = (record as Record<string, unknown>)[name]
    if (typeof value === 'string') requireField(name, value, findings)
  }
}

/**
 * Adds a finding (422) when the field is absent and nothing is known to be wrong with it; returns whether it is given.
 */
export function requireField(path: string | FieldPath, value: string, findings: Findings): boolean {
  if (value === '' && !findings.has(path)) findings.add(path, 1010, required(path))
  return value !== ''
}

/**
 * Checks a required member of a POST. A missing one is 400, in the plain shape if it is the only finding
 * (specification, documents 1).
 */
export function checkRequired(path: string | FieldPath, value: string, findings: Findings): boolean {
  if (value !== '' || findings.has(path)) return value !== ''
  findings.addUnreadable(path, required(path))
  return false
}
