// Which cells may be changed where they stand, and the one that is changed now.
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMayWrite } from '../../service/may-write.ts'
import { type DocumentInfo, isGiven } from '../../service/metadata.ts'
import { memberAt } from '../../service/question.ts'
import type { EditedCell } from './cell-edit.tsx'
import type { Column } from './list-columns.ts'
import { keyFields, type Row } from './rows.ts'

/** It comes with the first cell that is changed. */
const CellEdit = lazy(() => import('./cell-edit.tsx'))

export interface Editing {
  /** Whether the person may change records of the document at all. */
  readonly isPossible: boolean
  /** Whether it is changed now: false where it may not be. */
  readonly edit: (row: Row | undefined, column: Column | undefined, cell: Element) => boolean
  readonly editor: ReactNode
}

export function useEditing(company: string, document: DocumentInfo): Editing {
  const [edited, setEdited] = useState<EditedCell>()
  const isPossible = useMayWrite()(document.name, 'update') && keyFields(document).length > 0
  const edit: Editing['edit'] = (row, column, cell) => {
    if (!isPossible || !row || !column || !isChangeable(document, row, column)) return false
    setEdited({ row, field: column, box: cell.getBoundingClientRect() })
    return true
  }
  const editor = edited && (
    <Suspense>
      <CellEdit {...edited} company={company} document={document} onClose={() => setEdited(undefined)} />
    </Suspense>
  )
  return { isPossible, edit, editor }
}

/** Whether who may change the record may change this cell of it. */
export const isChangeable = (document: DocumentInfo, row: Row, column: Column): boolean =>
  !column.isKey && !column.within && isGiven(column) && !isLocked(document, row, column)

/** Whether the state of the record keeps it as it is. Where that is not shown, the service says so. */
function isLocked({ record }: DocumentInfo, row: Row, { path }: Column): boolean {
  const states = record['x-erp-state']
  const locked = states?.locks[String(memberAt(row, states.property.split('/')))] ?? []
  return locked.some((one) => path === one || path.startsWith(`${one}/`))
}
