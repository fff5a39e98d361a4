import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface DataTableProps<Row> {
  /** What it is a table of. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Heading -> what stands below it. */
  readonly columns: Readonly<Record<string, (row: Row) => ReactNode>>
}

/** A short table that scrolls by itself where it is wider than the page. */
export function DataTable<Row>({ label, rows, keyOf, columns }: DataTableProps<Row>) {
  const names = Object.keys(columns)
  return (
    <ScrollBox label={label}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            {names.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {names.map((name) => (
                // A long word may break anywhere, and would stand letter below letter.
                <Table.Td key={name} miw="5rem">
                  {columns[name]?.(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  )
}

interface ScrollBoxProps {
  readonly label: string
  /** Such as `75dvh`; what is higher scrolls within. */
  readonly maxHeight?: string
  readonly children: ReactNode
}

/** What is wider than the page scrolls within; the keyboard reaches it. */
export function ScrollBox({ label, maxHeight, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section aria-label={label} tabIndex={0} style={{ position: 'relative', overflow: 'auto', maxHeight }}>
      {children}
    </section>
  )
}
