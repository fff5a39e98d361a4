import { Button } from '@mantine/core'
import { actAs } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import classes from './shell.module.css'

/** On every page while an administrator sees what a client sees. */
export function ActingBanner() {
  const { actingAs } = useSession()
  if (actingAs === undefined) return null
  return (
    <aside className={classes.banner} aria-label="Seeing as another">
      <span>
        You see what the client{' '}
        <strong>
          <bdi>{actingAs}</bdi>
        </strong>{' '}
        sees. Nothing can be changed, and this is in the audit.
      </span>
      <Button size="xs" color="dark" onClick={() => actAs(undefined)}>
        Back to yourself
      </Button>
    </aside>
  )
}
