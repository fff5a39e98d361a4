import { Button, Table, Text } from '@mantine/core'
import { Suspense } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { amountPlaces, amountText, FieldValue, numberText, sizeText } from '../../parts/field-value.tsx'
import { Plot } from '../../parts/lazy-plot.tsx'
import { RecordValue } from '../../parts/record-value.tsx'
import { sumOf } from '../../service/exact-sums.ts'
import { sourceOf, useCodeNames } from '../../service/legal-values.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import {
  type AnswerColumn,
  columnsOf,
  type FlatRow,
  flattened,
  isAdditive,
  meaningName,
  numberIn,
  plottedColumn,
} from './answer-columns.ts'
import classes from './query.module.css'

const MOST_POINTS = 40
/** Whoever asks for more takes the answer as a file. */
const MOST_ROWS = 1_000
/** So many codes of a column are looked up. */
const MOST_CODES = 200

interface ResultsProps {
  readonly question: Question
  /** Undefined until it is known. */
  readonly document: DocumentInfo | undefined
  /** Without the limit; undefined where it was not counted. */
  readonly total: number | undefined
  readonly rows: readonly unknown[]
  readonly ms: number
  readonly bytes: number
  readonly isGrouped: boolean
  /** Asks the same question for as many rows. */
  readonly onMore: (limit: number) => void
}

export function Results({ question, document, rows, total, ms, bytes, isGrouped, onMore }: ResultsProps) {
  const flat = rows.map((row) => flattened(row))
  const columns = columnsOf(flat, document, question)
  const meaningOf = useMeanings(flat, columns)
  const writtenIn = new Map(columns.map((column) => [column, numberTexts(flat, column)]))
  if (rows.length === 0) return <Empty title={t('No rows')}>{t('The filter leaves nothing.')}</Empty>
  const isCut = total !== undefined && total > rows.length
  return (
    <>
      <div className={classes.counted}>
        <Text size="sm" c="dimmed">
          {isCut
            ? t('{{shown}} of {{total}} rows', {
                shown: numberText(String(rows.length)),
                total: numberText(String(total)),
              })
            : t('{{count}} rows', { count: rows.length })}
          {', '}
          {t('{{size}} in {{number}} ms', { size: sizeText(bytes), number: ms })}
        </Text>
        {isCut && rows.length < MOST_ROWS && (
          <Button size="compact-xs" variant="default" onClick={() => onMore(MOST_ROWS)}>
            {total > MOST_ROWS ? t('Show {{number}} rows', { number: MOST_ROWS }) : t('Show all rows')}
          </Button>
        )}
      </div>
      {isGrouped && <GroupPlot rows={flat} columns={columns} />}
      <ScrollBox label={t('Rows')}>
        <Table fz="sm" striped>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, title, field, isNumber }) => (
                <Table.Th key={name} className={isNumber ? classes.number : undefined}>
                  <FieldTitle title={title} path={name} description={field?.schema.description} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {flat.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer have a place and nothing else
              <Table.Tr key={place}>
                {columns.map((column) => (
                  <Table.Td key={column.name} className={column.isNumber ? classes.number : undefined}>
                    {row.has(column.name) && (
                      <Value {...{ row, column }} written={writtenIn.get(column)} meaning={meaningOf(row, column)} />
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
          {isGrouped && !isCut && rows.length > 1 && columns.some(isAdditive) && (
            <Totals rows={flat} columns={columns} writtenIn={writtenIn} />
          )}
        </Table>
      </ScrollBox>
    </>
  )
}

type MeaningOf = (row: FlatRow, column: AnswerColumn) => string | undefined

/** What codes mean: as the answer says, or else as is looked up. */
function useMeanings(rows: readonly FlatRow[], columns: readonly AnswerColumn[]): MeaningOf {
  const coded = columns.flatMap((column) => {
    const source = column.aggregate || !column.field ? undefined : sourceOf(column.field)
    return source && !rows.some((row) => row.has(meaningName(column.name))) ? [{ column, source }] : []
  })
  const names = useCodeNames(
    coded.map(({ column, source }) => {
      const codes = new Set(rows.map((row) => String(row.get(column.name) ?? '')).filter((code) => code !== ''))
      return { source, codes: codes.size > MOST_CODES ? [] : [...codes] }
    }),
  )
  return (row, column) => {
    const told = row.get(meaningName(column.name))
    if (typeof told === 'string') return told
    return names[coded.findIndex((one) => one.column.name === column.name)]?.get(String(row.get(column.name)))
  }
}

interface ValueProps {
  readonly row: FlatRow
  readonly column: AnswerColumn
  readonly written: NumberText | undefined
  readonly meaning: string | undefined
}

function Value({ row, column, written, meaning }: ValueProps) {
  const value = row.get(column.name)
  const { field, isNumber } = column
  if (isNumber) return written?.(String(value))
  if (!field || typeof value === 'object') return <RecordValue value={value} />
  return <FieldValue value={value} kind={field.kind} titles={field.schema['x-erp-codeTitles']} description={meaning} />
}

type NumberText = (text: string) => string

/** How the numbers of a column are written: amounts stand below each other by their places; what is counted has none. */
function numberTexts(rows: readonly FlatRow[], { name, field, aggregate }: AnswerColumn): NumberText {
  if (field?.kind !== 'decimal' || aggregate?.function.startsWith('count')) return (text) => numberText(text)
  const places = amountPlaces(rows.map((row) => String(row.get(name) ?? '')))
  return (text) => amountText(text, places)
}

interface TotalsProps {
  readonly rows: readonly FlatRow[]
  readonly columns: readonly AnswerColumn[]
  readonly writtenIn: ReadonlyMap<AnswerColumn, NumberText>
}

function Totals({ rows, columns, writtenIn }: TotalsProps) {
  return (
    <Table.Tfoot>
      <Table.Tr>
        {columns.map((column, place) =>
          isAdditive(column) ? (
            <Table.Td key={column.name} className={classes.number} fw={600}>
              {writtenIn.get(column)?.(sumOf(rows.map((row) => String(row.get(column.name) ?? ''))))}
            </Table.Td>
          ) : (
            <Table.Td key={column.name} fw={600}>
              {place === 0 && t('Total')}
            </Table.Td>
          ),
        )}
      </Table.Tr>
    </Table.Tfoot>
  )
}

interface GroupPlotProps {
  readonly rows: readonly FlatRow[]
  readonly columns: readonly AnswerColumn[]
}

/** The sum of each group, or what else is computed of it. */
function GroupPlot({ rows, columns }: GroupPlotProps) {
  const [first] = columns
  const column = plottedColumn(columns)
  if (!first || !column || first === column) return null
  const points = rows.flatMap((row) => {
    const value = numberIn(row, column)
    return value === undefined ? [] : [{ label: String(row.get(first.name)), value }]
  })
  if (points.length < 2) return null
  const left = rows.length - Math.min(points.length, MOST_POINTS)
  const label = t('{{amount}} by {{rows}}', { amount: column.title, rows: first.title })
  return (
    <Suspense>
      <Plot points={points.slice(0, MOST_POINTS)} label={label} />
      <Text size="sm" c="dimmed">
        {label}
        {left > 0 && ` (${t('{{count}} further groups stand in the table alone', { count: left })})`}
      </Text>
    </Suspense>
  )
}
