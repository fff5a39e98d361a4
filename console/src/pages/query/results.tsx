import { Table, Text } from '@mantine/core'
import { Suspense } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { sizeText } from '../../parts/field-value.tsx'
import { Plot } from '../../parts/lazy-plot.tsx'
import { RecordValue } from '../../parts/record-value.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { t } from '../../words/words.ts'

const MOST_POINTS = 40

interface Points {
  /** The column whose numbers they are. */
  readonly column: string
  readonly points: readonly { readonly label: string; readonly value: number }[]
  /** Groups without a number there, and those behind the last that is drawn. */
  readonly left: number
}

interface ResultsProps {
  /** Without the limit; undefined where it was not counted. */
  readonly total: number | undefined
  readonly rows: readonly unknown[]
  readonly ms: number
  readonly bytes: number
  readonly isGrouped: boolean
}

export function Results({ rows, total, ms, bytes, isGrouped }: ResultsProps) {
  const flat = rows.map((row) => flattened(row))
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  const plotted = isGrouped ? pointsOf(flat) : undefined
  if (rows.length === 0) return <Empty title={t('No rows')}>{t('The filter leaves nothing.')}</Empty>
  return (
    <>
      <Text size="sm" c="dimmed">
        {total !== undefined && total > rows.length
          ? t('{{shown}} of {{count}} rows', { shown: rows.length, count: total })
          : t('{{count}} rows', { count: rows.length })}
        {', '}
        {t('{{size}} in {{number}} ms', { size: sizeText(bytes), number: ms })}
      </Text>
      {plotted && plotted.points.length > 1 && (
        <Suspense>
          <Plot points={plotted.points} label={t('{{column}} of each group', { column: plotted.column })} />
          <Text size="sm" c="dimmed">
            {t('{{column}} of each group', { column: plotted.column })}
            {plotted.left > 0 &&
              ` (${t('{{count}} further groups stand in the table alone', { count: plotted.left })})`}
          </Text>
        </Suspense>
      )}
      <ScrollBox label={t('Rows')}>
        <Table fz="sm" striped>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {flat.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer have a place and nothing else
              <Table.Tr key={place}>
                {columns.map((column) => (
                  <Table.Td key={column}>{row.has(column) && <RecordValue value={row.get(column)} />}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </>
  )
}

/** Members of groups by their path; lists stay whole. */
function flattened(row: unknown, above = ''): Map<string, unknown> {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return new Map([[above || 'value', row]])
  return new Map(
    Object.entries(row).flatMap(([name, value]) => [...flattened(value, above === '' ? name : `${above}/${name}`)]),
  )
}

/** The last column that has numbers is drawn: the groups come first, what is aggregated last. */
function pointsOf(rows: readonly ReadonlyMap<string, unknown>[]): Points | undefined {
  const columns = [...(rows[0]?.keys() ?? [])]
  const [first] = columns
  const column = columns.slice(1).findLast((name) => rows.some((row) => numberIn(row, name) !== undefined))
  if (first === undefined || column === undefined) return undefined
  const points = rows.flatMap((row) => {
    const value = numberIn(row, column)
    return value === undefined ? [] : [{ label: String(row.get(first)), value }]
  })
  return { column, points: points.slice(0, MOST_POINTS), left: rows.length - Math.min(points.length, MOST_POINTS) }
}

/** Numbers that JSON keeps as their digits are drawn too. */
function numberIn(row: ReadonlyMap<string, unknown>, column: string): number | undefined {
  const value = row.get(column)
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
}
