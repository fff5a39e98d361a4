// The rows of a file with what is wrong at its cell, which is mended in place.
import { Button, Checkbox, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import type { DocumentInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import type { CellFinding, RowFindings } from './findings.ts'
import classes from './import.module.css'
import { titlesAt } from './needed.ts'
import type { Mapping, Row, Table } from './table.ts'

interface RowsTableProps {
  readonly document: DocumentInfo
  readonly table: Table
  readonly mapping: Mapping
  readonly findings: RowFindings
  /** Rows that were changed: they stay in sight when nothing is wrong with them any more. */
  readonly mended: ReadonlySet<number>
  readonly onChange: (row: Row) => void
}

const SHOWN = 50

interface Column {
  readonly at: number
  readonly heading: string
  readonly title: string
}

export function RowsTable({ document, table, mapping, findings, mended, onChange }: RowsTableProps) {
  const [most, setMost] = useState(SHOWN)
  const [showsAll, setShowsAll] = useState(false)
  const { headings, rows } = table
  const columns = [...mapping].flatMap(([path, origin]): Column[] => {
    if (!('heading' in origin)) return []
    const title = titlesAt(document, mapping, path).at(-1) ?? path
    return [{ at: headings.indexOf(origin.heading), heading: origin.heading, title }]
  })
  columns.sort((one, other) => one.at - other.at)
  const isInWork = ({ number }: Row) => findings.has(number) || mended.has(number)
  const hasFindings = findings.size > 0 || mended.size > 0
  const chosen = hasFindings && !showsAll ? rows.filter(isInWork) : rows
  return (
    <section className={classes.rows} aria-label={t('Rows of the file')}>
      {hasFindings && (
        <Checkbox
          label={t('Show all {{count}} rows', { count: rows.length })}
          checked={showsAll}
          onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
        />
      )}
      <ScrollBox label={t('Rows of the file')} maxHeight="70dvh">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col" className={classes.number}>
                {t('Row')}
              </th>
              {columns.map(({ heading, title }) => (
                <th key={heading} scope="col" title={heading}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chosen.slice(0, most).map((row) => (
              <TableRow
                key={row.number}
                document={document}
                mapping={mapping}
                row={row}
                columns={columns}
                findings={findings.get(row.number) ?? []}
                isEditable={isInWork(row)}
                isWrong={findings.has(row.number)}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {chosen.length > most && (
        <Button variant="default" onClick={() => setMost(most + 4 * SHOWN)}>
          {t('{{count}} more rows', { count: chosen.length - most })}
        </Button>
      )}
    </section>
  )
}

interface TableRowProps {
  readonly document: DocumentInfo
  readonly mapping: Mapping
  readonly row: Row
  readonly columns: readonly Column[]
  readonly findings: readonly CellFinding[]
  readonly isEditable: boolean
  readonly isWrong: boolean
  readonly onChange: (row: Row) => void
}

function TableRow({ document, mapping, row, columns, findings, isEditable, isWrong, onChange }: TableRowProps) {
  const ofRow = findings.filter(({ heading }) => heading === undefined)
  return (
    <>
      <tr data-wrong={isWrong || undefined}>
        <th scope="row" className={classes.number}>
          {isEditable && !isWrong && (
            <span role="img" aria-label={t('Nothing is wrong any more')}>
              ✓{' '}
            </span>
          )}
          {row.number}
        </th>
        {columns.map(({ at, heading, title }) => {
          const messages = findings.filter((one) => one.heading === heading).map(({ message }) => message)
          const text = row.cells[at] ?? ''
          return (
            <td key={heading} data-wrong={messages.length > 0 || undefined}>
              {isEditable ? (
                <CellInput
                  text={text}
                  label={t('{{title}} of row {{row}}', { title, row: row.number })}
                  messages={messages}
                  onChange={(next) => onChange({ ...row, cells: row.cells.with(at, next) })}
                />
              ) : (
                <bdi>{text}</bdi>
              )}
            </td>
          )
        })}
      </tr>
      {ofRow.length > 0 && (
        <tr data-wrong>
          <td />
          <td colSpan={columns.length} className={classes.ofRow}>
            {ofRow.map(({ path, message }) => (
              <Text key={path + message} size="sm">
                {path !== '' && <strong>{titlesAt(document, mapping, path).join(' / ')}: </strong>}
                <bdi>{message}</bdi>
              </Text>
            ))}
          </td>
        </tr>
      )}
    </>
  )
}

interface CellInputProps {
  readonly text: string
  readonly label: string
  readonly messages: readonly string[]
  readonly onChange: (text: string) => void
}

/** Taken when it is left, or by Enter. */
function CellInput({ text, label, messages, onChange }: CellInputProps) {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const take = () => {
    if (typed !== text) onChange(typed)
  }
  return (
    <>
      <input
        className={classes.input}
        aria-label={label}
        aria-invalid={messages.length > 0}
        aria-description={messages.join(' ')}
        value={typed}
        size={Math.min(30, Math.max(6, text.length))}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={take}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take()
          if (key === 'Escape') setTyped(text)
        }}
      />
      {messages.map((message) => (
        <small key={message} className={classes.message}>
          <bdi>{message}</bdi>
        </small>
      ))}
    </>
  )
}
