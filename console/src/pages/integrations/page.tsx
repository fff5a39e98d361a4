// How other programs are told of changes: subscriptions with their attempts, and the feed as it comes.
import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changeText } from '../../parts/change-sentence.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { type Change, fetchChanges, NOW } from '../../service/changes.ts'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import classes from './integrations.module.css'
import { Subscriptions } from './subscriptions.tsx'

export function IntegrationsPage() {
  const { id: company } = useCompany()
  const may = useMay()
  return (
    <PageFrame title={t('Integrations')} description={t('How other programs are told what changes in this company.')}>
      {may('subscriptions:read') && <Subscriptions company={company} />}
      <LiveFeed key={company} company={company} />
      {may('objects:read/audit-entries') && <RefusedAccess company={company} />}
    </PageFrame>
  )
}

interface AuditEntry {
  readonly entryNo: number
  readonly at: string
  readonly operation: string
  readonly recordKey: string
  readonly userId: string
  readonly clientId: string
}

/** What callers of this company were refused lately. */
function RefusedAccess({ company }: { readonly company: string }) {
  const { data, error } = useQuery({
    queryKey: [company, 'refused'],
    queryFn: () =>
      fetchJson<AuditEntry[]>(
        addressOf(company, {
          document: 'audit-entries',
          select: 'entryNo,at,operation,recordKey,userId,clientId',
          filter: "entity eq 'access'",
          orderBy: 'entryNo desc',
          limit: 20,
        }),
      ),
  })
  return (
    <section aria-label={t('Refused access')}>
      <Title order={2}>{t('Refused lately')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading lines={3} />}
      {data?.length === 0 && <Text size="sm">{t('Nobody was refused.')}</Text>}
      {data && data.length > 0 && (
        <DataTable
          label={t('Refused access')}
          rows={data}
          keyOf={({ entryNo }) => entryNo}
          columns={{
            [t('Time')]: ({ at }) => timeText(at),
            [t('Client')]: ({ clientId, userId }) => <ShownText text={clientId || userId} />,
            [t('Asked')]: ({ operation, recordKey }) => <ShownText text={`${operation} ${recordKey}`} length={120} />,
          }}
        />
      )}
    </section>
  )
}

// The feed of changes as it comes, from now on.

const SHOWN = 50
/** How long an answer waits for the first change. */
const WAIT_SECONDS = 20

function LiveFeed({ company }: { readonly company: string }) {
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
  let since = NOW
  while (!signal.aborted) {
    // The first answer only says where now is.
    const waitSeconds = since === NOW ? 0 : WAIT_SECONDS
    const { changes, next } = await fetchChanges(company, since, { waitSeconds, signal })
    if (changes.length > 0) onChanges(changes)
    since = next
  }
}
