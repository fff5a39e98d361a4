import type { StatesInfo } from '../service/metadata.ts'
import { ShownText } from './shown-text.tsx'
import classes from './state-badge.module.css'

interface StateBadgeProps {
  readonly states: StatesInfo
  readonly state: string
  /** What people call it. */
  readonly title: string | undefined
}

/** The state of a record, with a sign and a colour by what it means, or else by how far the record has come. */
export function StateBadge({ states, state, title = '' }: StateBadgeProps) {
  return (
    <span className={classes.badge} data-stage={stageOf(states, state)}>
      <ShownText text={title === '' ? state : title} isInCell />
    </span>
  )
}

/** Nothing is guessed of its name. */
export function stageOf({ initial, closed, meanings }: StatesInfo, state: string): string {
  const declared = Object.hasOwn(meanings, state) ? meanings[state] : undefined
  if (declared !== undefined) return declared
  if (state === closed) return 'end'
  if (initial === undefined) return 'unknown'
  return state === initial ? 'waiting' : 'way'
}
