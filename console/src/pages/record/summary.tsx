// What matters most of a record, in a line below its heading, as its default columns say.
import { Text } from '@mantine/core'
import { UserName } from '../../parts/change-sentence.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { dateText, FieldValue } from '../../parts/field-value.tsx'
import { type DocumentInfo, type FieldInfo, isNumeric, isOwn } from '../../service/metadata.ts'
import { memberAt, valueIn } from '../../service/question.ts'
import { isNoDay } from '../../service/written-values.ts'
import { sentence } from '../../words/sentence.tsx'
import classes from './record.module.css'

interface RecordSummaryProps {
  readonly document: DocumentInfo
  readonly row: Readonly<Record<string, unknown>>
}

export function RecordSummary({ document, row }: RecordSummaryProps) {
  const [by, at] = ['updatedBy', 'updatedAt'].map((name) => String(memberAt(row, ['lastUpdated', name]) ?? ''))
  return (
    <Text component="div" size="sm" className={classes.summary}>
      {tellingFields(document, row).map((field) => {
        const { value, description } = valueIn(row, field)
        return (
          <span key={field.path}>
            {!field.states && (
              <span className={classes.quiet}>
                <FieldTitle title={field.titles.at(-1) ?? ''} path={field.path} />{' '}
              </span>
            )}
            <FieldValue value={value} kind={field.kind} states={field.states} description={description} />
          </span>
        )
      })}
      {by && at && !isNoDay(at) && (
        <span className={classes.quiet}>
          {sentence('Changed by {{user}} on {{time}}', {
            user: <UserName id={by} />,
            time: <time dateTime={at}>{dateText(at)}</time>,
          })}
        </span>
      )}
    </Text>
  )
}

/** Its state, the first amount and the first day that grids show, as far as they are filled. */
function tellingFields({ fields, record }: DocumentInfo, row: unknown): readonly FieldInfo[] {
  const { 'x-erp-defaultColumns': columns = [], 'x-erp-sums': sums = [] } = record
  const isFilled = (field: FieldInfo) => {
    const { value } = valueIn(row, field)
    return value !== undefined && value !== '' && !(field.kind === 'date-time' && isNoDay(String(value)))
  }
  const shown = [...columns, ...sums]
    .map((path) => fields.find((field) => field.path === path))
    .filter((field) => field !== undefined && !field.isKey && isOwn(field) && isFilled(field))
    .filter((field) => field !== undefined)
  const state = fields.find((field) => field.states && isFilled(field))
  const amount =
    shown.find((field) => isNumeric(field) && sums.includes(field.path)) ?? shown.find(({ kind }) => kind === 'decimal')
  const day = shown.find(({ kind }) => kind === 'date-time')
  return [state, amount, day].filter((field) => field !== undefined)
}
