// What a person folds below a heading, which stays so: `place` is where, such as the records of a document.
import type { ReactNode } from 'react'
import { type ChangeSettings, membersIn, useSettings } from '../service/settings.ts'
import classes from './folding.module.css'
import { Icon } from './icon.tsx'

interface FoldButtonProps {
  readonly isFolded: boolean
  /** The id of what is folded. */
  readonly controls: string
  /** Where the heading is no part of the button. */
  readonly label?: string | undefined
  readonly onClick: () => void
  readonly children?: ReactNode
}

export function FoldButton({ isFolded, controls, label, onClick, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      className={classes.fold}
      aria-expanded={!isFolded}
      aria-controls={controls}
      aria-label={label}
      onClick={onClick}
    >
      {children}
      <Icon name="fold" size={16} />
    </button>
  )
}

interface FoldedPartProps {
  readonly id: string
  readonly isFolded: boolean
  readonly children: ReactNode
}

/** On paper it is there. */
export function FoldedPart({ id, isFolded, children }: FoldedPartProps) {
  return (
    <div id={id} hidden={isFolded} className={classes.content}>
      {children}
    </div>
  )
}

export function useFolded(place: string, path: string): [boolean, () => void] {
  const [settings, change] = useSettings()
  const isFolded = foldedIn(membersIn(settings.folded)[place]).includes(path)
  return [isFolded, () => toggleIn(change, place, path)]
}

function toggleIn(change: ChangeSettings, place: string, path: string): void {
  change((before) => {
    const all = membersIn(before.folded)
    const paths = foldedIn(all[place])
    const next = paths.includes(path) ? paths.filter((one) => one !== path) : [...paths, path]
    return { ...before, folded: { ...all, [place]: next } }
  })
}

/** Another version of the console may have written it. */
const foldedIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
