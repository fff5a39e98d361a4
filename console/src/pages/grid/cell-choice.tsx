// Two buttons over the cell that the pointer is on: only such rows, or all others. By the keyboard: `=` and `!`.
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import type { Condition } from './filter/conditions.ts'
import classes from './grid.module.css'

interface CellChoiceProps {
  readonly conditionAt: (row: number, column: number, isWanted: boolean) => Condition | undefined
  readonly onChoose: (condition: Condition) => void
  readonly children: ReactNode
}

interface Place {
  readonly cell: string
  readonly only: Condition | undefined
  readonly not: Condition | undefined
  readonly left: number
  readonly top: number
}

export function CellChoice({ conditionAt, onChoose, children }: CellChoiceProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>()
  const hide = () => setPlace(undefined)
  const look = ({ target, pointerType }: PointerEvent) => {
    const element = target as Element
    if (pointerType === 'touch' || element.closest('[data-choice]')) return
    const cell = element.closest<HTMLElement>('[data-place]')
    if (cell?.dataset.place === place?.cell) return
    setPlace(cell && frame.current ? placeOf(cell, frame.current, conditionAt) : undefined)
  }
  const choose = (condition: Condition) => {
    hide()
    onChoose(condition)
  }
  return (
    <div ref={frame} className={classes.frame} onPointerMove={look} onPointerLeave={hide} onScrollCapture={hide}>
      {children}
      {place && (
        <div data-choice className={classes.choice} style={{ left: place.left, top: place.top }}>
          {place.only && <ChoiceButton sign="=" label={t('Only this')} condition={place.only} onChoose={choose} />}
          {place.not && <ChoiceButton sign="≠" label={t('Not this')} condition={place.not} onChoose={choose} />}
        </div>
      )}
    </div>
  )
}

interface ChoiceButtonProps {
  readonly sign: string
  readonly label: string
  readonly condition: Condition
  readonly onChoose: (condition: Condition) => void
}

function ChoiceButton({ sign, label, condition, onChoose }: ChoiceButtonProps) {
  return (
    <button type="button" tabIndex={-1} aria-label={label} title={label} onClick={() => onChoose(condition)}>
      {sign}
    </button>
  )
}

const WIDTH_PX = 52

/** At the end of the cell that has room, as far as the cell is seen. */
function placeOf(
  cell: HTMLElement,
  frame: HTMLElement,
  conditionAt: CellChoiceProps['conditionAt'],
): Place | undefined {
  const { place = '' } = cell.dataset
  const [row = 0, column = 0] = place.split(':').map(Number)
  const [only, not] = [conditionAt(row, column, true), conditionAt(row, column, false)]
  if (!only && !not) return undefined
  const [inside, outside] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()]
  const end = Math.min(inside.right, outside.right) - WIDTH_PX
  const left = getComputedStyle(cell).textAlign === 'right' ? Math.max(inside.left, outside.left) : end
  return { cell: place, only, not, left: left - outside.left, top: inside.top - outside.top }
}
