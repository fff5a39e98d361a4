// Every change of the record with its difference: what this change did, not what has become of it since.
import { Button, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Problem } from '#client'
import { type DocumentInfo, documentQuery, titleAt } from '../service/metadata.ts'
import { fetchHistory, type MemberChange, type RecordChangeEntry } from '../service/records.ts'
import { undoable } from '../service/undo.ts'
import { sentence } from '../words/sentence.tsx'
import { t } from '../words/words.ts'
import { ChangeSentence } from './change-sentence.tsx'
import { timeText } from './field-value.tsx'
import { Loading } from './loading.tsx'
import { notify } from './notices.tsx'
import { ProblemNote } from './problem.tsx'
import { RecordValue } from './record-value.tsx'
import { ShownText } from './shown-text.tsx'
import classes from './timeline.module.css'
import { useUndo } from './use-undo.ts'

/** It comes with the first text that has lines. */
const TextDifference = lazy(() => import('./text-difference.tsx'))

interface TimelineProps {
  readonly company: string
  readonly document: string
  readonly recordKey: readonly string[]
  /** Shows the record as it was then. */
  readonly onChoose?: ((instant: string) => void) | undefined
  /** Whether the newest change may be taken back here. */
  readonly mayUndo?: boolean
}

export function Timeline({ company, document, recordKey, onChoose, mayUndo = false }: TimelineProps) {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [company, 'history', document, ...recordKey],
    initialPageParam: '' as string | number,
    queryFn: ({ pageParam }) => fetchHistory(company, document, recordKey, pageParam),
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
  })
  const { data: described } = useQuery(documentQuery(company, document))
  const entries = data?.pages.flatMap(({ changes }) => changes) ?? []
  return (
    <section aria-label={t('Timeline')}>
      <Title order={2}>{t('Timeline')}</Title>
      {error && <NoTimeline error={error} />}
      {isPending && <Loading />}
      <ol className={classes.timeline}>
        {entries.map((entry, at) => (
          <Entry key={entry.number} entry={entry} document={described} onChoose={onChoose}>
            {mayUndo && at === 0 && described && undoable(described, entry).length > 0 && (
              <UndoButton document={described} recordKey={recordKey} number={entry.number} />
            )}
          </Entry>
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Earlier changes')}
        </Button>
      )}
    </section>
  )
}

/** Not each document keeps a timeline, and not everybody may read it: this is no failure. */
function NoTimeline({ error }: { readonly error: Error }) {
  const reason = error instanceof Problem ? reasonOf(error.status) : undefined
  return reason === undefined ? <ProblemNote error={error} /> : <Text size="sm">{reason}</Text>
}

function reasonOf(status: number): string | undefined {
  if (status === 403) return t('You may not read what has become of this record.')
  if (status === 404) return t('No change of this record is known.')
  return status === 405 ? t('No timeline is kept of records of this document.') : undefined
}

interface UndoButtonProps {
  readonly document: DocumentInfo
  readonly recordKey: readonly string[]
  readonly number: number
}

function UndoButton({ document, recordKey, number }: UndoButtonProps) {
  const { undo } = useUndo(document, recordKey)
  const undoing = useMutation({ mutationFn: () => undo({ number }), onError: ({ message }) => notify(message) })
  return (
    <Button size="compact-xs" variant="subtle" loading={undoing.isPending} onClick={() => undoing.mutate()}>
      {t('Undo')}
    </Button>
  )
}

function Entry({
  entry,
  document,
  onChoose,
  children,
}: {
  readonly entry: RecordChangeEntry
  /** Undefined until it is known. */
  readonly document: DocumentInfo | undefined
  readonly onChoose: ((instant: string) => void) | undefined
  /** Buttons. */
  readonly children: ReactNode
}) {
  const { time, clientId, changes } = entry
  return (
    <li className={classes.entry}>
      <p>
        <strong>
          <ChangeSentence change={entry} document={document} />
        </strong>
      </p>
      <Text size="sm" c="dimmed">
        <time dateTime={time} title={time}>
          {timeText(time)}
        </time>{' '}
        {clientId && sentence('through {{client}}', { client: <ShownText text={clientId} /> })}{' '}
        {onChoose && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChoose(time)}>
            {t('See it then')}
          </Button>
        )}
        {children}
      </Text>
      <Difference changes={changes} document={document} />
    </li>
  )
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

/** A text of a single line is short enough to be read as a whole. */
const hasLines = (...texts: readonly (string | undefined)[]): boolean => texts.some((text) => /[\r\n]/.test(text ?? ''))

interface DifferenceProps {
  readonly changes: readonly MemberChange[]
  readonly document: DocumentInfo | undefined
}

function Difference({ changes, document }: DifferenceProps) {
  const [first] = changes
  if (changes.length === 1 && first?.path === '') {
    return (
      <details>
        <summary>{t('The whole record')}</summary>
        <RecordValue value={first.after ?? first.before} />
      </details>
    )
  }
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t('Field')}</th>
          <th scope="col">{t('Before')}</th>
          <th scope="col">{t('After')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row" title={path.slice(1)}>
              <ShownText text={document ? titleAt(document, path) : path.slice(1)} />
            </th>
            {before === undefined && after === undefined ? (
              <td colSpan={2}>{t('Some were changed, added or removed.')}</td>
            ) : isText(before) && isText(after) && hasLines(before, after) ? (
              <td colSpan={2}>
                <Suspense fallback={<Loading />}>
                  <TextDifference before={before ?? ''} after={after ?? ''} />
                </Suspense>
              </td>
            ) : (
              <>
                <td className={classes.before}>
                  <RecordValue value={before} />
                </td>
                <td>
                  <RecordValue value={after} />
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
