// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: the button in a cell has the focus

import { VisuallyHidden } from '@mantine/core'
import { type CSSProperties, useRef } from 'react'
import { type FieldInfo, isNumeric } from '../../../service/metadata.ts'
import { writingOf } from '../../../service/written-values.ts'
import { t } from '../../../words/words.ts'
import type { Draft, ListItem } from '../changes.ts'
import { CellEditor, type NextCell } from './cell-editor.tsx'
import { type CellFaults, faultAt } from './cell-faults.ts'
import { editedCell, shownCell } from './cell-text.ts'
import { isEditable, type LineRights } from './line-items.ts'
import classes from './lines-grid.module.css'

interface LineRowProps {
  readonly index: number
  readonly style: CSSProperties
  readonly columns: readonly FieldInfo[]
  /** Undefined behind the last line, where a new one begins. */
  readonly item: ListItem | undefined
  /** As the service would answer it; undefined while it is asked. */
  readonly computed: Draft | undefined
  readonly faults: CellFaults
  /** Those of the amounts of a column. */
  readonly places: ReadonlyMap<string, number>
  /** What a code of a column means. */
  readonly names: (path: string, code: string) => string
  readonly rights: LineRights
  /** The column whose cell Tab leads to; -1 in other rows. */
  readonly current: number
  readonly edited: { readonly typed: string | undefined } | undefined
  readonly onEnter: (column: number) => void
  readonly onEdit: () => void
  readonly onDone: (taken: string | undefined, next: NextCell) => void
  readonly onRemove: () => void
}

export function LineRow(props: LineRowProps) {
  const { index, style, columns, item, rights, current, onEnter, onRemove } = props
  const label = t('Remove line {{number}}', { number: index + 1 })
  const last = columns.length
  const place = {
    'data-place': `${index}:${last}`,
    tabIndex: current === last ? 0 : -1,
    onFocus: () => onEnter(last),
  }
  return (
    <div role="row" aria-rowindex={index + 2} className={classes.row} style={style}>
      {columns.map((field, column) => (
        <LineCell key={field.path} {...props} field={field} column={column} />
      ))}
      {rights.delete && !item && <div role="gridcell" className={classes.cell} {...place} />}
      {rights.delete && item && (
        <div role="gridcell" className={classes.cell}>
          <button
            type="button"
            className={classes.remove}
            aria-label={label}
            title={label}
            onClick={onRemove}
            {...place}
          >
            ✕
          </button>
        </div>
      )}
    </div>
  )
}

interface LineCellProps extends LineRowProps {
  readonly field: FieldInfo
  readonly column: number
}

function LineCell(props: LineCellProps) {
  const { index, item, field, column, computed, faults, places, names, rights, current } = props
  const { onEnter, onEdit, onDone } = props
  const isAgain = useRef(false)
  const edited = current === column ? props.edited : undefined
  const isComputed = field.schema.readOnly === true
  const text = (isComputed ? computed : item?.texts)?.[field.path] ?? item?.texts[field.path] ?? ''
  const fault = faultAt(faults, index, field.path)
  const isFixed = !isEditable(field, item, rights)
  const title = field.titles.join(' / ')
  const looks = [
    classes.cell,
    column === 0 && classes.first,
    isNumeric(field) && classes.numeric,
    isFixed && classes.fixed,
    isComputed && item && !computed && classes.stale,
    fault !== undefined && classes.wrong,
    edited && classes.isEdited,
  ]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys of all cells
    <div
      role="gridcell"
      data-place={`${index}:${column}`}
      tabIndex={current === column ? 0 : -1}
      className={looks.filter(Boolean).join(' ')}
      title={fault ?? (isComputed && item && !computed ? t('As it was before the change.') : undefined)}
      aria-readonly={isFixed}
      aria-invalid={fault !== undefined}
      onFocus={() => onEnter(column)}
      onPointerDown={({ currentTarget, pointerType }) => {
        isAgain.current = pointerType === 'touch' || currentTarget === document.activeElement
      }}
      onClick={() => {
        if (isAgain.current && !edited) onEdit()
      }}
      onDoubleClick={() => {
        if (!edited) onEdit()
      }}
    >
      {edited ? (
        <CellEditor
          label={t('{{field}} of line {{number}}', { field: title, number: index + 1 })}
          field={field}
          text={editedCell(field, text, writingOf())}
          typed={edited.typed}
          onDone={onDone}
        />
      ) : (
        <Shown
          text={shownCell(field, text, places.get(field.path))}
          name={names(field.path, text)}
          fault={fault}
          isNew={!item && column === 0}
        />
      )}
    </div>
  )
}

interface ShownProps {
  readonly text: string
  readonly name: string
  readonly fault: string | undefined
  readonly isNew: boolean
}

function Shown({ text, name, fault, isNew }: ShownProps) {
  return (
    <>
      <bdi>{text}</bdi>
      {name !== '' && (
        <>
          {' '}
          <bdi className={classes.name}>{name}</bdi>
        </>
      )}
      {isNew && (
        <span aria-hidden className={classes.name}>
          +
        </span>
      )}
      {isNew && <VisuallyHidden>{t('A new line')}</VisuallyHidden>}
      {fault !== undefined && <VisuallyHidden>: {fault}</VisuallyHidden>}
    </>
  )
}
