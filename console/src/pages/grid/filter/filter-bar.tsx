// What a grid is filtered by: conditions in words, and the same as the text that programs send. Each follows the other.
import { Button, CloseButton, Group, Popover, Select, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { command } from '../../../parts/command.ts'
import { FieldValue } from '../../../parts/field-value.tsx'
import { sourceOf, useCodeNames } from '../../../service/legal-values.ts'
import { groupTitle } from '../../../service/metadata.ts'
import { t } from '../../../words/words.ts'
import type { Column } from '../list-columns.ts'
import { type Condition, columnAt, conditionsIn, filterOf, isFilterable } from './conditions.ts'
import classes from './filter.module.css'
import { FilterText } from './filter-text.tsx'
import { columnTitle, operatorText } from './operator-words.ts'

/** It comes with the first condition that is opened. */
const ConditionForm = lazy(() => import('./condition-form.tsx'))

interface FilterBarProps {
  readonly document: string
  readonly columns: readonly Column[]
  readonly filter: string
  readonly onChange: (filter: string) => void
  /** What else there is to choose, at the end of the line. */
  readonly children?: ReactNode
}

export function FilterBar({ document, columns, filter, onChange, children }: FilterBarProps) {
  const [isTextWanted, setTextWanted] = useState(false)
  const conditions = conditionsIn(filter, columns)
  const isText = isTextWanted || !conditions
  const change = (next: readonly Condition[]) => onChange(filterOf(next, columns))
  return (
    <Group gap={6} role="group" aria-label={t('Filters')}>
      {conditions?.map((condition, at) => (
        <ConditionChip
          // biome-ignore lint/suspicious/noArrayIndexKey: one column may have several conditions
          key={`${at} ${condition.path}`}
          document={document}
          column={columnAt(columns, condition.path)}
          condition={condition}
          onChange={(next) => change(conditions.with(at, next))}
          onRemove={() => change(conditions.toSpliced(at, 1))}
        />
      ))}
      {conditions && <AddCondition columns={columns} onAdd={(next) => change([...conditions, next])} />}
      {conditions && conditions.length > 1 && (
        <Button variant="subtle" color="gray" onClick={() => onChange('')}>
          {t('Remove all')}
        </Button>
      )}
      <div className={classes.end}>
        {conditions && (
          <Button variant="subtle" color="gray" aria-pressed={isText} onClick={() => setTextWanted(!isTextWanted)}>
            {t('As text')}
          </Button>
        )}
        {children}
      </div>
      {isText && <FilterText key={filter} filter={filter} isMore={!conditions} onChange={onChange} />}
    </Group>
  )
}

/** So many fit beside each other. */
const MOST_VALUES = 6

interface ConditionChipProps {
  readonly document: string
  readonly column: Column | undefined
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

function ConditionChip({ document, column, condition, onChange, onRemove }: ConditionChipProps) {
  const [isOpen, setOpen] = useState(false)
  const source = column && sourceOf(column)
  const rows = column && !column.within ? { document, field: column } : undefined
  const codes = source ? condition.values.slice(0, MOST_VALUES) : []
  const [names] = useCodeNames([{ source: source ?? {}, codes, rows }])
  if (!column) return null
  const more = condition.values.length - MOST_VALUES
  const title = columnTitle(column)
  return (
    <span className={classes.chip}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" withinPortal={false} trapFocus returnFocus>
        <Popover.Target>
          <button type="button" className={classes.words} onClick={() => setOpen(!isOpen)}>
            <span>{title}</span>{' '}
            <Text span inherit c="dimmed">
              {operatorText(condition.operator, column)}
            </Text>{' '}
            {condition.values.slice(0, MOST_VALUES).map((value, at) => (
              <span key={value}>
                {at > 0 && (condition.operator === 'between' ? ' – ' : ', ')}
                <FieldValue
                  value={column.kind === 'boolean' ? value === 'true' : value}
                  kind={column.kind}
                  description={names?.get(value)}
                />
              </span>
            ))}
            {more > 0 && ` ${t('and {{count}} more', { count: more })}`}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <Suspense>
            <ConditionForm
              column={column}
              condition={condition}
              onApply={(next) => {
                setOpen(false)
                onChange(next)
              }}
            />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      <CloseButton
        size={24}
        iconSize={14}
        aria-label={t('Remove the filter of {{title}}', { title })}
        onClick={onRemove}
      />
    </span>
  )
}

interface AddConditionProps {
  readonly columns: readonly Column[]
  readonly onAdd: (condition: Condition) => void
}

function AddCondition({ columns, onAdd }: AddConditionProps) {
  const [isOpen, setOpen] = useState(false)
  const [path, setPath] = useState('')
  const column = columnAt(columns, path)
  const open = (next: boolean) => {
    setPath('')
    setOpen(next)
  }
  return (
    <Popover opened={isOpen} onChange={open} position="bottom-start" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => open(!isOpen)} {...command(t('Add filter'), 'f')}>
          {t('Add filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {column ? (
          <Suspense>
            <ConditionForm
              column={column}
              condition={undefined}
              onApply={(next) => {
                open(false)
                onAdd(next)
              }}
            />
          </Suspense>
        ) : (
          <ColumnSelect columns={columns} onChoose={setPath} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function ColumnSelect({
  columns,
  onChoose,
}: {
  readonly columns: readonly Column[]
  readonly onChoose: (path: string) => void
}) {
  const groups = Map.groupBy(columns.filter(isFilterable), ({ names }) => names.slice(0, -1).join('/'))
  const data = [...groups].map(([group, all]) => ({
    group: group === '' ? '' : groupTitle(all),
    items: all.map((column) => ({ value: column.path, label: columnTitle(column) })),
  }))
  return (
    <Select
      size="xs"
      label={t('Filter by')}
      className={classes.form}
      searchable
      data-autofocus
      data={data}
      nothingFoundMessage={t('Nothing is called so.')}
      withScrollArea={false}
      styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
      // So that the input names its list from the beginning.
      comboboxProps={{ withinPortal: false, keepMounted: true }}
      onChange={(path) => path !== null && onChoose(path)}
    />
  )
}
