// Buttons over the cell that the pointer is on: change it, only such rows, or all others. By the keyboard: Enter, `=` and
// `!`. In a narrow cell one stands at its end, so that the cell can be pressed, and the others unfold beside it.
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { t } from '../../words/words.ts'
import type { Condition } from './filter/conditions.ts'
import classes from './grid.module.css'

interface CellChoiceProps {
  readonly conditionAt: (row: number, column: number, isWanted: boolean) => Condition | undefined
  readonly isEditable: (row: number, column: number) => boolean
  readonly onChoose: (condition: Condition) => void
  readonly onEdit: (row: number, column: number, cell: Element) => void
  readonly children: ReactNode
}

interface Place {
  readonly cell: HTMLElement
  readonly name: string | undefined
  readonly row: number
  readonly column: number
  readonly only: Condition | undefined
  readonly not: Condition | undefined
  readonly isEditable: boolean
}

export function CellChoice(props: CellChoiceProps) {
  const { onChoose, onEdit, children } = props
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>()
  const hide = () => setPlace(undefined)
  const look = ({ target, pointerType }: PointerEvent) => {
    const element = target as Element
    if (pointerType === 'touch' || element.closest('[data-choice]')) return
    const cell = element.closest<HTMLElement>('[data-place]')
    if (cell?.dataset.place === place?.name) return
    setPlace(cell ? placeOf(cell, props) : undefined)
  }
  const choose = (condition: Condition) => {
    hide()
    onChoose(condition)
  }
  return (
    <div ref={frame} className={classes.frame} onPointerMove={look} onPointerLeave={hide} onScrollCapture={hide}>
      {children}
      {place && frame.current && (
        <div data-choice className={classes.choice} {...standing(place, frame.current)}>
          {place.isEditable ? (
            <ChoiceButton
              label={t('Change the cell')}
              onClick={() => {
                hide()
                // It has the focus again when the change is saved or left.
                place.cell.focus()
                onEdit(place.row, place.column, place.cell)
              }}
            >
              <Icon name="pencil" size={16} />
            </ChoiceButton>
          ) : (
            <span className={classes.more}>
              <Icon name="more" size={16} />
            </span>
          )}
          {place.only && <FilterButton sign="=" label={t('Only this')} condition={place.only} onChoose={choose} />}
          {place.not && <FilterButton sign="≠" label={t('Not this')} condition={place.not} onChoose={choose} />}
        </div>
      )}
    </div>
  )
}

interface FilterButtonProps {
  readonly sign: string
  readonly label: string
  readonly condition: Condition
  readonly onChoose: (condition: Condition) => void
}

function FilterButton({ sign, label, condition, onChoose }: FilterButtonProps) {
  return (
    <ChoiceButton label={label} onClick={() => onChoose(condition)}>
      {sign}
    </ChoiceButton>
  )
}

interface ChoiceButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function ChoiceButton({ label, onClick, children }: ChoiceButtonProps) {
  return (
    <button type="button" tabIndex={-1} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  )
}

/** Undefined where there is nothing to choose. */
function placeOf(cell: HTMLElement, { conditionAt, isEditable }: CellChoiceProps): Place | undefined {
  const name = cell.dataset.place
  const [row = 0, column = 0] = (name ?? '').split(':').map(Number)
  const [only, not] = [conditionAt(row, column, true), conditionAt(row, column, false)]
  const place = { cell, name, row, column, only, not, isEditable: isEditable(row, column) }
  return only || not || place.isEditable ? place : undefined
}

const BUTTON_PX = 26

/** At the end of the cell that has room, as far as the cell is seen. */
function standing({ cell, only, not, isEditable }: Place, frame: HTMLElement) {
  const [inside, outside] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()]
  const left = Math.max(inside.left, outside.left) - outside.left
  const right = Math.min(inside.right, outside.right) - outside.left
  const buttons = [only, not, isEditable || undefined].filter((one) => one !== undefined).length
  const isAtStart = getComputedStyle(cell).textAlign === 'right'
  const isNarrow = (right - left) / 2 < buttons * BUTTON_PX
  return {
    'data-narrow': isNarrow || undefined,
    'data-end': isAtStart ? undefined : true,
    style: {
      top: inside.top - outside.top,
      ...(isAtStart ? { left } : { right: outside.width - right }),
    },
  }
}
