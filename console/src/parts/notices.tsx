// Short notices, such as that something was saved. They are read out, and go by themselves.
import { CloseButton, Paper, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { t } from '../words/words.ts'
import classes from './notices.module.css'

interface Notice {
  readonly id: number
  readonly text: string
}

const SHOWN_MS = 6_000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function replace(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

const remove = (id: number): void => replace(notices.filter((notice) => notice.id !== id))

export function notify(text: string): void {
  lastId += 1
  const id = lastId
  replace([...notices.slice(-2), { id, text }])
  setTimeout(() => remove(id), SHOWN_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div className={classes.notices} role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <Paper key={id} withBorder shadow="md" className={classes.notice}>
          <Text size="sm">
            <bdi>{text}</bdi>
          </Text>
          <CloseButton aria-label={t('Close the notice')} onClick={() => remove(id)} />
        </Paper>
      ))}
    </div>
  )
}
