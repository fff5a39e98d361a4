import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMayChangeMany } from '../../service/may-write.ts'

interface ChangeLinkProps {
  readonly company: string
  readonly document: string
  readonly filter: string
  readonly children: string
}

/** To the change of all rows that a filter leaves, for who may make it. */
export function ChangeLink({ company, document, filter, children }: ChangeLinkProps) {
  if (!useMayChangeMany()(document)) return null
  return (
    <Button
      variant="default"
      component={Link}
      to="/$company/change/$document"
      params={{ company, document } as never}
      search={(filter === '' ? {} : { filter }) as never}
    >
      {children}
    </Button>
  )
}
