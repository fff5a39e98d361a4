// What matters most of a record, below its heading: its state and what its default columns show, as far as it is
// filled, and who has changed it last.
import { Text } from '@mantine/core'
import { UserName } from '../../parts/change-sentence.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { dateText } from '../../parts/field-value.tsx'
import { nameIn } from '../../service/legal-values.ts'
import { type DocumentInfo, type FieldInfo, fieldTitle, isNumeric, isOwn } from '../../service/metadata.ts'
import { memberAt, valueIn } from '../../service/question.ts'
import { isNoDay } from '../../service/written-values.ts'
import { sentence } from '../../words/sentence.tsx'
import { isFilled } from './filled.ts'
import { MemberValue } from './member-value.tsx'
import classes from './record.module.css'

interface RecordSummaryProps {
  readonly document: DocumentInfo
  readonly row: Readonly<Record<string, unknown>>
}

export function RecordSummary({ document, row }: RecordSummaryProps) {
  const [by, at] = ['updatedBy', 'updatedAt'].map((name) => String(memberAt(row, ['lastUpdated', name]) ?? ''))
  return (
    <>
      <dl className={classes.summary}>
        {tellingFields(document, row).map((field) => (
          <div key={field.path}>
            <dt>
              <FieldTitle title={summaryTitle(field)} path={field.path} />
            </dt>
            <dd>
              <MemberValue field={field} row={row} leadsToAssociated />
            </dd>
          </div>
        ))}
      </dl>
      {by && at && !isNoDay(at) && (
        <Text component="p" size="sm" className={classes.quiet}>
          {sentence('Changed by {{user}} on {{time}}', {
            user: <UserName id={by} />,
            time: <time dateTime={at}>{dateText(at)}</time>,
          })}
        </Text>
      )}
    </>
  )
}

/** The name of a supplier is the supplier. */
const summaryTitle = (field: FieldInfo): string =>
  field.association ? (field.titles[field.association.names.length - 1] ?? '') : fieldTitle(field)

const MOST_TOLD = 6

/** Its state, its amounts, and then what grids show first; without what the heading says. */
function tellingFields({ fields, record }: DocumentInfo, row: RecordSummaryProps['row']): readonly FieldInfo[] {
  const { 'x-erp-defaultColumns': columns = [], 'x-erp-sums': sums = [] } = record
  const shown = [...columns, ...sums].flatMap((path) => fields.find((field) => field.path === path) ?? [])
  const name = nameIn(row)
  const isInHeading = (field: FieldInfo) => field.isKey || (isOwn(field) && valueIn(row, field).value === name)
  const state = fields.filter(({ states }) => states)
  const all = [...state, ...shown.filter(isNumeric), ...shown]
  return [...new Set(all)].filter((field) => isFilled(row, field) && !isInHeading(field)).slice(0, MOST_TOLD)
}
