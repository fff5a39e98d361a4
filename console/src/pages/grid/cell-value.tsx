// What a cell shows: its value with what a code means, and where it leads.
import { useRouter } from '@tanstack/react-router'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { FieldValue } from '../../parts/field-value.tsx'
import { associatedKey } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import classes from './grid.module.css'
import { type Column, valuesOf } from './list-columns.ts'
import { nameKey, type ReferenceNames, referenceOf } from './reference-names.ts'
import type { PageOfRow, Row } from './rows.ts'

interface CellValueProps {
  readonly company: string
  readonly row: Row
  readonly column: Column
  readonly names: ReferenceNames
  /** Behind the point, in the whole column. */
  readonly places?: number | undefined
  /** Whether it leads to what it refers to. */
  readonly isLink?: boolean
}

export function CellValue({ company, row, column, names, places, isLink = true }: CellValueProps) {
  const reference = referenceOf(column)
  const { association, within } = column
  const whole = isLink && association && !within && associatedKey(row, association)
  const items = valuesOf(row, column).map(({ value, description }, place) => {
    const shown = (
      <FieldValue
        value={value}
        kind={column.kind}
        states={column.states}
        titles={column.schema['x-erp-codeTitles']}
        places={places}
        isInCell
        description={description ?? names.get(nameKey(column.path, value))}
      />
    )
    const leads = reference && isLink && !whole && value !== undefined && value !== ''
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have a place and nothing else
      <Fragment key={place}>
        {place > 0 && ' · '}
        {leads ? <PageLink page={recordPage(company, reference.document, [String(value)])}>{shown}</PageLink> : shown}
      </Fragment>
    )
  })
  if (!whole || !association) return items
  return <PageLink page={recordPage(company, association.document, whole)}>{items}</PageLink>
}

const recordPage = (company: string, document: string, recordKey: readonly string[]): PageOfRow => ({
  to: '/$company/record/$document/$key',
  params: { company, document, key: recordKeyText(recordKey) },
})

/** A link of the router would look up all routes for each of the hundreds that are drawn while one scrolls. */
export function PageLink({ page, children }: { readonly page: PageOfRow; readonly children: ReactNode }) {
  const router = useRouter()
  const params = new Map<string, string>(Object.entries(page.params))
  const path = page.to.replaceAll(/\$(\w+)/g, (_whole, name) => encodeURIComponent(params.get(name) ?? '')).slice(1)
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(page)
  }
  return (
    <a
      href={import.meta.env.BASE_URL + path}
      tabIndex={-1}
      className={classes.link}
      onClick={follow}
      onPointerEnter={() => void router.preloadRoute(page)}
    >
      {children}
    </a>
  )
}
