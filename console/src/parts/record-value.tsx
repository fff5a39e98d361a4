// A value of the history, whose kind nobody has declared.
import { Code } from '@mantine/core'
import { t } from '../words/words.ts'
import { ShownText } from './shown-text.tsx'

export function RecordValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return <em>{t('nothing')}</em>
  if (value === '') return <em>{t('empty')}</em>
  if (typeof value === 'object' && value !== null) {
    return (
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <ShownText text={JSON.stringify(value, null, 2)} length={600} />
      </Code>
    )
  }
  return <ShownText text={String(value)} />
}
