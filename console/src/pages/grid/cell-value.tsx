// What a cell shows: its value with what a code means, and where it leads.
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { FieldValue } from '../../parts/field-value.tsx'
import { associatedKey } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import classes from './grid.module.css'
import { type Column, valuesOf } from './list-columns.ts'
import { nameKey, type ReferenceNames, referenceOf } from './reference-names.ts'
import type { Row } from './rows.ts'

interface CellValueProps {
  readonly company: string
  readonly row: Row
  readonly column: Column
  readonly names: ReferenceNames
  /** Whether it leads to what it refers to. */
  readonly isLink?: boolean
}

export function CellValue({ company, row, column, names, isLink = true }: CellValueProps) {
  const reference = referenceOf(column)
  const { association, within } = column
  const whole = isLink && association && !within && associatedKey(row, association)
  const items = valuesOf(row, column).map(({ value, description }, place) => {
    const shown = (
      <FieldValue
        value={value}
        kind={column.kind}
        description={description ?? names.get(nameKey(column.path, value))}
      />
    )
    const leads = reference && isLink && !whole && value !== undefined && value !== ''
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have a place and nothing else
      <Fragment key={place}>
        {place > 0 && ' · '}
        {leads ? (
          <RecordLink company={company} document={reference.document} recordKey={[String(value)]}>
            {shown}
          </RecordLink>
        ) : (
          shown
        )}
      </Fragment>
    )
  })
  if (!whole || !association) return items
  return (
    <RecordLink company={company} document={association.document} recordKey={whole}>
      {items}
    </RecordLink>
  )
}

interface RecordLinkProps {
  readonly company: string
  readonly document: string
  readonly recordKey: readonly string[]
  readonly children: React.ReactNode
}

function RecordLink({ company, document, recordKey, children }: RecordLinkProps) {
  const params = { company, document, key: recordKeyText(recordKey) }
  return (
    <Link to="/$company/record/$document/$key" params={params} tabIndex={-1} className={classes.link}>
      {children}
    </Link>
  )
}
