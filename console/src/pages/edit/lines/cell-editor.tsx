// What a cell is changed in. What was typed is given up by Escape, and taken by leaving the cell.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { CodeInput } from '../../../parts/code-input.tsx'
import { lineEndsOf, withLineFeeds } from '../../../parts/line-ends.ts'
import { sourceOf } from '../../../service/legal-values.ts'
import { type FieldInfo, isNumeric } from '../../../service/metadata.ts'
import classes from './lines-grid.module.css'

/** Where the focus goes on: none where it has gone elsewhere already. */
export type NextCell = 'here' | 'below' | 'above' | 'right' | 'left' | undefined

interface CellEditorProps {
  readonly label: string
  readonly field: FieldInfo
  /** What is changed. */
  readonly text: string
  /** What somebody has typed on the cell, and so replaces the text. */
  readonly typed: string | undefined
  readonly onDone: (text: string | undefined, next: NextCell) => void
}

export function CellEditor({ label, field, text, typed, onDone }: CellEditorProps) {
  const [value, setValue] = useState(typed ?? text)
  const isDone = useRef(false)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const input = frame.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
    input?.focus()
    input?.setSelectionRange(typed === undefined ? 0 : typed.length, input.value.length)
  }, [typed])
  const finish = (taken: string | undefined, next: NextCell) => {
    if (isDone.current) return
    isDone.current = true
    onDone(taken === text ? undefined : taken, next)
  }
  const source = sourceOf(field)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.nativeEvent.isComposing) return
    if (event.ctrlKey || event.metaKey) {
      // Whoever saves, saves what stands in the cell.
      if (event.key.toLowerCase() === 's') finish(value, 'here')
      return
    }
    const next = nextCell(event, source !== undefined)
    // Enter takes the option that the arrows have led to.
    if (!next || (event.key === 'Enter' && isOptionChosen(event.currentTarget))) return
    event.preventDefault()
    event.stopPropagation()
    finish(event.key === 'Escape' ? undefined : value, next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the input within
    <div ref={frame} onKeyDownCapture={onKeyDown} onBlur={() => finish(value, undefined)}>
      {source ? (
        <CodeInput
          source={source}
          aria-label={label}
          value={value}
          isTyped={typed !== undefined}
          defaultDropdownOpened
          variant="unstyled"
          classNames={{ input: classes.editor ?? '' }}
          comboboxProps={{ position: 'bottom-start', width: 'max-content', withinPortal: true }}
          onChange={setValue}
          onOptionSubmit={(code) => finish(code, 'here')}
        />
      ) : (
        <textarea
          rows={1}
          aria-label={label}
          className={`${classes.editor} ${isNumeric(field) ? classes.numeric : ''}`}
          inputMode={isNumeric(field) ? 'decimal' : 'text'}
          spellCheck={field.kind === 'text'}
          value={withLineFeeds(value)}
          onChange={({ currentTarget }) =>
            setValue(withLineFeeds(currentTarget.value).replaceAll('\n', lineEndsOf(text) ?? '\n'))
          }
        />
      )}
    </div>
  )
}

function nextCell({ key, shiftKey }: KeyboardEvent, hasOptions: boolean): NextCell {
  switch (key) {
    case 'Escape':
      return 'here'
    case 'Enter':
      return shiftKey ? 'above' : 'below'
    case 'Tab':
      return shiftKey ? 'left' : 'right'
    case 'ArrowDown':
      return hasOptions ? undefined : 'below'
    case 'ArrowUp':
      return hasOptions ? undefined : 'above'
    default:
      return undefined
  }
}

const isOptionChosen = (frame: Element): boolean => frame.querySelector('[aria-activedescendant]') !== null
