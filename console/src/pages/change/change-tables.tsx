// The rows of a change: what they have before and after it, and why some are refused.
import { Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { sourceOf, useCodeNames } from '../../service/legal-values.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { literalOf } from '../edit/typed-value.ts'
import { keyFields, keyOf, pageOf, type Row } from '../grid/rows.ts'
import classes from './change.module.css'
import type { Outcome } from './outcome.ts'
import { hasValue } from './planned-change.ts'

/** The first rows tell whether it is what one means. */
const SHOWN = 20

interface TableProps {
  readonly document: DocumentInfo
  /** What people call a record. */
  readonly named: FieldInfo | undefined
  readonly outcome: Outcome
}

export function ChangedRows({ document, named, outcome }: TableProps) {
  const { rows, refused, change, changed } = outcome
  const left = new Set(refused.map(({ row }) => row))
  const shown = rows.filter((row) => !left.has(row) && !hasValue(row, change)).slice(0, SHOWN)
  const source = sourceOf(change.field)
  const [names] = useCodeNames([{ source: source ?? {}, codes: source && change.text !== '' ? [change.text] : [] }])
  if (shown.length === 0) return null
  const title = change.field.titles.at(-1) ?? ''
  return (
    <RowsTable
      label={
        changed > shown.length
          ? t('The first {{count}} rows that change', { count: shown.length })
          : t('Rows that change')
      }
      document={document}
      named={named}
      rows={shown}
      headings={
        <>
          <th scope="col">
            <FieldTitle title={t('{{title}} before', { title })} path={change.field.path} />
          </th>
          <th scope="col">{t('After')}</th>
        </>
      }
      cells={(row) => (
        <>
          <td className={classes.before}>
            <FieldValue kind={change.field.kind} {...valueIn(row, change.field)} />
          </td>
          <td className={classes.after}>
            <FieldValue kind={change.field.kind} value={valueAfter(change)} description={names?.get(change.text)} />
          </td>
        </>
      )}
    />
  )
}

/** As the service would answer it. */
function valueAfter({ field, text }: Outcome['change']): unknown {
  const value: unknown = JSON.parse(literalOf(text, field))
  // Digits that no double has stay as they were typed.
  return typeof value === 'number' ? literalOf(text, field) : value
}

export function RefusedRows({ document, named, outcome: { refused, refusedCount } }: TableProps) {
  const shown = refused.slice(0, SHOWN)
  if (shown.length === 0) return null
  const messages = new Map(shown.map((one) => [one.row, one.messages]))
  return (
    <RowsTable
      label={
        refusedCount > shown.length
          ? t('The first {{count}} rows that are refused', { count: shown.length })
          : t('Rows that are refused')
      }
      document={document}
      named={named}
      rows={shown.map(({ row }) => row)}
      headings={<th scope="col">{t('Why')}</th>}
      cells={(row) => (
        <td className={classes.refused}>
          {messages.get(row)?.map((message) => (
            <Text key={message} size="sm">
              <bdi>{message}</bdi>
            </Text>
          ))}
        </td>
      )}
    />
  )
}

interface RowsTableProps {
  readonly label: string
  readonly document: DocumentInfo
  readonly named: FieldInfo | undefined
  readonly rows: readonly Row[]
  readonly headings: ReactNode
  readonly cells: (row: Row) => ReactNode
}

function RowsTable({ label, document, named, rows, headings, cells }: RowsTableProps) {
  const { id: company } = useCompany()
  const keys = keyFields(document)
  const keyTextOf = (row: Row) => keyOf(keys, row).join(' ')
  return (
    <div>
      <Title order={2} mb="xs">
        {label}
      </Title>
      <ScrollBox label={label}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">
                <FieldTitle
                  title={keys.map(({ titles }) => titles.at(-1)).join(' / ')}
                  path={keys.map(({ path }) => path).join()}
                />
              </th>
              {named && (
                <th scope="col">
                  <FieldTitle title={named.titles.at(-1) ?? ''} path={named.path} />
                </th>
              )}
              {headings}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyTextOf(row)}>
                <th scope="row">
                  <RowLink company={company} document={document} row={row} text={keyTextOf(row)} />
                </th>
                {named && (
                  <td>
                    <FieldValue kind={named.kind} {...valueIn(row, named)} />
                  </td>
                )}
                {cells(row)}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  )
}

interface RowLinkProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly row: Row
  readonly text: string
}

function RowLink({ company, document, row, text }: RowLinkProps) {
  const page = pageOf(company, document, row)
  return page ? <Link {...(page as { readonly to: string })}>{text}</Link> : <bdi>{text}</bdi>
}
