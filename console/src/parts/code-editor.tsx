// A text of lines with their numbers, of which some are marked, and one can be gone to.
import { Textarea, type TextareaProps } from '@mantine/core'
import { useMemo, useRef } from 'react'
import classes from './code-editor.module.css'

interface CodeEditorProps extends Omit<TextareaProps, 'value' | 'onChange' | 'ref'> {
  readonly value: string
  /** The first line is 1. */
  readonly marked: readonly number[]
  readonly editor: React.RefObject<HTMLTextAreaElement | null>
  readonly onChange: (value: string) => void
}

export function CodeEditor({ value, marked, editor, onChange, ...rest }: CodeEditorProps) {
  const lines = useRef<HTMLDivElement>(null)
  const numbers = useMemo(() => Array.from({ length: value.split('\n').length }, (_, at) => at + 1).join('\n'), [value])
  const follow = () => lines.current?.style.setProperty('top', `${-(editor.current?.scrollTop ?? 0)}px`)
  return (
    <Textarea
      {...rest}
      ref={editor}
      value={value}
      wrap="off"
      spellCheck={false}
      aria-invalid={marked.length > 0}
      classNames={{ input: classes.input ?? '' }}
      onScroll={follow}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      inputContainer={(input) => (
        <div className={classes.editor}>
          <div className={classes.side} aria-hidden="true">
            {numbers.slice(numbers.lastIndexOf('\n') + 1)}
          </div>
          <div ref={lines} className={classes.lines} aria-hidden="true">
            {[...new Set(marked)].map((line) => (
              <div key={line} className={classes.mark} style={{ top: `${line - 1}lh` }} />
            ))}
            <pre className={classes.numbers}>{numbers}</pre>
          </div>
          {input}
        </div>
      )}
    />
  )
}

/** Puts the cursor there, with the rest of the line chosen; both begin at 1. */
export function goToLine(editor: HTMLTextAreaElement, line: number, column: number): void {
  const { value } = editor
  let start = 0
  for (let at = 1; at < line; at++) start = value.indexOf('\n', start) + 1
  const end = value.indexOf('\n', start)
  editor.focus()
  editor.setSelectionRange(start + column - 1, end < 0 ? value.length : end)
  const height = Number.parseFloat(getComputedStyle(editor).lineHeight)
  // A third from the top: what leads to the line is seen as well.
  editor.scrollTop = (line - 1) * height - editor.clientHeight / 3
  editor.scrollLeft = 0
}
