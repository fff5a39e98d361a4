// How a file was read, in words that can be changed.
import { NativeSelect, Text } from '@mantine/core'
import { ENCODINGS } from '../../../../src/transfer/rows/text-form.ts'
import type { FilePreview, Reading } from '../../service/imports.ts'
import { t } from '../../words/words.ts'
import classes from './import.module.css'
import type { Source } from './source-choice.tsx'

interface ReadingChoiceProps {
  readonly source: Source
  readonly reading: Reading
  /** Undefined until it is read. */
  readonly preview: FilePreview | undefined
  readonly onChange: (reading: Reading) => void
  readonly onSheet: (source: Source) => void
}

const separators = () => ({ ';': t('Semicolon'), ',': t('Comma'), tab: t('Tab'), '|': t('Bar') })
const decimals = () => ({ comma: t('Comma: 1.234,50'), point: t('Point: 1,234.50') })
const dayOrders = () => ({ 'dd/mm/yyyy': t('Day first: 31/12/2026'), 'mm/dd/yyyy': t('Month first: 12/31/2026') })

export function ReadingChoice({ source, reading, preview, onChange, onSheet }: ReadingChoiceProps) {
  const { encoding = '', separator = '', decimal = '', dates = '' } = preview?.readWith ?? {}
  const isText = source.workbook === undefined
  const choice = (name: keyof Reading, label: string, found: string, options: Readonly<Record<string, string>>) => (
    <NativeSelect
      label={label}
      value={reading[name]}
      onChange={({ currentTarget }) => onChange({ ...reading, [name]: currentTarget.value })}
      data={[
        { value: '', label: found === '' ? t('As found') : t('As found: {{found}}', { found }) },
        ...Object.entries(options).map(([value, text]) => ({ value, label: text })),
      ]}
    />
  )
  return (
    <section className={classes.reading} aria-label={t('How the file is read')}>
      <Text fw={600} className={classes.fileName}>
        <bdi>{source.name === '' ? t('Pasted rows') : source.name}</bdi>
        {preview && (
          <Text span inherit fw={400} c="dimmed">
            {' · '}
            {t('{{count}} rows', { count: preview.rows.length })}
          </Text>
        )}
      </Text>
      <div className={classes.readings}>
        {source.workbook && source.workbook.sheets.length > 1 && (
          <NativeSelect
            label={t('Sheet')}
            value={source.workbook.sheet}
            onChange={({ currentTarget }) => source.workbook && onSheet(source.workbook.take(currentTarget.value))}
            data={[...source.workbook.sheets]}
          />
        )}
        {isText && choice('separator', t('Between cells'), separators()[separator as ';'] ?? separator, separators())}
        {isText && choice('encoding', t('Letters'), encoding, ENCODINGS)}
        {choice('decimal', t('Decimal sign'), decimals()[decimal as 'comma'] ?? '', decimals())}
        {choice('dates', t('Dates'), dates, dayOrders())}
      </div>
      {preview && preview.message !== '' && (
        <Text size="sm" role="alert">
          <bdi>{preview.message}</bdi>
        </Text>
      )}
    </section>
  )
}
