// What is typed and not saved: nobody leaves it unasked, and this tab keeps it when the session ends meanwhile.
import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './edit.module.css'

export interface Unsaved<Typed> {
  /** What this person has typed before, until it is taken or thrown away. */
  readonly offered: Typed | undefined
  /** It has been taken, or thrown away. */
  readonly settle: () => void
  /** What is typed is saved, or not wanted. */
  readonly finish: () => void
}

/** `typed` is undefined while nothing has been changed. */
export function useUnsaved<Typed>(place: string, typed: Typed | undefined): Unsaved<Typed> {
  const { user } = useSession()
  const key = `tabularium.unsaved.${user}.${place}`
  const [offered, setOffered] = useState(() => readUnsaved<Typed>(key))
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    if (typed !== undefined) sessionStorage.setItem(key, JSON.stringify(typed))
    else if (offered === undefined) sessionStorage.removeItem(key)
  }, [key, typed, offered])
  const finish = () => {
    isDone.current = true
    sessionStorage.removeItem(key)
  }
  useBlocker({
    shouldBlockFn: () => {
      if (isDone.current || typed === undefined) return false
      if (!confirm(t('Leave without saving?'))) return true
      finish()
      return false
    },
    enableBeforeUnload: () => !isDone.current && typed !== undefined,
  })
  return { offered, settle: () => setOffered(undefined), finish }
}

function readUnsaved<Typed>(key: string): Typed | undefined {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : (JSON.parse(kept) as Typed)
}

interface UnsavedOfferProps {
  readonly onTake: () => void
  readonly onForget: () => void
}

export function UnsavedOffer({ onTake, onForget }: UnsavedOfferProps) {
  return (
    <section className={classes.notice} aria-label={t('Kept')} role="status">
      <Text size="sm">{t('What you typed here before, and did not save, is kept.')}</Text>
      <Group gap="xs">
        <Button onClick={onTake}>{t('Go on with it')}</Button>
        <Button variant="default" onClick={onForget}>
          {t('Throw it away')}
        </Button>
      </Group>
    </section>
  )
}
