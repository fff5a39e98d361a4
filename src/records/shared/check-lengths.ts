import { capitalised, isLongerThan } from '../../base/text.ts'
import type { FieldPath, Findings } from '../../errors/findings.ts'
import type { TextLengths } from '../../model/records/text-lengths.ts'

/** Reports a text that is too long for its field. */
export type ReportTooLong = (path: FieldPath, message: string) => void

/**
 * Checks every text of a record against the company's length limits. A text that the stored record has too is not
 * checked again.
 */
export function checkLengths(
  record: object,
  stored: object | undefined,
  lengths: TextLengths,
  report: ReportTooLong,
): void {
  let storedTexts: Set<string> | undefined
  for (const [path, text] of textsIn(record, [])) {
    if (text.length <= lengths.shortest) continue
    const name = String(path.at(-1))
    const maxLength = lengths.of(name)
    if (maxLength === undefined || !isLongerThan(text, maxLength)) continue
    storedTexts ??= new Set([...textsIn(stored ?? {}, [])].map(([, one]) => one))
    if (!storedTexts.has(text)) report(path, tooLong(name, maxLength))
  }
}

export function tooLong(field: string, maxLength: number): string {
  return `The field ${capitalised(field)} must be a string or array type with a maximum length of ${maxLength}.`
}

/** Yields every text with its path, except in related values and custom fields, which have their own rules. */
function* textsIn(part: object, path: FieldPath): Generator<readonly [FieldPath, string]> {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'string') yield [[...path, name], value]
    else if (name === 'relatedValues' || name === 'customFieldGroups') continue
    else if (Array.isArray(value))
      for (const [index, item] of value.entries()) yield* textsIn(item, [...path, name, index])
    else if (typeof value === 'object' && value !== null) yield* textsIn(value, [...path, name])
  }
}

/** Checks one text of a POST; a finding leads to status 400. */
export function checkLength(field: string, value: string, lengths: TextLengths, findings: Findings): void {
  const maxLength = lengths.of(field)
  if (maxLength !== undefined && isLongerThan(value, maxLength))
    findings.add(field, 1010, tooLong(field, maxLength), 400)
}
