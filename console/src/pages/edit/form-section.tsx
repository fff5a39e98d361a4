// Members of a form below their title, which a person may fold: it stays so for all forms of the document.
import { type ReactNode, useId, useState } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FoldButton, FoldedPart, useFolded } from '../../parts/folding.tsx'
import classes from './edit.module.css'

interface FormSectionProps {
  /** The document that the form is of. */
  readonly document: string
  readonly path: string
  /** For addresses that lead to it. */
  readonly anchor?: string
  readonly title: string
  /** Whether something in it is to be seen in any case: what is wrong, needed, or asked for. */
  readonly isNeeded: boolean
  readonly children: ReactNode
}

export function FormSection({ document, path, anchor, title, isNeeded, children }: FormSectionProps) {
  const [isKeptFolded, toggle] = useFolded(`${document}/edit`, path)
  // It does not fold under the hands of who puts right what was wrong.
  const [isOpened, setOpened] = useState(isNeeded)
  if (isNeeded && !isOpened) setOpened(true)
  const isFolded = isKeptFolded && !isOpened
  const id = useId()
  const onClick = () => {
    setOpened(false)
    if (isFolded || !isKeptFolded) toggle()
  }
  return (
    <fieldset className={classes.group} id={anchor}>
      <legend>
        <FoldButton isFolded={isFolded} controls={id} onClick={onClick}>
          <FieldTitle title={title} path={path} />
        </FoldButton>
      </legend>
      <FoldedPart id={id} isFolded={isFolded}>
        {children}
      </FoldedPart>
    </fieldset>
  )
}
