import { Table, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { RecordValue } from '../../parts/record-value.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'

const Plot = lazy(() => import('../../parts/plot.tsx'))

const MOST_POINTS = 40

interface ResultsProps {
  readonly rows: readonly unknown[]
  readonly ms: number
  readonly bytes: number
  readonly isGrouped: boolean
}

export function Results({ rows, ms, bytes, isGrouped }: ResultsProps) {
  const flat = rows.map((row) => flattened(row))
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  const points = isGrouped ? pointsOf(flat) : []
  if (rows.length === 0) return <Empty title="No rows">The filter leaves nothing.</Empty>
  return (
    <>
      <Text size="sm" c="dimmed">
        {rows.length.toLocaleString('en')} rows, {Math.ceil(bytes / 1000).toLocaleString('en')} kB in {ms} ms
      </Text>
      {points.length > 1 && (
        <Suspense>
          <Plot points={points} label="The first number of each group" />
        </Suspense>
      )}
      <ScrollBox label="Rows">
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

function pointsOf(rows: readonly ReadonlyMap<string, unknown>[]) {
  return rows.slice(0, MOST_POINTS).flatMap((row) => {
    const values = [...row.values()]
    const value = values.findLast((one) => typeof one === 'number')
    return typeof value === 'number' && values.length > 1 ? [{ label: String(values[0]), value }] : []
  })
}
