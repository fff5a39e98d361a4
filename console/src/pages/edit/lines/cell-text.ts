// The text of a cell of lines: in the plain form that the service takes, or as the reader's language writes it.
import { amountText, dateText, numberText } from '../../../parts/field-value.tsx'
import { type FieldInfo, isNumeric } from '../../../service/metadata.ts'
import { plainDay, plainNumberOfSheet, type Writing } from '../../../service/written-values.ts'
import { PLAIN_NUMBER } from '../typed-value.ts'

/** As the service answers a day that is absent. */
const NO_DAY = /^1900-01-01T00:00:00(?:\.000)?$/
const WHOLE = /^-?\d+$/

/** As spreadsheets write them in the languages of the console. */
const YES = ['true', 'yes', 'ja', '1', 'x', 'wahr', 'sann', 'sant']
const NO = ['false', 'no', 'nei', 'nej', 'nein', '0', '', 'falsch', 'usann', 'falskt']

/** In the plain form; as it was typed where it is not understood. */
export function plainText({ kind, schema }: FieldInfo, typed: string, writing: Writing): string {
  if (kind === 'text') return isCoded(schema) ? typed.trim() : typed
  const text = typed.trim()
  if (kind === 'date-time') return plainDay(text, writing) ?? text
  if (kind === 'boolean') return plainBoolean(text.toLowerCase()) ?? text
  const number = plainNumberOfSheet(text, writing)
  return PLAIN_NUMBER.test(number) ? number : text
}

const isCoded = (schema: FieldInfo['schema']): boolean =>
  schema['x-erp-valueList'] !== undefined ||
  schema['x-erp-attribute'] !== undefined ||
  schema['x-erp-reference'] !== undefined

function plainBoolean(text: string): string | undefined {
  if (YES.includes(text)) return 'true'
  return NO.includes(text) ? 'false' : undefined
}

/** What is not understood about a text in the plain form; undefined where it is. */
export function faultOf({ kind }: FieldInfo, text: string, { decimal, dayOrder }: Writing): string | undefined {
  if (text === '' || kind === 'text') return undefined
  if (kind === 'boolean') return /^(?:true|false)$/.test(text) ? undefined : 'This must be yes or no.'
  if (kind === 'date-time') {
    const example = { year: '2026', month: '01', day: '31' }
    const local = dayOrder.map((part) => example[part]).join('.')
    return plainDay(text, { decimal, dayOrder }) === text
      ? undefined
      : `This must be a date, such as 2026-01-31 or ${local}.`
  }
  if (!PLAIN_NUMBER.test(text)) return `This must be a number, such as 1234${decimal}5.`
  return kind === 'integer' && !WHOLE.test(text) ? 'This must be a whole number.' : undefined
}

/** As it is read. */
export function shownCell(field: FieldInfo, text: string): string {
  const { kind } = field
  if (kind === 'date-time') return NO_DAY.test(text) ? '' : dateText(text)
  if (kind === 'boolean') return { true: 'Yes', false: 'No' }[text] ?? text
  if (!isNumeric(field) || !PLAIN_NUMBER.test(text)) return text
  return kind === 'decimal' ? amountText(text) : numberText(text)
}

/** As it is changed, and copied: without groups of digits. */
export function editedCell(field: FieldInfo, text: string, { decimal }: Writing): string {
  if (isNumeric(field) && PLAIN_NUMBER.test(text)) return text.replace('.', decimal)
  return field.kind === 'text' ? text : shownCell(field, text)
}
