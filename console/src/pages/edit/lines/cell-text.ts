// The text of a cell of lines: in the plain form that the service takes, or as the reader's language writes it.
import { amountText, dateText, numberText } from '../../../parts/field-value.tsx'
import { type FieldInfo, isNumeric } from '../../../service/metadata.ts'
import { isNoDay, plainDay, plainNumberOfSheet, type Writing } from '../../../service/written-values.ts'
import { t } from '../../../words/words.ts'
import { PLAIN_NUMBER } from '../typed-value.ts'

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
export function faultOf({ kind }: FieldInfo, text: string, writing: Writing): string | undefined {
  if (text === '' || kind === 'text') return undefined
  if (kind === 'boolean') return /^(?:true|false)$/.test(text) ? undefined : t('This must be yes or no.')
  if (kind === 'date-time') {
    return plainDay(text, writing) === text
      ? undefined
      : t('This must be a date, such as {{example}}.', { example: dateText('2026-01-31') })
  }
  if (kind === 'integer') return WHOLE.test(text) ? undefined : t('This must be a whole number.')
  if (!PLAIN_NUMBER.test(text))
    return t('This must be a number, such as {{example}}.', { example: `1234${writing.decimal}5` })
  return undefined
}

/** As it is read; an amount with so many places. */
export function shownCell(field: FieldInfo, text: string, places?: number): string {
  const { kind } = field
  if (kind === 'date-time') return isNoDay(text) ? '' : dateText(text)
  if (kind === 'boolean') return { true: t('Yes'), false: t('No') }[text] ?? text
  if (!isNumeric(field) || !PLAIN_NUMBER.test(text)) return text
  return kind === 'decimal' ? amountText(text, places) : numberText(text)
}

const isMoment = ({ kind }: FieldInfo, text: string): boolean =>
  kind === 'date-time' && !/^[^T]*(?:T00:00|$)/.test(text)

/** As it is changed, and copied: without groups of digits. */
export function editedCell(field: FieldInfo, text: string, { decimal }: Writing): string {
  if (isNumeric(field) && PLAIN_NUMBER.test(text)) return text.replace('.', decimal)
  // A moment is changed in its plain form: languages write hours in many ways.
  return field.kind === 'text' || isMoment(field, text) ? text : shownCell(field, text)
}
