import { capitalised, isLongerThan } from '../../base/text.ts'
import type { FieldPath, Findings } from '../../errors/findings.ts'
import type { TextLengths } from '../../model/records/text-lengths.ts'

type ReportTooLong = (path: FieldPath, message: string) => void

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
  eachText(record, [], (text, path) => {
    if (text.length <= lengths.shortest) return
    const name = String(path.at(-1))
    const maxLength = lengths.of(name)
    if (maxLength === undefined || !isLongerThan(text, maxLength)) return
    storedTexts ??= textsOf(stored ?? {})
    if (!storedTexts.has(text)) report([...path], tooLong(name, maxLength))
  })
}

function textsOf(record: object): Set<string> {
  const texts = new Set<string>()
  eachText(record, [], (text) => texts.add(text))
  return texts
}

export function tooLong(field: string, maxLength: number): string {
  return `The field ${capitalised(field)} must be a string or array type with a maximum length of ${maxLength}.`
}

/**
 * Passes every text with its path, except in related values and custom fields, which have their own rules. The path is
 * valid until the function returns.
 */
function eachText(part: object, path: (string | number)[], act: (text: string, path: FieldPath) => void): void {
  const isList = Array.isArray(part)
  for (const name of Object.keys(part)) {
    const value = (part as Record<string, unknown>)[name]
    path.push(isList ? Number(name) : name)
    if (typeof value === 'string') act(value, path)
    else if (typeof value === 'object' && value !== null && name !== 'relatedValues' && name !== 'customFieldGroups')
      eachText(value, path, act)
    path.pop()
  }
}

/** Checks one text of a POST; a finding leads to status 400. */
export function checkLength(field: string, value: string, lengths: TextLengths, findings: Findings): void {
  const maxLength = lengths.of(field)
  if (maxLength !== undefined && isLongerThan(value, maxLength))
    findings.add(field, 1010, tooLong(field, maxLength), 400)
}
