import type { StatesInfo } from '../service/metadata.ts'
import { ShownText } from './shown-text.tsx'
import classes from './state-badge.module.css'

interface StateBadgeProps {
  readonly states: StatesInfo
  readonly state: string
  /** What people call it. */
  readonly title: string | undefined
}

/** The state of a record, with a sign and a colour by how far it has come. */
export function StateBadge({ states: { initial, closed }, state, title = '' }: StateBadgeProps) {
  return (
    <span className={classes.badge} data-stage={state === closed ? 'end' : state === initial ? 'start' : 'way'}>
      <ShownText text={title === '' ? state : title} isInCell />
    </span>
  )
}
