// A part of a record below its heading, which a person may fold: it stays so for all records of the document.
import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { FoldButton, FoldedPart, useFolded } from '../../parts/folding.tsx'
import { t } from '../../words/words.ts'
import classes from './section.module.css'

interface SectionProps {
  /** The document that the record is of. */
  readonly document: string
  /** Where its members stand in the record. */
  readonly path: string
  readonly title: string
  /** The title as it is seen. */
  readonly heading: ReactNode
  /** Whether the heading leads to another page. */
  readonly isLink?: boolean
  /** What can be done with it. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Section({ document, path, title, heading, isLink = false, actions, children }: SectionProps) {
  const [isFolded, toggle] = useFolded(document, path)
  const id = useId()
  const fold = { isFolded, controls: id, onClick: toggle }
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.head}>
        <Title order={2}>{isLink ? heading : <FoldButton {...fold}>{heading}</FoldButton>}</Title>
        {isLink && <FoldButton {...fold} label={t('Fold {{title}}', { title })} />}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      <FoldedPart id={id} isFolded={isFolded}>
        {children}
      </FoldedPart>
    </section>
  )
}
