// Short notices, such as that something was saved. They are read out, and go by themselves.
import { Button, CloseButton, Paper, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { t } from '../words/words.ts'
import classes from './notices.module.css'

interface Notice {
  readonly id: number
  readonly text: string
  readonly action: NoticeAction | undefined
}

/** What may be done about it, such as to undo it. */
export interface NoticeAction {
  readonly label: string
  readonly run: () => Promise<void>
}

const SHOWN_MS = 6_000
/** There is time to think about what may be done. */
const OFFERED_MS = 60_000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function replace(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

const remove = (id: number): void => replace(notices.filter((notice) => notice.id !== id))

export function notify(text: string, action?: NoticeAction): void {
  lastId += 1
  const id = lastId
  replace([...notices.slice(-2), { id, text, action }])
  setTimeout(() => remove(id), action ? OFFERED_MS : SHOWN_MS)
}

async function act({ id, action }: Notice): Promise<void> {
  remove(id)
  try {
    await action?.run()
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error))
  }
}

/** What the newest notice offers, if one does. */
export function actOnLast(): void {
  const last = notices.findLast(({ action }) => action)
  if (last) void act(last)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div className={classes.notices} role="status" aria-live="polite">
      {shown.map((notice) => (
        <Paper key={notice.id} withBorder shadow="md" className={classes.notice}>
          <Text size="sm">
            <bdi>{notice.text}</bdi>
          </Text>
          {notice.action && (
            <Button size="compact-sm" variant="subtle" onClick={() => void act(notice)}>
              {notice.action.label}
            </Button>
          )}
          <CloseButton aria-label={t('Close the notice')} onClick={() => remove(notice.id)} />
        </Paper>
      ))}
    </div>
  )
}
