import { Button } from '@mantine/core'
import { isSamePage, type KeptPage, useKept } from '../service/kept.ts'
import { t } from '../words/words.ts'
import { command } from './command.ts'
import classes from './icon.module.css'
import { Icon } from './icon.tsx'

/** Follows a record or a list: Home tells what has changed in it. */
export function StarButton({ page }: { readonly page: Omit<KeptPage, 'at'> }) {
  const [followed, change] = useKept('followed')
  const kept: KeptPage = { ...page, at: new Date().toISOString() }
  const isFollowed = followed.some((one) => isSamePage(one, kept))
  const label = isFollowed ? t('Do not follow any longer') : t('Follow: Home tells what changes')
  return (
    <Button
      px={7}
      variant="default"
      aria-pressed={isFollowed}
      aria-label={label}
      title={label}
      {...command(label)}
      className={isFollowed ? classes.filled : undefined}
      onClick={() =>
        change((pages) => [...(isFollowed ? [] : [kept]), ...pages.filter((one) => !isSamePage(one, kept))])
      }
    >
      <Icon name="star" size={16} />
    </Button>
  )
}
