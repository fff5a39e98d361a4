// A part of the page, which fails alone: the others stay.
import { Title } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './home.module.css'

interface PartProps {
  readonly title: string
  /** Beside the heading. */
  readonly more?: ReactNode
  readonly children: ReactNode
}

export function Part({ title, more, children }: PartProps) {
  return (
    <section aria-label={title} className={classes.part}>
      <div className={classes.partHead}>
        <Title order={2}>{title}</Title>
        {more}
      </div>
      {children}
    </section>
  )
}

/** Shows nothing where its children fail. */
export function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 'once'} errorComponent={() => null}>
      {children}
    </CatchBoundary>
  )
}
