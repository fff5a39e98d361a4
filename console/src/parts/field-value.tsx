// A value of a record, by its kind.
import { Text } from '@mantine/core'
import type { FieldInfo } from '../service/metadata.ts'
import { writingOf } from '../service/written-values.ts'
import { ShownText } from './shown-text.tsx'

interface FieldValueProps {
  readonly value: unknown
  readonly kind: FieldInfo['kind']
  /** What a code means. */
  readonly description?: string | undefined
}

export function FieldValue({ value, kind, description }: FieldValueProps) {
  if (value === undefined || value === null || value === '')
    return (
      <Text span inherit c="dimmed" aria-label="empty">
        –
      </Text>
    )
  if (kind === 'boolean') return <>{value === true ? 'Yes' : 'No'}</>
  if (kind === 'decimal') return <>{amountText(String(value))}</>
  if (kind === 'number') return <>{numberText(String(value))}</>
  if (kind === 'date-time') return <time dateTime={String(value)}>{dateText(String(value))}</time>
  return (
    <>
      <ShownText text={String(value)} />
      {description !== undefined && description !== '' && (
        <Text span inherit c="dimmed">
          {' '}
          <ShownText text={description} />
        </Text>
      )}
    </>
  )
}

/**
 * With groups of three digits, and the decimal sign of the reader. The text itself is kept: a number of 19 digits has no
 * exact double.
 */
export function numberText(text: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(text) ?? []
  const places = rest.replace('.', writingOf().decimal)
  return whole === '' ? text : sign + whole.replace(/\B(?=(?:\d{3})+$)/g, '\u202f') + places
}

/** With two places at least, so that amounts stand below each other. */
export const amountText = (text: string): string =>
  numberText(text.replace(/^(-?\d+)(?:\.(\d*))?$/, (_all, whole, places = '') => `${whole}.${places.padEnd(2, '0')}`))

/** A day without its midnight. No zone is added or taken: what the service says is shown. */
export function dateText(text: string): string {
  const [, day = text, time = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)/.exec(text) ?? []
  return time === '' || /^00:00(?::00)?$/.test(time) ? day : `${day} ${time}`
}
