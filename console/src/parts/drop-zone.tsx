// A place where files are dropped, or chosen by the keyboard as well.
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import classes from './drop-zone.module.css'

interface DropZoneProps {
  readonly className: string | undefined
  /** What the input for files is called. */
  readonly label: string
  /** As of an input; absent: files of any type. */
  readonly accept?: string
  readonly isMultiple?: boolean
  readonly onFiles: (files: readonly File[]) => void
  /** What stands in it; `choose` lets the person choose files. */
  readonly children: (choose: () => void) => ReactNode
}

export function DropZone({ className = '', label, accept, isMultiple = false, onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same by keyboard
    <div
      className={`${className} ${classes.zone} ${isOver ? classes.isOver : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children(() => input.current?.click())}
      <input
        ref={input}
        type="file"
        multiple={isMultiple}
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
