import { Button } from '@mantine/core'
import { actAs } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import { sentence } from '../words/sentence.tsx'
import { t } from '../words/words.ts'
import classes from './shell.module.css'

/** On every page while an administrator sees what a client sees. */
export function ActingBanner() {
  const { actingAs } = useSession()
  if (actingAs === undefined) return null
  return (
    <aside className={classes.banner} aria-label={t('Seeing as another')}>
      <span>
        {sentence('You see what the client {{client}} sees. Nothing can be changed, and this is in the audit.', {
          client: (
            <strong>
              <bdi>{actingAs}</bdi>
            </strong>
          ),
        })}
      </span>
      <Button size="xs" color="dark" onClick={() => actAs(undefined)}>
        {t('Back to yourself')}
      </Button>
    </aside>
  )
}
