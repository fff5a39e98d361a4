// The feed of changes as it comes, from now on.
import { Button, Group, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { changeText } from '../../parts/change-sentence.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import classes from './integrations.module.css'

interface Change {
  readonly number: number
  readonly entity: string
  readonly operation: string
  readonly key?: unknown
  readonly time?: string
  readonly at?: string
}

interface ChangePage {
  readonly changes: readonly Change[]
  readonly next: string
}

const SHOWN = 50
/** How long an answer waits for the first change. */
const WAIT_SECONDS = 20

export function LiveFeed({ company }: { readonly company: string }) {
  const titleOf = useTitles()
  const [isOn, setOn] = useState(false)
  const [changes, setChanges] = useState<readonly Change[]>([])
  const [failure, setFailure] = useState<Error>()
  useEffect(() => {
    if (!isOn) return undefined
    const stop = new AbortController()
    follow(company, stop.signal, (found) =>
      setChanges((before) => [...found.toReversed(), ...before].slice(0, SHOWN)),
    ).catch((error: Error) => {
      if (stop.signal.aborted) return
      setFailure(error)
      setOn(false)
    })
    return () => stop.abort()
  }, [company, isOn])
  return (
    <section aria-label={t('Feed of changes')} className={classes.feed}>
      <Title order={2}>{t('Feed of changes')}</Title>
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          aria-pressed={isOn}
          onClick={() => {
            setFailure(undefined)
            setOn(!isOn)
          }}
        >
          {isOn ? t('Stop') : t('Follow')}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {isOn ? t('Changes appear here as they are written.') : t('Not followed.')}
        </Text>
      </Group>
      {failure && <ProblemNote error={failure} />}
      {changes.length > 0 && (
        <DataTable
          label={t('Changes')}
          rows={changes}
          keyOf={({ number }) => number}
          columns={{
            [t('Number')]: ({ number }) => number,
            [t('Document')]: ({ entity }) => titleOf(entity),
            [t('Action')]: ({ operation }) => changeText(operation),
            [t('Key')]: ({ key }) => (
              <ShownText text={typeof key === 'string' ? key : JSON.stringify(key)} length={80} />
            ),
          }}
        />
      )}
    </section>
  )
}

async function follow(company: string, signal: AbortSignal, onChanges: (changes: readonly Change[]) => void) {
  let since = 'now'
  while (!signal.aborted) {
    // The first answer only says where now is.
    const wait = since === 'now' ? 0 : WAIT_SECONDS
    const query = new URLSearchParams({ companyId: company, since, limit: '100', wait: String(wait) })
    const { changes, next } = await fetchJson<ChangePage>(`/v1/changes?${query}`, { signal })
    if (changes.length > 0) onChanges(changes)
    since = next
  }
}
