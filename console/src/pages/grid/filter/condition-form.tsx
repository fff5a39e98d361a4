// A condition of one column: what is asked of it, and the values.
import { Button, CloseButton, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { FieldTitle } from '../../../parts/field-title.tsx'
import { plainNumber, writingOf } from '../../../service/written-values.ts'
import { t } from '../../../words/words.ts'
import type { Column } from '../list-columns.ts'
import type { Condition, Operator } from './conditions.ts'
import classes from './filter.module.css'
import { columnTitle, operatorText } from './operator-words.ts'
import { ValueInput } from './value-input.tsx'
import { isDay, isNumber, operatorsOf, valuesFor } from './values.ts'

interface ConditionFormProps {
  readonly column: Column
  /** Undefined for a new one. */
  readonly condition: Condition | undefined
  readonly onApply: (condition: Condition) => void
}

export default function ConditionForm({ column, condition, onApply }: ConditionFormProps) {
  const offered = operatorsOf(column)
  const [operator, setOperator] = useState<Operator>(condition?.operator ?? offered[0] ?? 'is')
  const [typed, setTyped] = useState(() => inputsOf(column, operator, shownOf(column, condition?.values ?? [])))
  const [isTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The popover is open already when a column has been chosen in it.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const count = valuesFor(operator)
  const values = givenOf(count, typed).map((text) => plainOf(text, column))
  const faults = values.map((value) => faultOf(value, column))
  const choose = (next: Operator) => {
    setOperator(next)
    setTyped(
      inputsOf(
        column,
        next,
        typed.filter((text) => text !== ''),
      ),
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (faults.every((fault) => fault === undefined))
      onApply({ path: column.path, operator, values, of: condition?.of })
  }
  const input = (at: number, label: string) => (
    <ValueInput
      key={at}
      column={column}
      label={label}
      value={typed[at] ?? ''}
      error={isTried ? faults[at] : undefined}
      onChange={(text) => setTyped(typed.with(at, text))}
    />
  )
  return (
    <form ref={form} onSubmit={submit} className={classes.form}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          <FieldTitle title={columnTitle(column)} path={column.path} />
        </Text>
        <NativeSelect
          aria-label={t('Condition')}
          value={operator}
          data={[...new Set([...offered, operator])].map((value) => ({ value, label: operatorText(value, column) }))}
          onChange={({ currentTarget }) => choose(currentTarget.value as Operator)}
        />
        {count === 'one' && input(0, t('Value'))}
        {count === 'two' && (
          <Group gap="xs" grow align="start">
            {input(0, t('From'))}
            {input(1, t('To'))}
          </Group>
        )}
        {count === 'many' && <ValueList column={column} typed={typed} isTried={isTried} onChange={setTyped} />}
        <Button type="submit">{t('Apply')}</Button>
      </Stack>
    </form>
  )
}

interface ValueListProps {
  readonly column: Column
  /** The first one is still being typed. */
  readonly typed: readonly string[]
  readonly isTried: boolean
  readonly onChange: (typed: readonly string[]) => void
}

function ValueList({ column, typed: [first = '', ...added], isTried, onChange }: ValueListProps) {
  const fault = first === '' && added.length > 0 ? undefined : faultOf(plainOf(first, column), column)
  const add = () => fault === undefined && onChange(['', ...added.filter((one) => one !== first), first])
  return (
    <>
      <Group gap={4}>
        {added.map((one) => (
          <span key={one} className={classes.chosen}>
            <bdi>{one}</bdi>
            <CloseButton
              size={24}
              iconSize={14}
              aria-label={t('Remove {{value}}', { value: one })}
              onClick={() => onChange([first, ...added.filter((other) => other !== one)])}
            />
          </span>
        ))}
      </Group>
      <ValueInput
        column={column}
        label={t('Value')}
        value={first}
        error={isTried ? fault : undefined}
        onChange={(text) => onChange([text, ...added])}
        onEnter={add}
      />
      <Text size="xs" c="dimmed">
        {t('Enter adds a further value.')}
      </Text>
    </>
  )
}

/** A text for each input. Of several values, the first one is still to be typed. */
function inputsOf({ kind }: Column, operator: Operator, values: readonly string[]): readonly string[] {
  if (valuesFor(operator) === 'many') return ['', ...values]
  const [first = kind === 'boolean' ? 'true' : '', last = ''] = values
  return [first, last]
}

/** Those that the condition has, also where nothing is typed but something is needed. */
function givenOf(count: ReturnType<typeof valuesFor>, [first = '', ...others]: readonly string[]): readonly string[] {
  if (count === 'none') return []
  if (count === 'one') return [first]
  if (count === 'two') return [first, others[0] ?? '']
  return first === '' && others.length > 0 ? others : [...others, first]
}

function shownOf({ kind }: Column, values: readonly string[]): readonly string[] {
  if (kind !== 'decimal' && kind !== 'number') return values
  return values.map((number) => number.replace('.', writingOf().decimal))
}

/** As a filter writes it. */
function plainOf(text: string, { kind }: Column): string {
  if (kind === 'text' || kind === 'date-time' || kind === 'boolean') return text
  return plainNumber(text.trim(), writingOf().decimal)
}

function faultOf(value: string, { kind }: Column): string | undefined {
  if (value === '') return t('A value is needed.')
  if (kind === 'date-time') return isDay(value) ? undefined : t('This is no date.')
  if (kind === 'text' || kind === 'boolean') return undefined
  return isNumber(value) ? undefined : t('This is no number.')
}
