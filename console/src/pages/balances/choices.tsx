// What the balances are summed by, as controls in the words of the document.
import { Checkbox, NativeSelect } from '@mantine/core'
import { type DocumentInfo, type FieldInfo, fieldTitle, groupTitle } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { axisFields, axisLabel, isOrdered } from './axes.ts'
import classes from './balances.module.css'
import type { Columns } from './balances-query.ts'
import type { Grouping } from './groupings.ts'
import { amountFields, type Chosen, NONE, type View } from './view.ts'

interface ChoicesProps {
  readonly document: DocumentInfo
  readonly chosen: Chosen
  readonly view: View
  readonly columns: Columns | undefined
  readonly offered: readonly Grouping[]
  readonly grouping: Grouping | undefined
  readonly onChange: (change: Partial<View>) => void
}

export function Choices({ document, chosen, view, columns, offered, grouping, onChange }: ChoicesProps) {
  const amounts = amountFields(document)
  const axes = optionsOf(axisFields(document), document)
  const range = columns?.range
  const codes = (columns?.offered ?? []).map((code) => ({
    value: code,
    label: chosen.columns ? axisLabel(chosen.columns, { code }) : code,
  }))
  return (
    <div className={classes.choices}>
      <NativeSelect
        label={t('Rows')}
        value={chosen.rows.path}
        data={axes}
        onChange={({ currentTarget: { value } }) => onChange({ rows: value, by: '' })}
      />
      <NativeSelect
        label={t('Columns')}
        value={chosen.columns?.path ?? NONE}
        data={[{ value: NONE, label: t('Total alone') }, ...axes]}
        onChange={({ currentTarget: { value } }) => onChange({ columns: value, from: '', to: '' })}
      />
      {chosen.columns && isOrdered(chosen.columns) && (
        <>
          <NativeSelect
            className={classes.range}
            label={t('From')}
            disabled={!range}
            value={range?.from ?? ''}
            data={codes.slice(0, codes.findIndex(({ value }) => value === range?.to) + 1)}
            onChange={({ currentTarget: { value } }) => onChange({ from: value })}
          />
          <NativeSelect
            className={classes.range}
            label={t('To')}
            disabled={!range}
            value={range?.to ?? ''}
            data={codes}
            onChange={({ currentTarget: { value } }) => onChange({ to: value })}
          />
        </>
      )}
      {amounts.length > 1 && (
        <NativeSelect
          label={t('Amount')}
          value={chosen.amount.path}
          data={optionsOf(amounts, document)}
          onChange={({ currentTarget: { value } }) => onChange({ amount: value })}
        />
      )}
      {offered.length > 0 && (
        <NativeSelect
          label={t('Subtotals')}
          value={grouping?.id ?? NONE}
          data={[{ value: NONE, label: t('None') }, ...offered.map(({ id, title }) => ({ value: id, label: title }))]}
          onChange={({ currentTarget: { value } }) => onChange({ by: value })}
        />
      )}
      {chosen.columns && (
        <Checkbox
          className={classes.check}
          label={t('Difference to the column before')}
          checked={view.differences !== ''}
          onChange={({ currentTarget: { checked } }) => onChange({ differences: checked ? 'shown' : '' })}
        />
      )}
    </div>
  )
}

/** By the groups of the document; those of the record itself come first. */
function optionsOf(fields: readonly FieldInfo[], { schema }: DocumentInfo) {
  const groups = [...Map.groupBy(fields, (field) => groupTitle([field]))]
  return groups.map(([group, members]) => ({
    group: group || (schema.title ?? ''),
    items: members.map((field) => ({ value: field.path, label: fieldTitle(field) })),
  }))
}
