import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './page-frame.module.css'

interface PageFrameProps {
  /** The one heading of the page, and of its tab. */
  readonly title: string
  /** What stands beside the heading, and is no part of it. */
  readonly beside?: ReactNode
  readonly description?: ReactNode
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  /** The content takes the height of the window that is left, and scrolls within. */
  readonly isFilling?: boolean
  readonly children: ReactNode
}

export function PageFrame({ title, beside, description, actions, isFilling = false, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · Tabularium`
  }, [title])
  return (
    <div className={isFilling ? classes.filling : classes.page}>
      <header className={classes.head}>
        <div>
          <div className={classes.heading}>
            <Title order={1}>
              <bdi>{title}</bdi>
            </Title>
            {beside}
          </div>
          {description !== undefined && <div className={classes.description}>{description}</div>}
        </div>
        {actions !== undefined && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </header>
      {children}
    </div>
  )
}
