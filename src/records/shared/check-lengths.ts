import { capitalised, isLongerThan } from '../../base/text.ts'
import type { FieldPath, Findings } from '../../errors/findings.ts'
import type { TextLengths } from '../../model/text-lengths.ts'

/** Tells that a text is longer than its field takes. */
export type TellTooLong = (path: FieldPath, message: string) => void

/** Every text of a record against the company's lengths, each told at its own place. What is stored already is left alone. */
export function checkLengths(
  record: object,
  stored: object | undefined,
  lengths: TextLengths,
  tell: TellTooLong,
): void {
  let known: Set<string> | undefined
  for (const [path, text] of textsIn(record, [])) {
    if (text.length <= lengths.shortest) continue
    const name = String(path.at(-1))
    const most = lengths.of(name)
    if (most === undefined || !isLongerThan(text, most)) continue
    known ??= new Set([...textsIn(stored ?? {}, [])].map(([, one]) => one))
    if (!known.has(text)) tell(path, tooLong(name, most))
  }
}

export function tooLong(field: string, most: number): string {
  return `The field ${capitalised(field)} must be a string or array type with a maximum length of ${most}.`
}

/** Related values and custom fields have rules of their own. */
function* textsIn(part: object, path: FieldPath): Generator<readonly [FieldPath, string]> {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'string') yield [[...path, name], value]
    else if (name === 'relatedValues' || name === 'customFieldGroups') continue
    else if (Array.isArray(value))
      for (const [index, item] of value.entries()) yield* textsIn(item, [...path, name, index])
    else if (typeof value === 'object' && value !== null) yield* textsIn(value, [...path, name])
  }
}

/** One text of a POST: 400. */
export function checkLength(field: string, value: string, lengths: TextLengths, findings: Findings): void {
  const most = lengths.of(field)
  if (most !== undefined && isLongerThan(value, most)) findings.add(field, 1010, tooLong(field, most), 400)
}
