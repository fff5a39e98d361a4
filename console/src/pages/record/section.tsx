// A part of a record below its heading, which a person may fold: it stays so for all records of the document.
import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { type ChangeSettings, membersIn, useSettings } from '../../service/settings.ts'
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
  const button = (content: ReactNode, label?: string) => (
    <button
      type="button"
      className={classes.fold}
      aria-expanded={!isFolded}
      aria-controls={id}
      aria-label={label}
      onClick={toggle}
    >
      {content}
      <Icon name="fold" size={16} />
    </button>
  )
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.head}>
        <Title order={2}>{isLink ? heading : button(heading)}</Title>
        {isLink && button(undefined, t('Fold {{title}}', { title }))}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      <div id={id} hidden={isFolded} className={classes.content}>
        {children}
      </div>
    </section>
  )
}

function useFolded(document: string, path: string): [boolean, () => void] {
  const [settings, change] = useSettings()
  const isFolded = foldedIn(membersIn(settings.folded)[document]).includes(path)
  return [isFolded, () => toggleIn(change, document, path)]
}

function toggleIn(change: ChangeSettings, document: string, path: string): void {
  change((before) => {
    const all = membersIn(before.folded)
    const paths = foldedIn(all[document])
    const next = paths.includes(path) ? paths.filter((one) => one !== path) : [...paths, path]
    return { ...before, folded: { ...all, [document]: next } }
  })
}

/** Another version of the console may have written it. */
const foldedIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
