// Codes that are none, each once: replaced in all rows at once, or added where the person may.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeInput } from '../../parts/code-input.tsx'
import { useOffers, type ValueSource } from '../../service/legal-values.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import type { RowFindings } from './findings.ts'
import classes from './import.module.css'
import { sourceAt, titlesAt } from './needed.ts'
import type { Mapping, Row, Table } from './table.ts'

interface WrongValuesProps {
  readonly document: DocumentInfo
  readonly table: Table
  readonly mapping: Mapping
  readonly findings: RowFindings
  readonly addableCodes: readonly string[]
  readonly onReplaced: (rows: readonly Row[]) => void
  readonly onAdd: (attributeId: string) => void
}

interface WrongColumn {
  readonly column: number
  readonly title: string
  readonly source: ValueSource
  /** Each with the rows that have it. */
  readonly values: ReadonlyMap<string, readonly Row[]>
}

const SHOWN = 12

export function WrongValues(props: WrongValuesProps) {
  const columns = wrongColumns(props)
  if (columns.length === 0) return null
  return (
    <section className={classes.wrong} aria-label={t('Values that are not known')}>
      <Text fw={600}>{t('Values that are not known')}</Text>
      {columns.map((column) => (
        <Column key={column.column} {...props} wrong={column} />
      ))}
    </section>
  )
}

function wrongColumns({ document, table: { headings, rows }, mapping, findings }: WrongValuesProps): WrongColumn[] {
  return [...mapping].flatMap(([path, origin]) => {
    if (!('heading' in origin)) return []
    const source = sourceAt(document, mapping, path)
    if (!source) return []
    const column = headings.indexOf(origin.heading)
    const wrong = rows.filter(({ number }) => findings.get(number)?.some(({ heading }) => heading === origin.heading))
    const values = Map.groupBy(
      wrong.filter(({ cells }) => cells[column] !== ''),
      ({ cells }) => cells[column] ?? '',
    )
    return values.size === 0
      ? []
      : [{ column, title: titlesAt(document, mapping, path).at(-1) ?? path, source, values }]
  })
}

function Column({ wrong, addableCodes, onReplaced, onAdd }: WrongValuesProps & { readonly wrong: WrongColumn }) {
  const { column, title, source, values } = wrong
  const { attributeId = '' } = source
  return (
    <div className={classes.wrongColumn}>
      <Text size="sm">
        <bdi>{title}</bdi>
      </Text>
      <ul>
        {[...values].slice(0, SHOWN).map(([value, rows]) => (
          <Value
            key={value}
            value={value}
            count={rows.length}
            source={source}
            title={title}
            onReplace={(text) => onReplaced(rows.map((row) => ({ ...row, cells: row.cells.with(column, text) })))}
          />
        ))}
      </ul>
      {values.size > SHOWN && (
        <Text size="sm" c="dimmed">
          {t('and {{count}} more', { count: values.size - SHOWN })}
        </Text>
      )}
      {addableCodes.includes(attributeId) && (
        <Button variant="default" onClick={() => onAdd(attributeId)}>
          {t('Add these {{count}} to {{title}}', { count: values.size, title })}
        </Button>
      )}
    </div>
  )
}

interface ValueProps {
  readonly value: string
  readonly count: number
  readonly source: ValueSource
  readonly title: string
  readonly onReplace: (text: string) => void
}

function Value({ value, count, source, title, onReplace }: ValueProps) {
  const [typed, setText] = useState<string>()
  // A name is written where a code is wanted, for the most part.
  const named = useOffers(source, value, true).find(({ name }) => name.toLowerCase() === value.toLowerCase())
  const text = typed ?? named?.code ?? ''
  return (
    <li>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text !== '') onReplace(text)
        }}
      >
        <Group gap="xs">
          <Text size="sm" className={classes.wrongValue}>
            <bdi>{value}</bdi>{' '}
            <Text span inherit c="dimmed">
              {t('in {{count}} rows', { count })}
            </Text>
          </Text>
          <CodeInput
            source={source}
            value={text}
            onChange={setText}
            aria-label={t('{{title}} in the place of {{value}}', { title, value })}
            placeholder={t('Replace by')}
          />
          <Button variant="default" type="submit" disabled={text === ''}>
            {t('Replace')}
          </Button>
        </Group>
      </form>
    </li>
  )
}
